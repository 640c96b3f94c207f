import { HostedControlPlane } from '@windlass/api'
import { findCondition, type Instant, isTrue, setCondition, transitionTime } from '@windlass/core'
import { changed, type ControllerDefinition, done, type Plan, plan, requeueAfter, status } from '@windlass/kube'

/** Asks that what the guest has in the cloud goes with it. */
const cleanupAnnotation = 'hypershift.openshift.io/cleanup-cloud-resources'

/** How long guests take to give back volumes, load balancers and the like. */
const cleanupMilliseconds = 30_000

/** Guests that go give back what they have in the cloud, as soon as nothing brings it back any more: without that, control planes would wait until they give up. */
export function cloudResources({ speed = 1 }: { readonly speed?: number }): ControllerDefinition<HostedControlPlane, HostedControlPlane> {
  return {
    name: 'simulated-cloud-resources',
    for: HostedControlPlane,
    predicate: changed(({ metadata, status: said }: HostedControlPlane) => [metadata.deletionTimestamp, said?.conditions]),
    observe: (ref, cache) => cache.get(HostedControlPlane, ref),
    decide: (controlPlane, now) => decide(controlPlane, cleanupMilliseconds / speed, now),
  }
}

function decide(controlPlane: HostedControlPlane, patience: number, now: Instant): Plan {
  const { deletionTimestamp, annotations, generation: observedGeneration } = controlPlane.metadata
  const conditions = controlPlane.status?.conditions
  const isAsked = deletionTimestamp !== undefined && annotations?.[cleanupAnnotation] === 'true'
  if (!isAsked || !isTrue(conditions, 'CVOScaledDown') || findCondition(conditions, 'CloudResourcesDestroyed')?.status === 'True')
    return done
  const left = patience - (now - (transitionTime(conditions, 'CVOScaledDown') ?? now))
  if (left > 0) return requeueAfter(left, 'the guest to give back what it has in the cloud')
  const destroyed = {
    type: 'CloudResourcesDestroyed',
    status: 'True',
    reason: 'CloudResourcesDestroyed',
    message: 'All guest resources destroyed',
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  } as const
  const next = { conditions: setCondition(conditions ?? [], destroyed, now) }
  return plan(status(HostedControlPlane, controlPlane, next, 'the guest has given back what it had in the cloud', { ifUnchanged: true }))
}
