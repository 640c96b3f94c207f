import { isInPlace, ownMachineSetOf, type Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import { Annotation, PoolAnnotation } from '../wire.ts'
import { asExpectedReason, fails, holds, kept, type Outcome } from './outcome.ts'

/**
 * Nodes are made anew for another configuration: that of the pool, or (when the version is the same) that of the whole cluster, which the hash of the
 * pool's configuration does not hold.
 */
export function isUpdatingConfig(seen: Seen): Outcome {
  const target = settledTarget(seen)
  if (target === undefined) return kept
  const { annotations = {} } = seen.pool.metadata
  const current = annotations[PoolAnnotation.currentConfigVersion]
  const isOwnChange = annotations[PoolAnnotation.currentConfig] !== target.configHash
  const isGlobalChange = current !== undefined && current !== target.hash && seen.pool.status?.version === target.version.text
  return isOwnChange || isGlobalChange
    ? inProgress(seen, `Updating config in progress. Target config: ${target.configHash}`)
    : fails(asExpectedReason)
}

/** Caveat: False does not mean that an update has succeeded; see its reason, and `status.version`. */
export function isUpdatingVersion(seen: Seen): Outcome {
  const target = settledTarget(seen)
  if (target === undefined) return kept
  const version = target.version.text
  return seen.pool.status?.version === version
    ? fails(asExpectedReason)
    : inProgress(seen, `Updating version in progress. Target version: ${version}`)
}

/** In place, the upgrader knows better how far it is, and whether it has failed. */
function inProgress(seen: Seen, message: string): Outcome {
  const annotations = isInPlace(seen) ? ownMachineSetOf(seen)?.metadata.annotations : undefined
  const failure = annotations?.[Annotation.upgradeFailed]
  if (failure !== undefined) return fails('InplaceUpgradeFailed', failure)
  return holds(annotations?.[Annotation.upgradeInProgress] ?? message)
}

function settledTarget({ target }: Seen): Target | undefined {
  const found = target()
  return found.is === 'found' && !('deferred' in found.value) ? found.value : undefined
}
