import { type ContainerStatus, type Event, Pod } from '@windlass/api'
import { findCondition, type Instant, isTrue } from '@windlass/core'
import type { ObjectPlace } from '../../contract/index.ts'
import { ageOf, patience } from '../ages.ts'
import { behind, linkTo, placeOf, type Trouble } from '../cause.ts'
import { PersistentVolumeClaim } from '../claim.ts'
import { logsOf, named } from '../commands.ts'

/** What is known around a Pod. */
export interface PodSurroundings {
  readonly side: ObjectPlace['side']
  readonly claims: readonly PersistentVolumeClaim[]
  /** Warnings about anything in its namespace. */
  readonly events: readonly Event[]
  readonly now: Instant
}

type Rule = (pod: Pod, around: PodSurroundings) => Trouble | undefined

/** The first that applies. A Pod that is to go has its own troubles; one that is nowhere has none of a container. */
const rules: readonly Rule[] = [leaving, unscheduled, failed, stopped, starting, unready, unclear]

/** What keeps a Pod from being ready, or from going; undefined when nothing does. */
export function podTrouble(pod: Pod, around: PodSurroundings): Trouble | undefined {
  if (pod.metadata.deletionTimestamp === undefined && isTrue(pod.status?.conditions, 'Ready')) return undefined
  if (pod.metadata.deletionTimestamp === undefined && pod.status?.phase === 'Succeeded') return undefined
  for (const rule of rules) {
    const trouble = rule(pod, around)
    if (trouble !== undefined) return trouble
  }
  return undefined
}

/** The moment of deletion has the grace in it: a Pod that is there after it should not be. */
function leaving(pod: Pod, { side, now }: PodSurroundings): Trouble | undefined {
  const { deletionTimestamp, finalizers = [] } = pod.metadata
  if (deletionTimestamp === undefined) return undefined
  const place = placeOf(Pod, pod, side)
  const details = { reason: 'Terminating', since: deletionTimestamp }
  if (ageOf(deletionTimestamp, now) === 0) return { weight: 'Working', links: [linkTo(place, 'it is ending', details)] }
  if (finalizers.length > 0)
    return {
      weight: 'Broken',
      links: [linkTo(place, `it was to be gone and is still there: finalizers hold it (${finalizers.join(', ')})`, details)],
      remedy: 'Find out whose finalizers these are, and why their owner does not take them away.',
    }
  return {
    weight: 'Broken',
    links: [linkTo(place, 'it was to be gone and is still there: its containers do not end', details)],
    remedy: `If its node is gone for good or does not answer, delete the Pod without grace: nothing else will.`,
    command: `delete ${named(place)} --grace-period=0 --force`,
  }
}

function unscheduled(pod: Pod, { side, claims }: PodSurroundings): Trouble | undefined {
  if ((pod.spec.nodeName ?? '') !== '') return undefined
  const { reason = 'Pending', message = '', lastTransitionTime } = findCondition(pod.status?.conditions, 'PodScheduled') ?? {}
  const since = lastTransitionTime ?? pod.metadata.creationTimestamp
  const link = linkTo(placeOf(Pod, pod, side), message === '' ? 'it has no node yet' : `no node takes it: ${message}`, { reason, since })
  const unbound = claimsOf(pod, claims).find(({ status }) => status?.phase !== 'Bound')
  if (unbound !== undefined) return behind(link, claimTrouble(unbound, side))
  if (reason !== 'Unschedulable') return { weight: 'Waiting', links: [link] }
  return {
    weight: 'Broken',
    links: [link],
    remedy: 'Make room: add nodes, or remove the taints and selectors that rule out those that are there.',
  }
}

function claimsOf({ spec }: Pod, claims: readonly PersistentVolumeClaim[]): readonly PersistentVolumeClaim[] {
  const names = new Set((spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []))
  return claims.filter(({ metadata }) => names.has(metadata.name ?? ''))
}

function claimTrouble(claim: PersistentVolumeClaim, side: ObjectPlace['side']): Trouble {
  const { storageClassName } = claim.spec ?? {}
  const from = storageClassName === undefined ? 'the default storage class' : `storage class ${storageClassName}`
  return {
    weight: 'Broken',
    links: [
      linkTo(placeOf(PersistentVolumeClaim, claim, side), `no volume has been made for it from ${from}`, {
        reason: claim.status?.phase ?? 'Pending',
        since: claim.metadata.creationTimestamp,
      }),
    ],
    remedy: 'See what the provisioner of the storage class says about the claim.',
  }
}

function failed(pod: Pod, { side }: PodSurroundings): Trouble | undefined {
  const { phase, reason, message } = pod.status ?? {}
  if (phase !== 'Failed') return undefined
  const place = placeOf(Pod, pod, side)
  const container = statusesOf(pod).find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)
  const { exitCode = 1, finishedAt } = container?.state?.terminated ?? {}
  const says = message ?? (container === undefined ? 'it has failed' : `container ${container.name} has ended with ${exitCode}`)
  return {
    weight: 'Broken',
    links: [linkTo(place, says, { reason: reason ?? container?.state?.terminated?.reason ?? 'Failed', since: finishedAt })],
    remedy: 'Read what it wrote before it ended.',
    ...(container === undefined ? {} : { command: logsOf(place, container.name, false) }),
  }
}

/** A reason why a container waits that does not pass by itself. */
interface Stop {
  readonly says: (status: ContainerStatus) => string
  readonly remedy: string
  /** Whether its log tells more than its description. */
  readonly hasLog?: true
}

