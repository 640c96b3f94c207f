/**
 * A whole world in virtual time, from a seed: the embedded API server, the controllers under test, everything that can go wrong, and a
 * script of what people do meanwhile. For tests.
 *
 *   const result = await simulate({
 *     seed,
 *     definitions: [toCrd(NodePool)],
 *     controllers: () => [nodePools],
 *     processes: 2,
 *     faults: 'all',
 *     invariants: [{ name: 'a pool never loses two nodes at once', of: NodePool, holds: (write, state) => … }],
 *     world: async (world) => {
 *       await world.client.create(NodePool, aNodePool())
 *       await world.until(() => world.state.list(NodePool).every(isReady), { within: '1h' })
 *     },
 *   })
 *
 * - `simulate.ts`: what a simulation is. `run.ts`: one run of it. `world.ts`: what its script can do. `invariant.ts`: what must always be so.
 * - `server.ts`: the API server of a run. `base.ts`: what runs have in common, made once. `actor.ts`: who asks.
 * - `process/`: processes that live and die, and the operator that runs controllers in one. `faults/`: what goes wrong. `record/`: what was written.
 * - `for-each-seed.ts`, `repeatable.ts`: many runs. `ambient.ts`: how they differ. `environment.ts`: what people can set.
 * - `failure.ts`, `reproduction.ts`, `recent-messages.ts`: what a failed run says.
 */
export type { Given } from './base.ts'
export { SimulationError } from './failure.ts'
export {
  allFaults,
  type FaultChoice,
  type FaultKind,
  type Faults,
  faultyTransport,
  type FaultyTransport,
  type NetworkOptions,
  type Span,
} from './faults/index.ts'
export { forEachSeed, type SeedOptions } from './for-each-seed.ts'
export type { Invariant } from './invariant.ts'
export {
  type AnyController,
  operator,
  type OperatorOptions,
  type ProcessContext,
  type Program,
  type SimulatedProcess,
} from './process/index.ts'
export type { StateReader, Write } from './record/index.ts'
export { assertRepeatable } from './repeatable.ts'
export { type Simulation, type SimulationResult, simulate } from './simulate.ts'
export { NeverHappened, type World } from './world.ts'
