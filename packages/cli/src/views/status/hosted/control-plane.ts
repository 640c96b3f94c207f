import type { ControlPlaneComponent } from '@windlass/api'
import {
  type Blocker,
  findCondition,
  type Instant,
  isFalse,
  isTrue,
  rolloutBlockers,
  type RolloutState,
  rolloutState,
} from '@windlass/core'
import { timesOf } from '../times.ts'
import { usualDuration } from '../usual.ts'
import { versionsIn } from '../versions.ts'
import type { ControlPlaneView, PartsView, UpdatingPart } from '../view.ts'
import type { HostedObjects } from './objects.ts'

/** What keeps the control plane from the release that it goes to. */
export function blockersOf({ cluster, components }: HostedObjects): readonly Blocker[] {
  const { desired, observedGeneration = 0 } = cluster.status?.controlPlaneVersion ?? {}
  return rolloutBlockers(components, { version: desired?.version ?? '', generation: observedGeneration })
}

/** How the management side goes. Complete is what its record says, not what a count comes to. */
export function controlPlaneOf(objects: HostedObjects, now: Instant): ControlPlaneView & { readonly state: RolloutState } {
  const { status } = objects.cluster
  const history = status?.controlPlaneVersion?.history ?? []
  const [newest] = history
  const state = rolloutState(status, now)
  const isCompleted = state === 'Completed'
  const parts = partsOf(objects)
  const total = objects.components.filter(isThere).length
  const usual = usualDuration(history)
  const ended = isCompleted && newest?.completionTime !== undefined ? { completedAt: newest.completionTime } : {}
  return {
    state,
    assessment: state,
    isCompleted,
    versions: history.length === 0 ? unknownVersions(objects) : versionsIn(history),
    // Rounded down: all means all.
    completionPercent: isCompleted ? 100 : total === 0 ? 0 : Math.floor((100 * parts.updated) / total),
    times: {
      ...timesOf({ ...(newest === undefined ? {} : { startedAt: newest.startedTime }), ...ended }, now),
      ...(isCompleted || usual === undefined ? {} : { usual }),
    },
    parts,
  }
}

function unknownVersions({ cluster }: HostedObjects) {
  const target = cluster.status?.controlPlaneVersion?.desired.version ?? ''
  return { ...(target === '' ? {} : { target }), isInstallation: false, isPreviousPartial: false, isMultiArchitecture: false }
}

function isThere({ metadata }: ControlPlaneComponent): boolean {
  return metadata.deletionTimestamp === undefined
}

/** A component is on its way when it rolls out, and waits when another one comes first or when it has not noticed yet. */
function partsOf(objects: HostedObjects): PartsView {
  const components = objects.components.filter(isThere)
  const blockers = new Map(blockersOf(objects).map((blocker) => [blocker.name, blocker]))
  const updating = components.filter((component) => isRollingOut(component, blockers.get(component.metadata.name ?? '')))
  const available = components.filter(({ status }) => isTrue(status?.conditions, 'Available'))
  const unavailable = components.filter(({ status }) => isFalse(status?.conditions, 'Available')).length
  const degraded = available.filter(hasFailed).length
  return {
    kind: 'components',
    updated: components.length - blockers.size,
    waiting: blockers.size - updating.length,
    updating: updating.map(updatingPart).toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    healthy: available.length - degraded,
    unavailable,
    degraded,
    unknown: components.length - available.length - unavailable,
  }
}

function isRollingOut({ status }: ControlPlaneComponent, blocker: Blocker | undefined): boolean {
  return blocker?.isRoot === true && isFalse(status?.conditions, 'RolloutComplete')
}

const failures: ReadonlySet<string> = new Set(['ReconciliationError', 'JobFailed'])

/** Its rollout does not only take time. */
export function hasFailed({ status }: ControlPlaneComponent): boolean {
  const rollout = findCondition(status?.conditions, 'RolloutComplete')
  return rollout?.status === 'False' && failures.has(rollout.reason)
}

function updatingPart({ metadata: { name = '' }, status }: ControlPlaneComponent): UpdatingPart {
  const rollout = findCondition(status?.conditions, 'RolloutComplete')
  const since = rollout?.lastTransitionTime
  return { name, ...(since === undefined ? {} : { since }), reason: rollout?.reason ?? '', message: rollout?.message ?? '' }
}
