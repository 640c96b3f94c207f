import type { AnyController } from '@windlass/kube'
import { machineSetController } from './machine-sets/index.ts'
import { machineController } from './machine/index.ts'
import { type MachineApiOptions, machineApiSettings } from './settings.ts'

/**
 * The machine API of a classic cluster: MachineSets make machines, machines become nodes of the same cluster, and go with them.
 *
 * Caveat: never beside a real one. They would fight over every Machine.
 */
export function machineApiControllers(options: MachineApiOptions): readonly AnyController[] {
  return [machineSetController, machineController(machineApiSettings(options))]
}
