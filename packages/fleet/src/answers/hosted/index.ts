/**
 * A hosted cluster: a control plane on the management side, and a data plane.
 *
 * - `row.ts`: in one row. `view.ts`: in full. `trouble.ts`: what is wrong with it.
 * - `components.ts`: the parts of its control plane. `node-pools.ts`: its nodes.
 */
export { blockersOf, componentViews, waitsFor } from './components.ts'
export { nodesOf, poolState, poolView, runningVersions, skewOf, worstSkew } from './node-pools.ts'
export { controlPlaneSide, guestSide, hostedId, hostedRow } from './row.ts'
export { hostedView } from './view.ts'
