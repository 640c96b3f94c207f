/**
 * For tests of hosted clusters.
 *
 * - `world.ts`: a management cluster in a map, which plans can be carried out on.
 * - `clusters.ts`: clusters and what there is around them; `pass(world)` is one look at one.
 */
export * from './clusters.ts'
export { World } from './world.ts'
