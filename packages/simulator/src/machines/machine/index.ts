/**
 * One machine, from being asked for to its Node, and back.
 *
 * - `controller.ts`: the steps, in their order; start reading there. `status.ts`: what the Machine says meanwhile.
 * - `kubelet.ts`: what its Node says. `daemon.ts`: how it is upgraded in place. `deletion.ts`, `drain.ts`: how it goes.
 */
export { machineController } from './controller.ts'
