/**
 * What happens on the nodes of a cluster that gets a new config: they are drained, changed, restarted and opened again.
 *
 * - `decide.ts`: the steps of a node, one rule each. `update.ts`: how a step is read from annotations, and written.
 * - `drain.ts`: moving Pods away, as long as it takes. `kubelet.ts`: what the node says about itself.
 * - `controller.ts`: one controller for the steps, and one for drains, which ask the server before they know.
 */
export { machineConfigDaemons, nodeDrains, podsOnNodes } from './controller.ts'
export { nodeInfoAt } from './kubelet.ts'
