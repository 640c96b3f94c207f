/**
 * For tests of plans and controllers.
 *
 * - `cluster.ts`: a server in virtual time, and every request that was sent to it.
 * - `an-executor.ts`: an executor on it.
 * - `fake-cache.ts`: a cache that shows what the test wants, when the test wants it.
 * - `kinds.ts`: the kinds that the test server has.
 */
export { anExecutor, type ExecutorSetup, type ExecutorStage } from './an-executor.ts'
export { type Cluster, clusterOn } from './cluster.ts'
export { FakeCache } from './fake-cache.ts'
export { aStoredWidget, Gadget, Widget, widgetDraft } from './kinds.ts'
