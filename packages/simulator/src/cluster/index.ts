/**
 * A cluster that is updated: the cluster version operator, the operators that it waits for, the machine config operator and the nodes, as controllers. They read and write what
 * real ones do (ClusterVersion, ClusterOperators, MachineConfigPools, MachineConfigs, Nodes, evictions), and keep the rest of what they know in annotations
 * `simulator.windlass.dev/…`, so that they may be stopped anywhere.
 *
 *   await place(client, standaloneCluster({ release, installed: clock.now() }))
 *   createOperator({ client, controllers: clusterControllers({ seed: 1, speed: 60, updates }), … })
 *   kubectl patch clusterversion version --type merge -p '{"spec":{"desiredUpdate":{"version":"4.20.5"}}}'
 *
 * - `controllers.ts`: all of them, for a cluster with its own control plane and for the guest of a hosted one. `settings.ts`: how long everything takes.
 *   `gathering.ts`: how one look answers for many nodes.
 * - `version-operator/`, `operators/`, `machine-config/`, `nodes/`: the parts, in the order in which an update reaches them.
 * - `payload/`: what is in a release. `updates/`: which releases there are. `asked-release.ts`: which one a hosted control plane asks for.
 * - `injections/`: what can be made to go wrong. `fixtures/`: whole clusters to begin with.
 */
export { ReleaseFeed } from './asked-release.ts'
export { clusterControllers, type GuestControllerOptions, guestControllers } from './controllers.ts'
export { guestCluster, type GuestOptions, place, type Placed, standaloneCluster, type StandaloneOptions } from './fixtures/index.ts'
export { type InjectedKind, type InjectionMode, injectionModes } from './injections/index.ts'
export { largerPayload } from './payload/index.ts'
export { type ClusterOptions, type ClusterStep, usualClusterDurations } from './settings.ts'
export type { ChannelGraph, UpdateService } from './updates/index.ts'
export type { AskedRelease } from './version-operator/index.ts'
