/**
 * Machines: what Cluster API and the provider of machines do, as controllers.
 *
 *   machineControllers({ seed: 42, speed: 10, connect, fetchIgnition: httpsIgnition() })
 *
 * - `clusters/`, `machine-deployments/`, `machine-sets/`, `machine/`, `health-checks/`: a folder for each kind, with a rule and a controller. `machine-controllers.ts`: all of them.
 * - `infrastructure.ts`: what providers keep about machines in objects of their own.
 * - `ignition/`: how a machine gets its configuration. `failures.ts`: what can be made to go wrong; `struck.ts`: with which machines, where not with all. `settings.ts`: how long everything takes.
 * - `real-managers.ts`: who looks after machines in earnest; there they must not be simulated.
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
export { machineKindOf } from './infrastructure.ts'
export { machineControllers } from './machine-controllers.ts'
export { realMachineManagers } from './real-managers.ts'
export { type MachineOptions, type MachineStep, usualMachineDurations } from './settings.ts'
