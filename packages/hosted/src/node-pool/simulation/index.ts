/**
 * Whole stories of node pools in virtual time: our controllers, simulated machines, and whatever people do meanwhile. For tests.
 *
 * - `world.ts`: a hosted cluster with everything that pools need, and the words to tell a story with. `desk.ts`: between machines and those who answer them.
 * - `invariants.ts`: what always holds. `leftovers.ts`: what another controller has left. `two-pools.ts`: the story that is told while everything fails.
 */
export { Desk } from './desk.ts'
export {
  atMost,
  availableAtLeast,
  awayAtMost,
  kubeletNeverAbove,
  neverAbove,
  neverLeaked,
  neverOrphaned,
  neverProlonged,
} from './invariants.ts'
export { foreign, type Leftovers, leftoversOf } from './leftovers.ts'
export { twoPools } from './two-pools.ts'
export * from './world.ts'
