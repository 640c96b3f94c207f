/**
 * Upgrades of nodes that stay: a daemon on each applies the new configuration.
 *
 * - `upgrader.ts`: what one look at a MachineSet comes to; start reading there.
 * - `node-state.ts`: what a node says of itself. `daemons.ts`: what runs in the guest meanwhile. `drain.ts`: what a daemon asks for.
 * - `controller.ts`: who does it. `drainer.ts`: who does what a daemon asks for.
 */
export { inPlaceUpgrader, type InPlaceUpgraderOptions } from './controller.ts'
export { daemonName, upgradeName } from './daemons.ts'
export { type DrainRequest, drainRequestOf } from './drain.ts'
export { type DrainerOptions, nodeDrainer } from './drainer.ts'
export { isDegraded, isUnavailable, isUpdating, needsUpgrade, type NodeState, nodeStateOf } from './node-state.ts'
export { decideUpgrade, type ObservedMachineSet, type UpgraderPlan } from './upgrader.ts'
