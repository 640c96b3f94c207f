/**
 * What goes wrong on purpose in a cluster.
 *
 *   kubectl annotate clusteroperator etcd 'simulator.windlass.dev/fail=degraded for=41m reason=EtcdMembers_UnhealthyMembers'
 *   kubectl annotate node worker-0 simulator.windlass.dev/fail=drain-blocked
 *   kubectl annotate node worker-0 simulator.windlass.dev/fail-
 *
 * - `injection.ts`: the table of all of them. `parse.ts`: how they are written. The annotation is the one that workloads have; what it can say depends on
 *   the kind of the object. One that lasts for a time is removed when the time is over.
 */
export { injected, type InjectedKind, type Injection, type InjectionMode, injectionModes, slowness } from './injection.ts'
export { complaints, injectionsOf, withoutInjection } from './parse.ts'
