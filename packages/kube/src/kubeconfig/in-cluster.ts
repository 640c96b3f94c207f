import { join } from 'node:path'
import type { Clock } from '@windlass/core'
import type { TransportOptions } from '../transport/https.ts'
import { FileCredentials, readNamed } from './file-credentials.ts'
import { KubeconfigError } from './kubeconfig-error.ts'
import { type Environment, type Surroundings, systemSurroundings } from './system.ts'

const folder = '/var/run/secrets/kubernetes.io/serviceaccount'

/** Whether this process runs in a pod that has a service account. */
export function isInCluster(env: Environment): boolean {
  return (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== ''
}

/**
 * The way from a pod to its own cluster, as its service account. The token is read again when the kubelet replaces it.
 *
 * # Errors
 *
 * `KubeconfigError` when this is no pod, or one that has no service account mounted.
 */
export async function inClusterOptions(options: Partial<Surroundings> & { readonly clock: Clock }): Promise<TransportOptions> {
  const { env, readFile } = { ...systemSurroundings, ...options }
  if (!isInCluster(env)) {
    throw new KubeconfigError('this is no pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; choose a kubeconfig')
  }
  const host = env['KUBERNETES_SERVICE_HOST'] ?? ''
  const file = (name: string) => ({ path: join(folder, name), name: `the service account of this pod: ${join(folder, name)}` })
  const ca = await readNamed(readFile, file('ca.crt'))
  const credentials = new FileCredentials({ fixed: { headers: {} }, token: file('token'), readFile, clock: options.clock })
  // Without a token nothing works: better to know it now.
  await credentials.identity()
  return { server: `https://${host.includes(':') ? `[${host}]` : host}:${env['KUBERNETES_SERVICE_PORT']}`, ca, credentials }
}

/** The namespace that this pod is in; undefined outside of one. */
export async function inClusterNamespace(options: Partial<Surroundings> = {}): Promise<string | undefined> {
  const { readFile } = { ...systemSurroundings, ...options }
  const text = await readFile(join(folder, 'namespace')).catch(() => '')
  return text.trim() === '' ? undefined : text.trim()
}
