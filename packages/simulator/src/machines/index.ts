/**
 * Machines: what Cluster API and the provider of machines do, as controllers.
 *
 *   machineControllers({ seed: 42, speed: 10, connect, fetchIgnition: httpsIgnition() })
 *
 * - `clusters/`, `machine-deployments/`, `machine-sets/`, `machine/`, `health-checks/`: a folder for each kind, with a rule and a controller. `machine-controllers.ts`: all of them.
 * - `ignition/`: how a machine gets its configuration. `failures.ts`: what can be made to go wrong. `settings.ts`: how long everything takes.
 * - `caches.ts`: what they keep in memory, and how they find it. `conditions.ts`, `wire.ts`: the words of Cluster API.
 */
export { type MachineFailure, type MachineFailureMode, machineFailureModes, parseMachineFailures } from './failures.ts'
export {
  type FetchIgnition,
  httpsIgnition,
  type HttpsIgnitionOptions,
  type IgnitionAnswer,
  type IgnitionQuestion,
} from './ignition/index.ts'
export { machineControllers } from './machine-controllers.ts'
export { type MachineOptions, type MachineStep, usualMachineDurations } from './settings.ts'
