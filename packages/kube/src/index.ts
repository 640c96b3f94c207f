/**
 * Kubernetes controllers: everything hard about them (caches, queues, retries, conflicts, leadership, shutdown, time), once.
 *
 * A controller says what it watches, decides purely, and returns a plan; the rest is here. The way of a change:
 *
 *   transport/    HTTPS to a cluster, or a function call in the same process; nothing above it can tell
 *   client/       typed reads and writes, typed errors, retries. kubeconfig/: where clusters are, and who we are there
 *   cache/        objects in memory, kept up to date by one watch per kind; indexes; our own writes are seen at once
 *   queue/        which object is next
 *   controller/   observe, decide, act. plan/: what it decided, as a value, and the part that carries it out
 *   objects/      owners, finalizers, patches
 *   events/       what people should know. metrics/: what Prometheus should know
 *   election/     which of several processes acts
 *   manager/      a process: starts and stops all of it in order; health, readiness, metrics, what it did and why. operator/: the usual one
 *   clusters/     many clusters at once, each with caches and controllers of its own
 *
 * `@windlass/kube/simulation` runs the same controllers in virtual time, with faults, from a seed.
 */
export * from './cache/index.ts'
export * from './client/index.ts'
export * from './clusters/index.ts'
export * from './controller/index.ts'
export * from './election/index.ts'
export * from './events/index.ts'
export * from './objects/index.ts'
export * from './kubeconfig/index.ts'
export { type Log, silentLog } from './log.ts'
export * from './manager/index.ts'
export * from './metrics/index.ts'
export * from './operator/index.ts'
export * from './plan/index.ts'
export * from './transport/index.ts'
