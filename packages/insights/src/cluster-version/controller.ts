import { type ClusterOperator, ClusterVersionProgressInsight, MachineConfigPoolProgressInsight } from '@windlass/api'
import { type CacheReader, changed, type ControllerDefinition, type Ref, refOf, type Watching, watching } from '@windlass/kube'
import { clusterOperators, clusterVersion, clusterVersions } from '../caches.ts'
import { isInPayload, isUpdated } from '../cluster-operator/payload.ts'
import { hasOutdatedNodes, healthOf, watchingHealth } from '../health/index.ts'
import type { InsightMode } from '../mode.ts'
import { operatorVersion } from './completion.ts'
import { decide, type Observed } from './decide.ts'

/** Keeps a ClusterVersionProgressInsight, and health insights, for each ClusterVersion. */
export function clusterVersionInsights(mode: InsightMode, speed = 1): ControllerDefinition<ClusterVersionProgressInsight, Observed> {
  return {
    name: 'cluster-version-insight',
    for: ClusterVersionProgressInsight,
    watches: [
      watching(clusterVersions, (object) => [refOf(object)]),
      watchingOperators(mode),
      watchingHealth('clusterversion'),
      ...(mode === 'extended' ? [watching(MachineConfigPoolProgressInsight, () => [clusterVersion], changed(hasOutdatedNodes))] : []),
    ],
    observe: ({ name }, cache) => ({
      name,
      clusterVersion: cache.get(clusterVersions, { name }),
      insight: cache.get(ClusterVersionProgressInsight, { name }),
      operators: cache.list(clusterOperators),
      pools: mode === 'extended' ? cache.list(MachineConfigPoolProgressInsight) : [],
      health: healthOf('clusterversion', name, cache),
    }),
    decide: (observed, now) => decide(observed, now, mode, speed),
  }
}

/** Operators report all the time. Only how many there are, and which version each has reached, is a reason to look at once. */
export function watchingOperators(mode: InsightMode): Watching<ClusterOperator> {
  const concerned = (operator: ClusterOperator, cache: CacheReader): readonly Ref[] =>
    mode === 'compat' || isUpdated(operator, cache.list(clusterOperators), mode) ? [clusterVersion] : []
  const counted = (operator: ClusterOperator): readonly unknown[] =>
    mode === 'compat' ? [operatorVersion(operator)] : [operatorVersion(operator), isInPayload(operator)]
  return watching(clusterOperators, concerned, changed(counted))
}
