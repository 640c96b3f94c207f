import type { Duration, Instant } from '@windlass/core'

/** Something that becomes worse with time. */
export interface Stage {
  /** Reached when more than this has passed; `atOnce` for right away. */
  readonly after: Duration
}

export const atOnce: Duration = Number.NEGATIVE_INFINITY

/**
 * Which stage something has reached, if any, and when it reaches the next: no event marks that moment. The stages are in order. In a cluster that is
 * simulated at a higher speed they come so much sooner.
 */
export function stageAt<S extends Stage>(
  stages: readonly S[],
  since: Instant,
  now: Instant,
  speed: number,
): { readonly stage: S | undefined; readonly nextAt: Instant | undefined } {
  const isReached = ({ after }: Stage): boolean => now - since > after / speed
  const next = stages.find((stage) => !isReached(stage))
  return { stage: stages.findLast(isReached), nextAt: next === undefined ? undefined : since + next.after / speed + 1 }
}

/** The first moment of those that are known. */
export function earliest(...instants: readonly (Instant | undefined)[]): Instant | undefined {
  const known = instants.filter((instant) => instant !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
