/**
 * The scheduler: Pods that are on no node yet get one.
 *
 * - `fit.ts`: whether a node takes a Pod. `decide.ts`: which of them it goes to. `controller.ts`: what it looks at, and the binding.
 *
 * While a cluster has no Nodes at all, everything runs on a virtual one.
 */
export { schedulerController } from './controller.ts'
export { isSelected, toleratesTaints } from './fit.ts'
