/**
 * What goes wrong, decided by a seed.
 *
 * - `faults.ts`: the kinds of faults and how often they strike. `dice.ts`: whether one strikes now.
 * - `faulty-transport.ts`: the network between a process and the API. `faulty-stream.ts`: one watch over it. `refusal.ts`: answers that the
 *   server did not give. `verb.ts`: what a request is.
 */
export { Dice, type FaultCounts, noFaults } from './dice.ts'
export {
  allFaults,
  chosenFaults,
  type FaultChoice,
  type FaultKind,
  faultKinds,
  type Faults,
  lengths,
  milliseconds,
  type Range,
  type RecurringKind,
  type Span,
  type Verb,
} from './faults.ts'
export { faultyTransport, FaultyTransport, type FaultyTransportOptions, type NetworkOptions } from './faulty-transport.ts'
