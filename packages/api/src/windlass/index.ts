/** `windlass.dev`: kinds of our own. */
export { LogicalCluster } from './logical-cluster.ts'
