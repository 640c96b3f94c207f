/**
 * Prometheus, Alertmanager, OCM and the rest of what is outside, in memory and in the time of a simulation.
 *
 * - `world.ts`: all of it. `alertmanager.ts`, `ocm.ts`: those that remember. `line.ts`: the way there, on which a process may die.
 */
export type { Call, Mishap, Service } from './line.ts'
export type { Told } from './ocm.ts'
export { OutsideWorld } from './world.ts'
