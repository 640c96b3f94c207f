/** `openshift.muller.dev`: what we found out about an update, one kind per thing that is updated and one for problems. */
export { ClusterOperatorProgressInsight } from './cluster-operator-progress-insight.ts'
export { ClusterVersionProgressInsight } from './cluster-version-progress-insight.ts'
export { MachineConfigPoolProgressInsight, nodeSummaries } from './machine-config-pool-progress-insight.ts'
export { NodeProgressInsight } from './node-progress-insight.ts'
export { semanticVersion } from './shared.ts'
export { impactLevels, impactTypes, UpdateHealthInsight } from './update-health-insight.ts'
