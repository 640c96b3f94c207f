import type { Pod } from '@windlass/api'
import { type Instant, isTrue, transitionTime } from '@windlass/core'

/** Whether it has run to its end, well or not. It does not come back. */
export function hasEnded({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed'
}

export function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined
}

/** Whether it counts: one that has ended, or that was told to, is as good as gone to whoever made it. */
export function isActive(pod: Pod): boolean {
  return !hasEnded(pod) && !isTerminating(pod)
}

export function isReady({ status }: Pod): boolean {
  return isTrue(status?.conditions, 'Ready')
}

/** From when on it has been ready for long enough; undefined when it is not ready. */
export function availableFrom({ status }: Pod, minReadySeconds = 0): Instant | undefined {
  if (!isTrue(status?.conditions, 'Ready')) return undefined
  if (minReadySeconds === 0) return Number.NEGATIVE_INFINITY
  return (transitionTime(status?.conditions, 'Ready') ?? Number.NEGATIVE_INFINITY) + minReadySeconds * 1_000
}

export function isAvailable(pod: Pod, minReadySeconds: number | undefined, now: Instant): boolean {
  return (availableFrom(pod, minReadySeconds) ?? Number.POSITIVE_INFINITY) <= now
}

/** How long until the next of these is available without doing anything for it; infinite when none will be. */
export function untilAvailable(pods: readonly Pod[], minReadySeconds: number | undefined, now: Instant): number {
  const left = pods.map((pod) => (availableFrom(pod, minReadySeconds) ?? now) - now).filter((milliseconds) => milliseconds > 0)
  return Math.min(Number.POSITIVE_INFINITY, ...left)
}

/** How often its containers were started again. */
export function restartsOf({ status }: Pod): number {
  return status?.containerStatuses?.reduce((sum, { restartCount }) => sum + restartCount, 0) ?? 0
}

export function imagesOf({ spec }: Pod): readonly string[] {
  return [...(spec.initContainers ?? []), ...spec.containers].map(({ image = '' }) => image)
}
