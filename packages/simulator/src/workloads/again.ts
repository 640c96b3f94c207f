import { type Plan, requeueAfter } from '@windlass/kube'

/** Looks again after so many milliseconds; nothing at all when that is never. */
export function again(milliseconds: number, waitingFor: string): Plan | undefined {
  return milliseconds === Number.POSITIVE_INFINITY ? undefined : requeueAfter(milliseconds, waitingFor)
}
