/** `machineconfiguration.openshift.io`: the operating system side of a classic cluster's nodes. Read by us, and written by the simulator. */
export { MachineConfigPool } from './machine-config-pool.ts'
export { MachineConfig } from './machine-config.ts'
