import { DaemonSet, type Node } from '@windlass/api'
import { changed, type ControllerDefinition, refOf, watching } from '@windlass/kube'
import { controlledBy, isGoing, namespaces, nodes, pods, watchingPodsOf } from '../caches.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decide, type Observed } from './decide.ts'

export const daemonSetController: ControllerDefinition<DaemonSet, Observed> = {
  name: 'simulated-daemon-sets',
  for: DaemonSet,
  watches: [
    watchingPodsOf(DaemonSet),
    watching(
      nodes,
      (_node, cache) => cache.list(DaemonSet).map(refOf),
      changed(({ metadata, spec }: Node) => [metadata.labels, spec.taints]),
    ),
  ],
  reads: [namespaces],
  maxConcurrent: manyAtOnce,
  tenant: byNamespace,
  observe(ref, cache) {
    const set = cache.get(DaemonSet, ref)
    if (set === undefined || isGoing(cache, ref)) return undefined
    return { set, pods: controlledBy(cache, pods, set), nodes: cache.list(nodes).toSorted(byName) }
  },
  decide,
}

function byName(a: Node, b: Node): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
