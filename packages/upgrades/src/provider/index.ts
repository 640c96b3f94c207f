/**
 * Where UpgradeConfigs come from: OCM, or the cluster itself.
 *
 * - `refresh.ts`: bringing the UpgradeConfig in line with what is wanted. `ocm-policies.ts`, `local.ts`: what is wanted.
 * - `wanted-specs.ts`, `refresher.ts`: asking, and doing so. `controller.ts`: the loop that does it again and again.
 * - `sync-loop.ts`: how often to ask. `ocm-routes.ts`, `credentials.ts`, `retry.ts`: how to ask OCM, or its agent. `ocm-answers.ts`: what they say.
 */
export { accessToken, authorization } from './credentials.ts'
export { localSpecs } from './local.ts'
export { type ClusterAnswer, type PolicyPage, readCluster, readPolicyPage } from './ocm-answers.ts'
export { channelFor, decidePolicy, graceMinutes, type OcmCluster, type PolicyDecision, type PolicyView } from './ocm-policies.ts'
export { agentRoutes, isAgent, isServiceLogAccepted, type OcmRoutes, ocmRoutes, routesFor } from './ocm-routes.ts'
export { decideRefresh, isSameSpec, type RefreshDecision, type RefreshView, replacement, type UpgradeSpec } from './refresh.ts'
export { agentRetries, type OcmAttempt, ocmRetries, retryAfter, type RetryPolicy } from './retry.ts'
export { upgradeConfigManager } from './controller.ts'
export { refresh, type Refreshing } from './refresher.ts'
export { type Wanted, wantedSpecs } from './wanted-specs.ts'
export { afterCycle, type CycleOutcome, freshSync, jitter, type SyncState } from './sync-loop.ts'
