import { type ClientOptions, createClient, type RestClient } from '../client/index.ts'
import { parseKubeconfig } from '../kubeconfig/index.ts'
import { HttpsTransport } from '../transport/index.ts'

/**
 * Connects to clusters by kubeconfigs as they stand in Secrets: whoever may write the Secret is not thereby allowed to read the files of this
 * process or to start programs in it.
 */
export function connector(options: Omit<ClientOptions, 'transport'>): (kubeconfig: string, name: string) => Promise<RestClient> {
  return async (kubeconfig, name) => {
    const access = await parseKubeconfig(kubeconfig, { name: `the kubeconfig of ${name}`, clock: options.clock }).access()
    return createClient({ ...options, transport: new HttpsTransport(access) })
  }
}
