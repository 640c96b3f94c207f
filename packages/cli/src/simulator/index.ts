/**
 * `windlass simulator`.
 *
 * - `controllers.ts`: everything that is simulated, for a server that may not have all kinds of it. `standalone.ts`: a classic cluster
 *   besides. `run.ts`: the command.
 */
export { simulatorControllers, type SimulatorOptions } from './controllers.ts'
export { runSimulator } from './run.ts'
