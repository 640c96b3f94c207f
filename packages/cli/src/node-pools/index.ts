/**
 * What people ask for node pools.
 *
 * - `create.ts`: `windlass create nodepool`, with every check that can be made before. `draft.ts`: the pool itself.
 * - `scale.ts`: `windlass scale nodepool`.
 */
export { createNodePool, type CreateRequest } from './create.ts'
export { scaleNodePool, type ScaleRequest } from './scale.ts'
