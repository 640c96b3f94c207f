import { type ClusterOperator, ClusterOperatorProgressInsight } from '@windlass/api'
import { type CacheReader, type ControllerDefinition, type Ref, refOf, type Watching, watching } from '@windlass/kube'
import { clusterOperators, clusterVersion, clusterVersions } from '../caches.ts'
import { gateWatches, healthOf, isInProgress, watchingHealth } from '../health/index.ts'
import type { InsightMode } from '../mode.ts'
import { decide, type Observed } from './decide.ts'
import { isInPayload, isUpdated } from './payload.ts'
import { updateChanged } from './update-changed.ts'

/** Keeps a ClusterOperatorProgressInsight, and health insights, for each ClusterOperator of the release. */
export function clusterOperatorInsights(mode: InsightMode, speed = 1): ControllerDefinition<ClusterOperatorProgressInsight, Observed> {
  const isExtended = mode === 'extended'
  return {
    name: 'cluster-operator-insight',
    for: ClusterOperatorProgressInsight,
    watches: [
      watching(clusterOperators, (operator) => [refOf(operator)]),
      watching(
        clusterVersions,
        ({ metadata }, cache) => (metadata.name === clusterVersion.name ? everyOperator(cache) : []),
        updateChanged,
      ),
      watchingHealth('clusteroperator'),
      ...(isExtended ? [watchingFirstOfPayload, ...gateWatches(everyOperator)] : []),
    ],
    observe: ({ name }, cache) => {
      const operator = cache.get(clusterOperators, { name })
      return {
        name,
        operator: operator !== undefined && isUpdated(operator, cache.list(clusterOperators), mode) ? operator : undefined,
        insight: cache.get(ClusterOperatorProgressInsight, { name }),
        clusterVersion: cache.get(clusterVersions, clusterVersion),
        health: healthOf('clusteroperator', name, cache),
        isInProgress: isExtended && isInProgress(cache),
        isNoted: isExtended,
      }
    },
    decide: (observed, now) => decide(observed, now, speed),
  }
}

const everyOperator = (cache: CacheReader): readonly Ref[] => cache.list(clusterOperators).map(refOf)

/** The first operator that is marked as part of the release makes those that are not lose their insights; the last takes that back. */
const watchingFirstOfPayload: Watching<ClusterOperator> = watching(
  clusterOperators,
  (operator, cache) =>
    isInPayload(operator)
      ? cache
          .list(clusterOperators)
          .filter((other) => !isInPayload(other))
          .map(refOf)
      : [],
  (change) => change.type !== 'updated' || isInPayload(change.old) !== isInPayload(change.object),
)
