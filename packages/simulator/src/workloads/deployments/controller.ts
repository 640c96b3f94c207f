import { Deployment, ReplicaSet } from '@windlass/api'
import { changed, type ControllerDefinition, watching } from '@windlass/kube'
import { controlledBy, controllersOf, isGoing, namespaces, pods, replicaSets } from '../caches.ts'
import { hasEnded } from '../pods/index.ts'
import { byNamespace, manyAtOnce } from '../tenancy.ts'
import { decide, type Observed } from './decide.ts'

export const deploymentController: ControllerDefinition<Deployment, Observed> = {
  name: 'simulated-deployments',
  for: Deployment,
  watches: [
    // Whatever else changes about a ReplicaSet, its own controller will say something about it in its status. What is noted on it changes no status.
    watching(
      replicaSets,
      controllersOf(Deployment),
      changed(({ metadata, status }: ReplicaSet) => [metadata.annotations, status]),
    ),
    // A ReplicaSet does not count Pods that are on their way out, and does not tell when they are gone.
    watching(
      pods,
      (pod, cache) =>
        controllersOf(ReplicaSet)(pod).flatMap((ref) => {
          const replicaSet = cache.get(replicaSets, ref)
          return replicaSet === undefined ? [] : controllersOf(Deployment)(replicaSet)
        }),
      ({ type }) => type === 'deleted',
    ),
  ],
  reads: [namespaces],
  maxConcurrent: manyAtOnce,
  tenant: byNamespace,
  observe(ref, cache) {
    const deployment = cache.get(Deployment, ref)
    if (deployment === undefined || isGoing(cache, ref)) return undefined
    const owned = controlledBy(cache, replicaSets, deployment)
    const isExclusive = deployment.spec.strategy?.type === 'Recreate'
    const occupied = isExclusive ? owned.filter((each) => controlledBy(cache, pods, each).some((pod) => !hasEnded(pod))) : []
    return { deployment, replicaSets: owned, occupied: new Set(occupied.map(({ metadata }) => metadata.name ?? '')) }
  },
  decide,
}
