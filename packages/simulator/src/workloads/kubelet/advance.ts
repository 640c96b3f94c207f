import type { Instant } from '@windlass/core'
import type { Standing } from './standing.ts'
import { next, type Traits } from './transitions.ts'

export interface Advanced {
  /** Where the Pod is now, as far as it is worth telling: the same object when there is nothing to tell. */
  readonly standing: Standing
  /** When there will be more; undefined when nothing comes by itself. */
  readonly again: Instant | undefined
}

/** A stage that is over sooner is not told of: nobody would see it, and telling costs a write for each Pod of a fleet. */
const shortest = 1_000

/** A Pod that nobody has looked at for a year has crashed many times. The rest is for the next time. */
const mostSteps = 1_000

/** How far a Pod has come. Stages that it has left by now are not told of either. */
export function advance(known: Standing, traits: Traits): Advanced {
  let standing = known
  for (let steps = 0; steps < mostSteps; steps++) {
    const following = next(standing, traits)
    if (following === undefined) return { standing, again: undefined }
    if (following.since > traits.now) {
      const isBrief = following.since - standing.since < shortest
      return { standing: isBrief ? known : standing, again: following.since }
    }
    standing = following
  }
  return { standing, again: traits.now }
}
