import { type Node, Pod } from '@windlass/api'
import { type Instant, isTrue, parseTime, setCondition } from '@windlass/core'
import {
  type AsyncControllerDefinition,
  type CacheReader,
  changed,
  type Client,
  controllerOf,
  done,
  isConflict,
  isNotFound,
  patchStatus,
  type Plan,
  plan,
  refOf,
  status,
  wait,
  watching,
} from '@windlass/kube'
import { nodes, pods } from '../caches.ts'
import type { Settings } from '../settings.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { type Observed, place } from './decide.ts'

/**
 * Binds Pods to nodes. A binding is no change of an object that a plan could name, hence the requests here; what can be said in a plan is.
 */
export function schedulerController(settings: Settings): AsyncControllerDefinition<Pod> {
  return {
    name: 'simulated-scheduler',
    for: pods,
    predicate: ({ object }) => waitsForNode(object),
    watches: [
      watching(
        nodes,
        (_node, cache) => cache.byIndex(pods, 'unplaced', 'yes').map(refOf),
        changed(({ metadata, spec, status }: Node) => [metadata.labels, spec, isTrue(status?.conditions, 'Ready')]),
      ),
    ],
    maxConcurrent: manyAtOnce,
    tenant: byNamespace,
    reconcile: async (ref, { cache, client, clock, signal }) => {
      const pod = cache.get(pods, ref)
      if (pod === undefined || !waitsForNode(pod)) return done
      const decision = place(observe(pod, cache), settings.node)
      if ('unschedulable' in decision) return unplaced(pod, decision.unschedulable, clock.now())
      await bind(client, pod, decision.node, clock.now(), signal)
      return done
    },
  }
}

function waitsForNode({ metadata, spec }: Pod): boolean {
  return (spec.nodeName ?? '') === '' && metadata.deletionTimestamp === undefined
}

function observe(pod: Pod, cache: CacheReader): Observed {
  const owner = controllerOf(pod)
  const siblingsOn = new Map<string, number>()
  for (const { spec } of owner === undefined ? [] : cache.byIndex(pods, 'controller', owner.uid)) {
    if (spec.nodeName !== undefined) siblingsOn.set(spec.nodeName, (siblingsOn.get(spec.nodeName) ?? 0) + 1)
  }
  return { pod, nodes: cache.list(nodes), siblingsOn }
}

/** One that has waited is told apart from one that is new: its kubelet needs to know since when it is there. */
const worthTelling = 1_000

/** A Pod that is gone, or that somebody else has bound or changed, is left alone: the cache will tell. */
async function bind(client: Client, pod: Pod, node: string, now: Instant, signal: AbortSignal): Promise<void> {
  const { name = '', uid = '', creationTimestamp } = pod.metadata
  const binding = { apiVersion: 'v1', kind: 'Binding', metadata: { name, uid }, target: { apiVersion: 'v1', kind: 'Node', name: node } }
  try {
    if (now - (parseTime(creationTimestamp) ?? now) >= worthTelling) {
      const conditions = setCondition(pod.status?.conditions, { type: 'PodScheduled', status: 'True', lastProbeTime: null }, now)
      // Before it is bound: from then on its kubelet writes the same list.
      await patchStatus(client, Pod, pod, { conditions }, { ifUnchanged: true, signal })
    }
    await client.createSubresource(Pod, refOf(pod), 'binding', binding, { signal })
  } catch (error) {
    if (!isConflict(error) && !isNotFound(error)) throw error
  }
}

function unplaced(pod: Pod, message: string, now: Instant): Plan {
  const refused = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastProbeTime: null } as const
  const conditions = setCondition(pod.status?.conditions, refused, now)
  return plan(status(Pod, pod, { conditions }, 'no node takes it', { ifUnchanged: true }), wait(message))
}
