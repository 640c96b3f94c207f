/**
 * Whole stories of node pools in virtual time: our controllers, simulated machines, and whatever people do meanwhile. For tests.
 *
 * - `world.ts`: a hosted cluster with everything that pools need, and the words to tell a story with. `desk.ts`: between machines and those who answer them.
 * - `laws.ts`: what always holds. `invariants.ts`: bounds that one story sets itself. `leftovers.ts`: what another controller has left.
 * - `five-pools.ts`: the story that is told while everything fails, another one for each seed. `deeds.ts`: what happens in the middle of it.
 */
export { Desk } from './desk.ts'
export { fivePools } from './five-pools.ts'
export { atMost, availableAtLeast, awayAtMost } from './invariants.ts'
export { laws, neverAbove, neverLeaked, neverOrphaned, neverProlonged, neverTooManyAway } from './laws.ts'
export { foreign, type Leftovers, leftoversOf } from './leftovers.ts'
export * from './world.ts'
