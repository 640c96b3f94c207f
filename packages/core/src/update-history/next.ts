import type { Instant } from '../clock/clock.ts'
import { isAnyThere, isComplete } from '../completion/completion.ts'
import type { ComponentReport } from '../completion/component.ts'
import { isSameRelease, type Release } from '../release/release.ts'
import { pruneHistory } from './prune.ts'
import { begun, completed, identified, superseded } from './steps.ts'
import { asWritten, type ControlPlaneVersion, type SeenControlPlaneVersion, type UpdateHistory } from './history.ts'

/** What one look at a control plane shows. */
export interface ControlPlaneSeen {
  /** The wanted release, resolved. One that `releaseProblem` objects to must not come here. */
  readonly desired: Release
  /** The generation of the HostedControlPlane. */
  readonly generation: number
  /** All components in its namespace; undefined when they could not be listed. */
  readonly components: readonly ComponentReport[] | undefined
  /** Names of components that must be among them. */
  readonly expected?: ReadonlySet<string>
}

/**
 * The version status after one look at the control plane. Undefined means that the field has nothing to say yet: no history, and no
 * component either.
 *
 * Returns the object it was given when nothing changed, so that a caller sees by `===` that there is nothing to write.
 *
 * What is surprising:
 * - An update is not completed in the pass that starts it: the components cannot have heard of it yet, though after a change of the
 *   image alone they look as if they had. The first entry of all is, because it only records what is there.
 * - Completed is for good, whatever the components say later; their health is told elsewhere.
 * - When the components could not be listed, the attempt is recorded, but `observedGeneration` stays: moved, it would say of a new
 *   generation what is known of the old one only.
 */
export function nextControlPlaneVersion(
  current: SeenControlPlaneVersion | undefined,
  seen: ControlPlaneSeen,
  now: Instant,
): ControlPlaneVersion | undefined {
  const before = current === undefined ? undefined : asWritten(current)
  const history = pruneHistory(nextHistory(before?.history ?? [], seen, now))
  if (history.length === 0) return undefined
  const observedGeneration = seen.components === undefined ? before?.observedGeneration : seen.generation
  return assembled(before, seen.desired, history, observedGeneration)
}

function nextHistory(history: UpdateHistory, seen: ControlPlaneSeen, now: Instant): UpdateHistory {
  const { desired, components } = seen
  const newest = history[0]
  if (newest === undefined) return firstHistory(seen, now)
  if (!isSameRelease(newest, desired)) return superseded(history, desired, now)
  if (components === undefined) return history
  const known = identified(history, desired)
  return newest.state === 'Partial' && hasArrived(seen, components) ? completed(known, now) : known
}

function firstHistory(seen: ControlPlaneSeen, now: Instant): UpdateHistory {
  const { desired, components } = seen
  if (components === undefined) return begun(desired, now)
  if (!isAnyThere(components)) return []
  return hasArrived(seen, components) ? completed(begun(desired, now), now) : begun(desired, now)
}

function hasArrived({ desired, generation, expected }: ControlPlaneSeen, components: readonly ComponentReport[]): boolean {
  return isComplete(components, { version: desired.version, generation }, expected)
}

/** Fields that others have put beside ours stay. A generation of 0 is none; the API refuses it. */
function assembled(
  before: ControlPlaneVersion | undefined,
  { version, image }: Release,
  history: UpdateHistory,
  generation: number | undefined,
): ControlPlaneVersion {
  const observedGeneration = generation === 0 ? undefined : generation
  const isSameDesired = before?.desired.version === version && before.desired.image === image
  if (isSameDesired && before.history === history && before.observedGeneration === observedGeneration) return before
  const { observedGeneration: _, ...kept } = before ?? {}
  return {
    ...kept,
    desired: isSameDesired ? before.desired : { version, image },
    history,
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  }
}
