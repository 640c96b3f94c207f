/**
 * Machines of a classic cluster: what OpenShift's machine API and a provider do, as controllers. They run beside those of `cluster/`, whose pools take the new
 * nodes in.
 *
 *   await place(client, [...standaloneCluster({ release, installed }), ...workerMachines({ installed })])
 *   createOperator({ client, controllers: [...clusterControllers(pace), ...machineApiControllers(pace)], … })
 *   kubectl -n openshift-machine-api scale machineset classic-x7k2p-worker-zone-a --replicas 2
 *
 * - `machine-sets/`, `machine/`: a folder for each kind, with rules and a controller. `controllers.ts`: both of them.
 * - `fixture.ts`: the machines of a cluster to begin with. `settings.ts`: how long everything takes. What can be made to go wrong is in `cluster/injections`.
 * - `caches.ts`: what they keep in memory. `wire.ts`: the words of the machine API.
 */
export { machineApiControllers } from './controllers.ts'
export { workerMachines, type WorkerMachinesOptions } from './fixture.ts'
export { type MachineApiOptions, type MachineApiStep, usualMachineApiDurations } from './settings.ts'
