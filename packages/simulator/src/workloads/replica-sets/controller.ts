import { ReplicaSet } from '@windlass/api'
import { type CacheReader, type ControllerDefinition, controllerOf } from '@windlass/kube'
import { controlledBy, isGoing, namespaces, nodes, pods, replicaSets, watchingPodsOf } from '../caches.ts'
import { birthplace } from '../placement.ts'
import { isActive, namesFor } from '../pods/index.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decide, type Observed, surplus } from './decide.ts'

export function replicaSetController(settings: Settings): ControllerDefinition<ReplicaSet, Observed> {
  return {
    name: 'simulated-replica-sets',
    for: replicaSets,
    watches: [watchingPodsOf(ReplicaSet)],
    reads: [namespaces, nodes],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    observe(ref, cache) {
      const replicaSet = cache.get(replicaSets, ref)
      if (replicaSet === undefined || isGoing(cache, ref)) return undefined
      const owned = controlledBy(cache, pods, replicaSet)
      const excess = surplus(replicaSet, owned)
      const isTaken = (name: string): boolean => cache.get(pods, { ...ref, name }) !== undefined
      return {
        replicaSet,
        pods: owned,
        names: namesFor(ref.name, Math.max(0, -excess), isTaken),
        node: birthplace(cache, settings),
        relatedOn: excess > 0 ? relatedOn(replicaSet, cache) : new Map(),
      }
    },
    decide,
  }
}

/** Counts the Pods of all ReplicaSets that belong together. */
function relatedOn(replicaSet: ReplicaSet, cache: CacheReader): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  const owner = controllerOf(replicaSet)
  const related = owner === undefined ? [replicaSet] : cache.byIndex(replicaSets, 'controller', owner.uid)
  for (const pod of related.flatMap((each) => controlledBy(cache, pods, each)).filter(isActive)) {
    const node = pod.spec.nodeName ?? ''
    counts.set(node, (counts.get(node) ?? 0) + 1)
  }
  return counts
}
