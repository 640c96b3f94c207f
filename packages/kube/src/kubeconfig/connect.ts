import { type ClientOptions, createClient, type RestClient } from '../client/rest-client.ts'
import { HttpsTransport, type TransportOptions } from '../transport/https.ts'
import { inClusterOptions, isInCluster } from './in-cluster.ts'
import { loadKubeconfig, namesKubeconfig } from './kubeconfig.ts'
import { type Surroundings, systemSurroundings } from './system.ts'

export interface ConnectOptions extends Omit<ClientOptions, 'transport'>, Partial<Surroundings> {
  /** A file. */
  readonly kubeconfig?: string
  /** Instead of the current one. */
  readonly context?: string
}

/**
 * A client of the cluster that this program is to work with: by the kubeconfig it is told, by those in `KUBECONFIG`, as the service account
 * of its pod, or by `~/.kube/config`, whichever is there first. Sends nothing yet.
 *
 * # Errors
 *
 * `KubeconfigError`.
 */
export async function connect(options: ConnectOptions): Promise<RestClient> {
  return createClient({ ...options, transport: new HttpsTransport(await findCluster(options)) })
}

function findCluster(options: ConnectOptions): Promise<TransportOptions> {
  const { env, readFile } = { ...systemSurroundings, ...options }
  const { kubeconfig: file, context, clock } = options
  const isTold = file !== undefined || context !== undefined || namesKubeconfig(env)
  if (!isTold && isInCluster(env)) return inClusterOptions({ env, readFile, clock })
  const choice = { ...(file === undefined ? {} : { file }), ...(context === undefined ? {} : { context }) }
  return loadKubeconfig({ env, readFile, clock, ...choice }).then((kubeconfig) => kubeconfig.access())
}
