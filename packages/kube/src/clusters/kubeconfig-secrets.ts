import { createHash } from 'node:crypto'
import { Secret } from '@windlass/api'
import type { CacheHandle, CacheReader } from '../cache/cache.ts'
import type { Client, Ref } from '../client/client.ts'
import { keyOf } from '../objects/refs.ts'

/** Where a kubeconfig is. */
export interface KubeconfigRef extends Ref {
  /** In the Secret; `kubeconfig` or `value` unless told: there HyperShift and Cluster API put it. */
  readonly key?: string
}

export interface KubeconfigSecretsOptions {
  readonly client: Pick<Client, 'find'>
  readonly cache: CacheReader
  /** Where Secrets are cached. They are read from the server otherwise: few processes should hold all Secrets of a cluster. */
  readonly secrets?: CacheHandle<Secret>
}

export type Kubeconfig =
  | { readonly isThere: true; readonly text: string; /** The same for the same text. */ readonly hash: string }
  | { readonly isThere: false; readonly reason: string }

const usualKeys = ['kubeconfig', 'value']

export async function readKubeconfig(options: KubeconfigSecretsOptions, ref: KubeconfigRef, signal: AbortSignal): Promise<Kubeconfig> {
  const { client, cache, secrets } = options
  const { key, ...place } = ref
  const secret = secrets === undefined ? await client.find(Secret, place, { signal }) : cache.get(secrets, place)
  if (secret === undefined) return { isThere: false, reason: `there is no Secret ${keyOf(place)}` }
  const keys = key === undefined ? usualKeys : [key]
  const found = keys.map((each) => secret.data?.[each] ?? '').find((data) => data !== '')
  if (found === undefined) return { isThere: false, reason: `the Secret ${keyOf(place)} has no kubeconfig under ${keys.join(' or ')}` }
  const text = Buffer.from(found, 'base64').toString('utf8')
  return { isThere: true, text, hash: createHash('sha256').update(text).digest('hex') }
}
