/**
 * One machine of a classic cluster. `advance.ts`: from a Machine to a node that is ready, `node.ts`: that node. `leave.ts`: back again. `controller.ts`: what
 * all of it looks at.
 */
export { machineController } from './controller.ts'
