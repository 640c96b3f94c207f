/** `machine.openshift.io`: the machines of a classic cluster. An upgrade may add a spare one per zone. */
export { MachineSet } from './machine-set.ts'
export { Machine } from './machine.ts'
