/**
 * Insights into updates of a classic cluster: for people and programs that want to know how an update goes without reading forty objects.
 *
 * - `cluster-version/`, `cluster-operator/`, `machine-config-pool/`, `node/`: how the update of each goes, one progress insight per object.
 * - `health/`: what is wrong, in health insights; each belongs to the progress insight of the object that it is about.
 * - `records/`: how finished updates went, and what is learned from that about the one that runs.
 * - `lifecycle/`: how insights come, change and go. `conditions.ts`, `significance.ts`, `text.ts`: how they are written, and when not.
 * - `on-the-spot.ts`: the same insights for somebody who looks at a cluster where no controller keeps them; `gaps.ts`: where only some are kept.
 * - `controllers.ts`: all of it, for one cluster. `mode.ts`: how much is said. `caches.ts`: what is kept in memory for it.
 *
 * Everything is read from objects of the cluster and written to insights; nothing else is ever changed.
 */
export { assessClusterOperator } from './cluster-operator/index.ts'
export { assessClusterVersion, type ClusterVersionAssessment, disagreementWith } from './cluster-version/index.ts'
export { insightControllers, type InsightOptions } from './controllers.ts'
export { filled, type Gap, gapsIn } from './gaps.ts'
export { healthInsightName, isUpdateInProgress, type Observation } from './health/index.ts'
export { assessPool } from './machine-config-pool/index.ts'
export { type ClusterInsights, type ClusterObjects, insightsOnTheSpot } from './on-the-spot.ts'
export { type InsightMode, insightModes } from './mode.ts'
export { type Learned, learnFrom, type Lessons, recordAnnotation, recordsOf, type UpdateRecord } from './records/index.ts'
export {
  assessNode,
  configsOf,
  evaluateNode,
  type NodeState,
  nodeStateMetrics,
  type NodeStateMetrics,
  type Phase,
  poolOf,
} from './node/index.ts'
