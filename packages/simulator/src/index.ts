/**
 * The parts of a cluster that a laptop does not have, as controllers of the toolkit. They run against the embedded server, or against any other
 * API server that runs no such controllers itself.
 *
 * - `workloads/`: what kubelets, the scheduler and the controllers of workloads do: Pods appear, become ready, and go. Load balancers and routers too.
 * - `cluster/`: a cluster that is updated: version operator, operators, machine configs, nodes.
 * - `guests/`: what hosted control planes wait for: guests that live, and what their operators make.
 * - `machines/`: Cluster API and a provider: machines are made, start, become Nodes of guests, and are replaced.
 * - `machine-api/`: the machines of a classic cluster: sets make them, they become its nodes.
 * - `monitoring/`: Prometheus and Alertmanager of a cluster: alerts that fire because somebody says so, and silences.
 * - `ocm/`: the service that wants upgrades and is told how they go, and its agent in a cluster, as small servers.
 * - `profile/`: how long things take: chance, but the same chance every time.
 * - `failures/`: what goes wrong on purpose, and how to ask for it.
 * - `identity/`: names and addresses that follow from what an object is called.
 */
export * from './cluster/index.ts'
export * from './failures/index.ts'
export * from './guests/index.ts'
export * from './machine-api/index.ts'
export * from './machines/index.ts'
export * from './monitoring/index.ts'
export * from './ocm/index.ts'
export * from './profile/index.ts'
export * from './workloads/index.ts'
