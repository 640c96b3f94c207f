/**
 * How the update of a control plane goes.
 *
 * - `decide.ts`: what one look comes to. `assess.ts`: what is said, from `updating.ts`, `completion.ts` and `versions.ts`; `significance.ts`: whether
 *   that is worth a write.
 * - `healthy.ts`: how well it goes, in a condition. `health.ts`: what is wrong with it, in insights.
 * - `controller.ts`: when it looks, and at what. `last-progress.ts`: for those who look only once.
 * - `disagreement.ts`: how to tell that nobody keeps an insight any more.
 */
export { assessClusterVersion, type Assessment as ClusterVersionAssessment } from './assess.ts'
export { clusterVersionInsights } from './controller.ts'
export { disagreementWith } from './disagreement.ts'
export { lastProgressOf } from './last-progress.ts'
