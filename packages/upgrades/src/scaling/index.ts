/**
 * Extra workers for the time of an upgrade: a marked copy of each machine set of the workers, with one machine.
 *
 * - `originals.ts`: what is copied, and the mark. `clone.ts`: the copy.
 * - `scale-up.ts`: making copies and waiting for their nodes. `scale-down.ts`: removing them.
 */
export { cloneName, cloneOf } from './clone.ts'
export { hasWorkerPool, isExtra, Label as MachineLabel, machineNamespace, originalsOf } from './originals.ts'
export { extraNodeNames, removeExtras } from './scale-down.ts'
export { decideScaleUp, type ScaleUp, type ScaleUpView } from './scale-up.ts'
