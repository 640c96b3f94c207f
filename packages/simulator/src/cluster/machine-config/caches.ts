import { MachineConfig, MachineConfigPool, Node } from '@windlass/api'
import { cached } from '@windlass/kube'

/** What the machine config operator keeps in memory. Declared once, so that its parts share it. */
export const pools = cached(MachineConfigPool)
/** Files and units are of no interest here. */
export const machineConfigs = cached(MachineConfig, { keeps: [] })
export const nodes = cached(Node)
