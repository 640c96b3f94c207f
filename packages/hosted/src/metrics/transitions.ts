import type { HostedCluster, HostedControlPlane } from '@windlass/api'
import { type Condition, findCondition, type Instant, parseTime, transitionsBetween } from '@windlass/core'
import { controlPlaneVersionOf } from './figures.ts'

/** A cluster and its control plane at one moment. */
export interface Seen {
  readonly cluster: HostedCluster
  readonly controlPlane: HostedControlPlane | undefined
}

/** The conditions whose coming people wait for. */
export const awaited: readonly string[] = [
  'EtcdAvailable',
  'InfrastructureReady',
  'ExternalDNSReachable',
  'AWSEndpointAvailable',
  'AWSEndpointServiceAvailable',
  'GCPEndpointAvailable',
  'GCPServiceAttachmentAvailable',
]

interface WithConditions {
  readonly metadata: { readonly creationTimestamp?: string }
  readonly status?: { readonly conditions?: readonly Condition[] }
}

/**
 * Of the conditions that people wait for, those that have become True from one look at an object to the next, with how old it was then. A transition is told from
 * another one by its time. Of an object that was not there before, all that have come since the given moment.
 */
export function conditionsReached(
  waitedFor: readonly string[],
  before: WithConditions | undefined,
  { metadata, status }: WithConditions,
  since: Instant,
): readonly { readonly condition: string; readonly seconds: number }[] {
  const created = parseTime(metadata.creationTimestamp)
  if (created === undefined || before?.status?.conditions === status?.conditions) return []
  return waitedFor.flatMap((type) => {
    const is = findCondition(status?.conditions, type)
    const was = findCondition(before?.status?.conditions, type)
    const at = parseTime(is?.lastTransitionTime)
    if (is?.status !== 'True' || at === undefined) return []
    const isNew = was?.status === 'True' ? was.lastTransitionTime !== is.lastTransitionTime : before !== undefined || at >= since
    return isNew ? [{ condition: type, seconds: Math.max(0, (at - created) / 1000) }] : []
  })
}

/** How many seconds updates took that have been completed from one look to the next. One that was complete when it was first seen took nobody knows how long. */
export function rolloutsCompleted(before: Seen | undefined, after: Seen): readonly number[] {
  if (before === undefined) return []
  const [was, is] = [before, after].map(({ cluster, controlPlane }) => controlPlaneVersionOf(cluster, controlPlane))
  return transitionsBetween(was, is).flatMap((transition) =>
    transition.type === 'Completed' && !transition.isFirst ? [transition.seconds] : [],
  )
}
