import type { ClusterVersionProgressInsight } from '@windlass/api'
import { equalJson, type StatusOf } from '@windlass/kube'
import { differByMuch } from '../significance.ts'
import { metadataOf } from './versions.ts'

type Status = StatusOf<ClusterVersionProgressInsight>

const times = ['startedAt', 'lastObservedProgress', 'completedAt', 'estimatedCompletedAt'] as const

/** Whether a status says something else than the one that is stored: anything but a difference of some seconds does. */
export function differsSignificantly(stored: Status | undefined, next: Status, speed = 1): boolean {
  if (stored === undefined) return true
  if (times.some((time) => differByMuch(stored[time], next[time], speed))) return true
  return !equalJson(essence(stored), essence(next)) || haveMoved(stored, next, speed)
}

/** Everything but times, lists as maps. */
function essence({ name, assessment, completionPercent, versions: { target, previous }, conditions = [] }: Status): object {
  return {
    name,
    assessment,
    completionPercent,
    target: target.version,
    targetMetadata: metadataOf(target),
    hasPrevious: previous !== undefined,
    previous: previous?.version,
    previousMetadata: metadataOf(previous),
    conditions: Object.fromEntries(conditions.map(({ type, status, reason, message }) => [type, { status, reason, message }])),
  }
}

function haveMoved({ conditions: stored = [] }: Status, { conditions: next = [] }: Status, speed: number): boolean {
  const before = new Map(stored.map(({ type, lastTransitionTime }) => [type, lastTransitionTime]))
  return next.some(({ type, lastTransitionTime }) => differByMuch(before.get(type), lastTransitionTime, speed))
}
