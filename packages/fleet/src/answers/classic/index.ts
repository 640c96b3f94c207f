/**
 * A classic cluster, which updates itself.
 *
 * - `row.ts`: in one row. `view.ts`: in full. `trouble.ts`: what is wrong with it.
 * - `operators.ts`, `pools.ts`: its parts. `node-tally.ts`: its nodes, counted. `skew.ts`: whether their versions may be.
 */
export { NodeTally, versionOfConfig } from './node-tally.ts'
export { operatorViews } from './operators.ts'
export { machineConfigPoolState, machineConfigPoolView } from './pools.ts'
export { classicRow, versionSide } from './row.ts'
export { classicView } from './view.ts'
