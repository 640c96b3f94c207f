import type { AnyController } from '@windlass/kube'
import { machineClusters } from './clusters/index.ts'
import { machineHealthChecks } from './health-checks/index.ts'
import { machineDeployments } from './machine-deployments/index.ts'
import { machineSets } from './machine-sets/index.ts'
import { machineController } from './machine/index.ts'
import { type MachineOptions, machineSettings } from './settings.ts'

/**
 * Cluster API and a provider, for management clusters that have neither: MachineDeployments roll, MachineSets make machines, machines start with the
 * configuration that they fetch and become Nodes of their guest, and those that do not work are replaced.
 *
 * Caveat: never beside real ones. They would fight over every Machine. `realMachineManagers` finds them.
 */
export function machineControllers(options: MachineOptions): readonly AnyController[] {
  const settings = machineSettings(options)
  return [machineClusters, machineDeployments, machineSets(settings), machineController(settings), machineHealthChecks]
}
