/**
 * DaemonSets: a Pod on every node that should have one, and none while there are no Nodes.
 *
 * - `nodes.ts`: which nodes are meant. `decide.ts`: Pods for them, and the status. `controller.ts`: what it looks at.
 */
export { daemonSetController } from './controller.ts'
