import { type Event, Deployment, Job, type KubernetesObject, type Pod, type Resource, StatefulSet } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { isOwnedBy, selects } from '@windlass/kube'
import { behind, byWeight, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { ControlPlaneEvidence } from '../evidence.ts'
import { podTrouble } from './pod.ts'

/** A Deployment, a StatefulSet or a Job of a control plane, by its name. */
export function workloadTrouble(name: string, evidence: ControlPlaneEvidence, now: Instant): Trouble | undefined {
  const isMeant = ({ metadata }: KubernetesObject): boolean => metadata.name === name
  const deployment = evidence.deployments.find(isMeant)
  if (deployment !== undefined) return deploymentTrouble(deployment, evidence, now)
  const set = evidence.statefulSets.find(isMeant)
  if (set !== undefined) return statefulSetTrouble(set, evidence, now)
  const job = evidence.jobs.find(isMeant)
  return job === undefined ? undefined : jobTrouble(job, evidence, now)
}

function deploymentTrouble(deployment: Deployment, evidence: ControlPlaneEvidence, now: Instant): Trouble | undefined {
  const { metadata, spec, status } = deployment
  const { observedGeneration = 0, replicas = 0, updatedReplicas = 0, availableReplicas = 0 } = status ?? {}
  const wanted = spec.replicas ?? 1
  const pods = evidence.pods.filter(({ metadata: { labels } }) => selects(spec.selector, labels))
  const worst = worstOf(pods, evidence, now)
  const isDone =
    observedGeneration >= (metadata.generation ?? 0) && [replicas, updatedReplicas, availableReplicas].every((count) => count === wanted)
  if (isDone && worst?.weight !== 'Broken') return undefined
  const failure = findCondition(status?.conditions, 'ReplicaFailure')
  const progressing = findCondition(status?.conditions, 'Progressing')
  const place = placeOf(Deployment, deployment, 'management')
  const counted = countedWords(updatedReplicas, availableReplicas, wanted)
  if (failure?.status === 'True')
    return {
      weight: 'Broken',
      links: [
        linkTo(place, `its Pods cannot be made: ${failure.message ?? ''}`, { reason: failure.reason, since: failure.lastTransitionTime }),
      ],
      remedy: 'Put right what refuses them: a quota, an admission rule, a missing service account.',
    }
  const isLate = progressing?.status === 'False'
  const link = linkTo(place, isLate ? `${counted}, for longer than it may take` : counted, {
    reason: isLate ? progressing.reason : undefined,
    since: isLate ? progressing.lastTransitionTime : undefined,
  })
  return worst === undefined ? withoutPods(Deployment, deployment, link, evidence.events) : behind(link, worst)
}

function statefulSetTrouble(set: StatefulSet, evidence: ControlPlaneEvidence, now: Instant): Trouble | undefined {
  const { metadata, spec, status } = set
  const { observedGeneration = 0, updatedReplicas = 0, readyReplicas = 0 } = status ?? {}
  const wanted = spec.replicas ?? 1
  const pods = evidence.pods.filter(({ metadata: { labels } }) => selects(spec.selector, labels))
  const worst = worstOf(pods, evidence, now)
  const isDone = observedGeneration >= (metadata.generation ?? 0) && updatedReplicas === wanted && readyReplicas === wanted
  if (isDone && worst?.weight !== 'Broken') return undefined
  const link = linkTo(placeOf(StatefulSet, set, 'management'), countedWords(updatedReplicas, readyReplicas, wanted))
  return worst === undefined ? withoutPods(StatefulSet, set, link, evidence.events) : behind(link, worst)
}

function jobTrouble(job: Job, evidence: ControlPlaneEvidence, now: Instant): Trouble | undefined {
  const { conditions, startTime, failed = 0 } = job.status ?? {}
  if (findCondition(conditions, 'Complete')?.status === 'True') return undefined
  const pods = evidence.pods.filter((pod) => isOwnedBy(pod, job))
  const worst = worstOf(pods, evidence, now)
  const failure = findCondition(conditions, 'Failed')
  const place = placeOf(Job, job, 'management')
  const hasFailed = failure?.status === 'True'
  const link = hasFailed
    ? linkTo(place, failure.message === undefined ? 'it has failed' : `it has failed: ${failure.message}`, {
        reason: failure.reason ?? 'JobFailed',
        since: failure.lastTransitionTime,
      })
    : linkTo(place, failed === 0 ? 'it has not ended yet' : `${failed} of its attempts have failed`, {
        reason: 'JobActive',
        since: startTime,
      })
  if (worst !== undefined) return behind(link, worst)
  return hasFailed
    ? { weight: 'Broken', links: [link], remedy: 'See why its Pods failed; the Job is made anew when it is deleted.' }
    : withoutPods(Job, job, link, evidence.events)
}

function countedWords(updated: number, available: number, wanted: number): string {
  return updated === wanted
    ? `${available} of ${wanted} Pods are available`
    : `${updated} of ${wanted} Pods are of the new template, and ${available} are available`
}

/** The Pod that says most about why the others do not come. */
function worstOf(pods: readonly Pod[], { claims, events }: ControlPlaneEvidence, now: Instant): Trouble | undefined {
  const troubles = pods.flatMap((pod) => podTrouble(pod, { side: 'management', claims, events, now }) ?? [])
  return troubles.toSorted(byWeight)[0]
}

/** Nothing is wrong with the Pods that there are. A warning about the workload itself may say why there are no others. */
function withoutPods({ kind }: Resource, { metadata }: KubernetesObject, link: Trouble['links'][0], events: readonly Event[]): Trouble {
  const warning = events.findLast(({ regarding }) => regarding.kind === kind && regarding.name === metadata.name)
  if (warning === undefined) return { weight: 'Working', links: [link] }
  return { weight: 'Waiting', links: [{ ...link, says: `${link.says}; it was warned: ${warning.note}`, reason: warning.reason }] }
}
