/**
 * For tests of node pools.
 *
 * - `pools.ts`: pools and what there is around them; `pass(world)` is one look at one.
 * - `provider.ts`: those who make machines and nodes of what a pass wrote, one step at a time.
 * - `settled.ts`: a pool that has come to rest, and what tests ask about it. `foreign.ts`: one that another controller has made.
 */
export * from './foreign.ts'
export * from './pools.ts'
export { Provider } from './provider.ts'
export * from './settled.ts'
