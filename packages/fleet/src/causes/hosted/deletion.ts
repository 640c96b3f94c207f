import { capi, HostedCluster, HostedControlPlane, Namespace } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { ageOf, patience } from '../ages.ts'
import { byWeight, type Cause, causeOf, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { HostedEvidence } from '../evidence.ts'
import { podTrouble } from '../workloads/index.ts'

type Step = (evidence: HostedEvidence, now: Instant) => readonly Cause[]

/** A cluster is taken down in this order. The first step that has something left is what all others wait for. */
const steps: readonly Step[] = [machines, controlPlane, namespace, gracePeriod, finalizers]

/** What the deletion of a hosted cluster waits for, besides its node pools. */
export function deletionCauses(evidence: HostedEvidence, now: Instant): readonly Cause[] {
  for (const step of steps) {
    const found = step(evidence, now)
    if (found.length > 0) return found
  }
  return []
}

function weightAt(since: string | undefined, now: Instant): Trouble['weight'] {
  return ageOf(since, now) > patience.machine ? 'Waiting' : 'Working'
}

/** Node pools speak for their machines, where there are any. */
function machines({ machines: { clusters, machines: all }, pools }: HostedEvidence, now: Instant): readonly Cause[] {
  const [cluster] = clusters
  if (cluster === undefined || pools.length > 0) return []
  const since = cluster.metadata.deletionTimestamp
  const says = all.length === 0 ? 'Cluster API has not let it go yet' : `${all.length} machines of it are still there`
  const link = linkTo(placeOf(capi.Cluster, cluster, 'management'), says, { reason: 'Deleting', since })
  return [
    causeOf({
      weight: weightAt(since, now),
      links: [link],
      remedy: 'See what the controllers of Cluster API and of the provider say about it.',
      command: `get machines.cluster.x-k8s.io,machinesets.cluster.x-k8s.io -n ${cluster.metadata.namespace ?? ''}`,
    }),
  ]
}

function controlPlane({ controlPlane: { itself }, pools, machines: { clusters } }: HostedEvidence, now: Instant): readonly Cause[] {
  if (itself === undefined || pools.length > 0 || clusters.length > 0) return []
  const place = placeOf(HostedControlPlane, itself, 'management')
  const { deletionTimestamp: since, finalizers: held = [] } = itself.metadata
  const destroyed = findCondition(itself.status?.conditions, 'CloudResourcesDestroyed')
  const stopped = findCondition(itself.status?.conditions, 'CVOScaledDown')
  if (stopped?.status === 'True' && destroyed?.status !== 'True')
    return [
      causeOf({
        weight: weightAt(destroyed?.lastTransitionTime ?? stopped.lastTransitionTime, now),
        links: [
          linkTo(
            place,
            `the guest has not given back what it has in the cloud: ${destroyed?.message ?? 'it has not said anything about it'}`,
            {
              reason: destroyed?.reason ?? 'CloudResources',
              since: stopped.lastTransitionTime,
            },
          ),
        ],
        remedy: 'It is given up after ten minutes without news; what is left in the cloud has to be deleted by hand then.',
      }),
    ]
  const says = held.length === 0 ? 'it is being deleted' : `it is being deleted, and finalizers hold it: ${held.join(', ')}`
  return [causeOf({ weight: weightAt(since, now), links: [linkTo(place, says, { reason: 'Deleting', since })] })]
}

function namespace(evidence: HostedEvidence, now: Instant): readonly Cause[] {
  const { namespace: live, pods, claims, events, itself } = evidence.controlPlane
  if (live === undefined || itself !== undefined || live.metadata.deletionTimestamp === undefined) return []
  const since = live.metadata.deletionTimestamp
  const remaining = (live.status?.conditions ?? []).filter(({ status, type }) => status === 'True' && /Remaining|Failure/.test(type))
  const words = remaining.map(({ message = '' }) => message).filter((message) => message !== '')
  const link = linkTo(
    placeOf(Namespace, live, 'management'),
    words.length === 0 ? 'it is being deleted' : `it is being deleted: ${words.join('; ')}`,
    {
      reason: remaining[0]?.reason ?? 'Terminating',
      since,
    },
  )
  const [worst] = pods.flatMap((pod) => podTrouble(pod, { side: 'management', claims, events, now }) ?? []).toSorted(byWeight)
  if (worst?.weight === 'Broken') return [causeOf({ ...worst, links: [link, ...worst.links] }, pods.length)]
  return [
    causeOf({
      weight: weightAt(since, now),
      links: [link],
      ...(words.length === 0 ? {} : { remedy: 'Delete what is left, or have its finalizers removed by whoever set them.' }),
    }),
  ]
}

function gracePeriod({ hostedCluster }: HostedEvidence): readonly Cause[] {
  const destroyed = findCondition(hostedCluster.status?.conditions, 'HostedClusterDestroyed')
  if (destroyed?.status !== 'True' || destroyed.reason !== 'WaitingForGracePeriod') return []
  const { reason, message, lastTransitionTime: since } = destroyed
  const place = placeOf(HostedCluster, hostedCluster, 'management')
  return [
    causeOf({ weight: 'Held', links: [linkTo(place, `everything of it is gone; it stays for a while: ${message}`, { reason, since })] }),
  ]
}

function finalizers({ hostedCluster, pools }: HostedEvidence, now: Instant): readonly Cause[] {
  const { deletionTimestamp: since, finalizers: held = [] } = hostedCluster.metadata
  if (held.length === 0 || pools.length > 0) return []
  const says = `it is being deleted, and finalizers hold it: ${held.join(', ')}`
  const failed = findCondition(hostedCluster.status?.conditions, 'ReconciliationSucceeded')
  const why = failed?.status === 'False' ? `; its operator cannot go on: ${failed.message}` : ''
  return [
    causeOf({
      weight: why === '' ? weightAt(since, now) : 'Broken',
      links: [linkTo(placeOf(HostedCluster, hostedCluster, 'management'), `${says}${why}`, { reason: 'Deleting', since })],
    }),
  ]
}
