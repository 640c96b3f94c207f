import type { NodePool } from '@windlass/api'
import { PoolAnnotation } from '../wire.ts'
import type { ConfigHashes } from './config-hash.ts'

/**
 * How the hashes of a pool relate to those that it was made with.
 *
 * Another controller writes the same configuration in other bytes, and so comes to other hashes. To make all nodes anew for that would be a rollout
 * that nobody asked for: a pool that we find settled keeps its old hashes until something that goes into them changes.
 */
export type Adoption =
  /** Ours from the start, or adopted and changed since. */
  | { readonly is: 'native'; readonly hashes: ConfigHashes }
  /** Somebody else's, and nothing has changed since. */
  | { readonly is: 'adopted'; readonly hashes: ConfigHashes; readonly isNew: boolean }
  /** Somebody else's in the middle of a rollout: it is left alone until that is done. */
  | { readonly is: 'deferred'; readonly because: string }

/** `isSettled`: every machine is at what the pool asks for. */
export function adoptionOf({ metadata: { annotations = {} }, status }: NodePool, native: ConfigHashes, isSettled: boolean): Adoption {
  const current = annotations[PoolAnnotation.currentConfigVersion]
  const marker = annotations[PoolAnnotation.configDigest]
  if (marker === undefined) {
    const config = annotations[PoolAnnotation.currentConfig]
    if (current === undefined) return { is: 'native', hashes: native }
    if (!isSettled) return { is: 'deferred', because: unsettled(status?.version) }
    return { is: 'adopted', hashes: { hash: current, configHash: config ?? '', digest: native.digest }, isNew: true }
  }
  const hash = annotations[PoolAnnotation.adoptedHash]
  if (hash === undefined || marker !== native.digest) return { is: 'native', hashes: native }
  return {
    is: 'adopted',
    hashes: { hash, configHash: annotations[PoolAnnotation.adoptedConfig] ?? '', digest: native.digest },
    isNew: false,
  }
}

/** What is written on a pool that is adopted in this pass. */
export function adoptionMarks({ hash, configHash, digest }: ConfigHashes): Readonly<Record<string, string>> {
  return {
    [PoolAnnotation.configDigest]: digest,
    [PoolAnnotation.adoptedHash]: hash,
    [PoolAnnotation.adoptedConfig]: configHash,
  }
}

function unsettled(version: string | undefined): string {
  const remedy = version === undefined ? '' : `, or set spec.release.image back to a release of ${version}`
  return `this pool was made by another controller, and its machines are not all at what it asks for. Let that controller finish${remedy}`
}
