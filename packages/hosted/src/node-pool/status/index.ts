/** What a pool says about its nodes, besides conditions: which versions they run (`nodes-info.ts`). */
export { type NodesInfo, nodesInfoOf, osImageStreamOf } from './nodes-info.ts'
