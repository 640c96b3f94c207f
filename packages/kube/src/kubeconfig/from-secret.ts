import type { Secret } from '@windlass/api'
import type { Clock } from '@windlass/core'
import type { TransportOptions } from '../transport/https.ts'
import { KubeconfigError } from './kubeconfig-error.ts'
import { parseKubeconfig } from './kubeconfig.ts'
import type { Environment } from './system.ts'

/** Where HyperShift and Cluster API put them. */
const usualKeys = ['kubeconfig', 'value']

export interface SecretKubeconfigOptions {
  /** The key in the Secret; `kubeconfig` or `value` unless told. */
  readonly key?: string
  readonly clock: Clock
  readonly env?: Environment
}

/**
 * The way to another cluster, from a kubeconfig in a Secret.
 *
 * Whoever may write the Secret is not thereby allowed to read the files of this process or to start programs in it: a kubeconfig that names
 * either is refused.
 */
export async function kubeconfigFromSecret(
  secret: Pick<Secret, 'metadata' | 'data'>,
  options: SecretKubeconfigOptions,
): Promise<TransportOptions> {
  const { metadata, data = {} } = secret
  const name = `the Secret ${metadata.namespace ?? ''}/${metadata.name ?? ''}`
  const keys = options.key === undefined ? usualKeys : [options.key]
  const key = keys.find((candidate) => (data[candidate] ?? '') !== '')
  if (key === undefined) throw new KubeconfigError(`${name} has no kubeconfig under ${keys.join(' or ')}`)
  const content = Buffer.from(data[key] ?? '', 'base64').toString('utf8')
  const { clock, env } = options
  return parseKubeconfig(content, { name: `the kubeconfig in ${name}`, clock, ...(env === undefined ? {} : { env }) }).access()
}