const pull: Stop = {
  says: ({ name, image }) => `the image of container ${name} cannot be pulled: ${image}`,
  remedy: 'Check that the image exists and that the pull secret opens its registry; what the registry said is in the events of the Pod.',
}
const start: Stop = {
  says: ({ name, state }) => `container ${name} cannot be started: ${state?.waiting?.message ?? 'the node does not say why'}`,
  remedy: 'Put right what the message names: a ConfigMap, a Secret, a command, a security setting.',
}

const stops: Readonly<Record<string, Stop>> = {
  ImagePullBackOff: pull,
  ErrImagePull: pull,
  ErrImageNeverPull: pull,
  InvalidImageName: pull,
  ImageInspectError: pull,
  RegistryUnavailable: pull,
  CreateContainerConfigError: start,
  CreateContainerError: start,
  RunContainerError: start,
  CrashLoopBackOff: {
    says: ({ name, restartCount, lastState }) => {
      const { exitCode, reason } = lastState?.terminated ?? {}
      const how = exitCode === undefined ? '' : `, with ${exitCode}${reason === undefined || reason === 'Error' ? '' : ` (${reason})`}`
      return `container ${name} ends soon after it starts${how}, and has been restarted ${restartCount} times`
    },
    remedy: 'Read what it wrote before it ended.',
    hasLog: true,
  },
}

function stopped(pod: Pod, { side, events }: PodSurroundings): Trouble | undefined {
  const place = placeOf(Pod, pod, side)
  for (const status of statusesOf(pod)) {
    const reason = status.state?.waiting?.reason ?? ''
    const stop = stops[reason]
    if (stop === undefined) continue
    const since = pod.status?.startTime ?? pod.metadata.creationTimestamp
    const told = stop === pull ? registryWords(pod, events) : ''
    return {
      weight: 'Broken',
      links: [linkTo(place, `${stop.says(status)}${told}`, { reason, since })],
      remedy: stop.remedy,
      ...(stop.hasLog === true ? { command: logsOf(place, status.name, true) } : {}),
    }
  }
  return undefined
}

/** What the registry answered is in an event alone. */
function registryWords(pod: Pod, events: readonly Event[]): string {
  const note = eventAbout(pod, events, (event) => event.reason === 'Failed' && event.note.startsWith('Failed to pull image'))?.note
  const words = note === undefined ? undefined : /^Failed to pull image "[^"]*": (.+)$/s.exec(note)?.[1]
  return words === undefined ? '' : ` (${words})`
}

function starting(pod: Pod, { side, events }: PodSurroundings): Trouble | undefined {
  const waiting = statusesOf(pod).find(({ state }) => state?.waiting !== undefined)
  const ended = statusesOf(pod).find(({ state }) => (state?.terminated?.exitCode ?? 0) !== 0)
  const place = placeOf(Pod, pod, side)
  const since = pod.status?.startTime ?? pod.metadata.creationTimestamp
  if (ended !== undefined) {
    const { exitCode = 1, reason = 'Error', finishedAt } = ended.state?.terminated ?? {}
    const says = `container ${ended.name} has ended with ${exitCode}`
    return { weight: 'Broken', links: [linkTo(place, says, { reason, since: finishedAt })], command: logsOf(place, ended.name, false) }
  }
  if (waiting === undefined) return undefined
  const volume = eventAbout(pod, events, ({ reason }) => reason === 'FailedMount' || reason === 'FailedAttachVolume')
  if (volume !== undefined)
    return {
      weight: 'Broken',
      links: [linkTo(place, `a volume does not come to it: ${volume.note}`, { reason: volume.reason, since })],
      remedy: 'See whether what the volume is made from exists, and whether another node still has it.',
    }
  const { reason = 'ContainerCreating', message } = waiting.state?.waiting ?? {}
  const says = message === undefined ? 'its images are pulled and its containers are made' : `container ${waiting.name} waits: ${message}`
  return { weight: 'Waiting', links: [linkTo(place, says, { reason, since })] }
}

function unready(pod: Pod, { side, now }: PodSurroundings): Trouble | undefined {
  const status = statusesOf(pod).find(({ ready, state }) => !ready && state?.running !== undefined)
  if (status === undefined) return undefined
  const since = status.state?.running?.startedAt ?? pod.status?.startTime
  const place = placeOf(Pod, pod, side)
  const isLate = ageOf(since, now) > patience.readiness
  const says = isLate
    ? `container ${status.name} runs, and its readiness probe does not pass`
    : `container ${status.name} has started and is not ready yet`
  return {
    weight: isLate ? 'Broken' : 'Waiting',
    links: [linkTo(place, says, { reason: findCondition(pod.status?.conditions, 'Ready')?.reason ?? 'ContainersNotReady', since })],
    ...(isLate ? { remedy: 'See in its log what it waits for.', command: logsOf(place, status.name, false) } : {}),
  }
}

function unclear(pod: Pod, { side }: PodSurroundings): Trouble {
  const { reason = 'Pending', message = '', lastTransitionTime } = findCondition(pod.status?.conditions, 'Ready') ?? {}
  const since = lastTransitionTime ?? pod.metadata.creationTimestamp
  return {
    weight: 'Waiting',
    links: [linkTo(placeOf(Pod, pod, side), message === '' ? 'its node has not said anything about it yet' : message, { reason, since })],
  }
}

/** Those that come first in time come first. */
function statusesOf({ status }: Pod): readonly ContainerStatus[] {
  return [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
}

/** The newest. */
function eventAbout({ metadata }: Pod, events: readonly Event[], isMeant: (event: Event) => boolean): Event | undefined {
  return events.findLast((event) => event.regarding.kind === 'Pod' && event.regarding.name === metadata.name && isMeant(event))
}
