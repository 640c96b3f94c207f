import { StatefulSet } from '@windlass/api'
import { type ControllerDefinition, isOwnedBy } from '@windlass/kube'
import { controlledBy, isGoing, namespaces, nodes, pods, watchingPodsOf } from '../caches.ts'
import { birthplace } from '../placement.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decide, type Observed } from './decide.ts'
import { replicasOf } from './replicas.ts'

export function statefulSetController(settings: Settings): ControllerDefinition<StatefulSet, Observed> {
  return {
    name: 'simulated-stateful-sets',
    for: StatefulSet,
    watches: [watchingPodsOf(StatefulSet)],
    reads: [namespaces, nodes],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    observe(ref, cache) {
      const set = cache.get(StatefulSet, ref)
      if (set === undefined || isGoing(cache, ref)) return undefined
      const owned = controlledBy(cache, pods, set)
      const missing = replicasOf(set, owned).wanted.filter(({ pod }) => pod === undefined)
      const isTaken = (name: string): boolean => {
        const pod = cache.get(pods, { ...ref, name })
        return pod !== undefined && !isOwnedBy(pod, set)
      }
      return {
        set,
        pods: owned,
        taken: new Set(missing.map(({ name }) => name).filter(isTaken)),
        node: birthplace(cache, settings),
      }
    },
    decide,
  }
}
