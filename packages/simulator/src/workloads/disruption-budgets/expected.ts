import { Deployment, type KubernetesObject, type OwnerReference, type Pod, ReplicaSet, type Resource, StatefulSet } from '@windlass/api'
import { type CacheReader, controllerOf } from '@windlass/kube'
import { replicaSets } from '../caches.ts'

/**
 * How many replicas are wanted by those who look after these Pods. Pods that nobody looks after are wanted by nobody. A text when an owner has no
 * number of replicas: then nobody can say how many may go.
 */
export function expectedReplicas(pods: readonly Pod[], cache: CacheReader): number | string {
  const scales = new Map<string, number>()
  for (const pod of pods) {
    const owner = controllerOf(pod)
    if (owner === undefined) continue
    const scale = scaleOf(owner, pod.metadata.namespace ?? '', cache)
    if (typeof scale === 'string') return scale
    if (scale !== undefined) scales.set(scale.uid, scale.replicas)
  }
  return [...scales.values()].reduce((sum, replicas) => sum + replicas, 0)
}

interface ScaleOf {
  readonly uid: string
  readonly replicas: number
}

/** An owner that is gone wants nothing any more. */
function scaleOf(owner: OwnerReference, namespace: string, cache: CacheReader): ScaleOf | string | undefined {
  const ref = { namespace, name: owner.name }
  if (isOf(owner, StatefulSet)) return scale(cache.get(StatefulSet, ref), owner)
  if (!isOf(owner, ReplicaSet))
    return `${owner.kind} ${owner.name} has no number of replicas: a budget for its Pods needs a whole number as minAvailable`
  const replicaSet = cache.get(replicaSets, ref)
  const above = replicaSet === undefined ? undefined : controllerOf(replicaSet)
  if (above === undefined || !isOf(above, Deployment)) return scale(replicaSet, owner)
  return scale(cache.get(Deployment, { namespace, name: above.name }), above)
}

function isOf({ apiVersion, kind }: OwnerReference, of: Resource): boolean {
  return kind === of.kind && apiVersion.startsWith(`${of.group}/`)
}

function scale(
  object: (KubernetesObject & { readonly spec: { readonly replicas?: number } }) | undefined,
  { uid }: OwnerReference,
): ScaleOf | undefined {
  return object === undefined || object.metadata.uid !== uid ? undefined : { uid, replicas: object.spec.replicas ?? 1 }
}
