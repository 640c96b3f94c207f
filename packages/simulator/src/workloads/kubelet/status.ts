import type { Container, ContainerState, ContainerStatus, Pod, PodCondition } from '@windlass/api'
import { findCondition, formatTime, type Instant } from '@windlass/core'
import { addressOf, canonicalJson, hash32 } from '../../identity/index.ts'
import type { Stage, Standing } from './standing.ts'

type Status = NonNullable<Pod['status']>
type State = Pick<ContainerStatus, 'state' | 'lastState'>

const phases: Readonly<Record<Stage, NonNullable<Status['phase']>>> = {
  accepted: 'Pending',
  creating: 'Pending',
  'pull-failed': 'Pending',
  running: 'Running',
  ready: 'Running',
  'backing-off': 'Running',
  succeeded: 'Succeeded',
  failed: 'Failed',
}

export interface Times {
  /** When the kubelet first heard of the Pod. */
  readonly placedAt: Instant
  readonly now: Instant
}

/** What a kubelet says about a Pod that is this far. Conditions change when somebody looks, whenever what they are about has happened. */
export function statusFor(pod: Pod, standing: Standing, { placedAt, now }: Times): Partial<Status> {
  const { metadata, spec } = pod
  const { stage } = standing
  const hasStarted = standing.startedAt !== undefined
  const identity = `${metadata.namespace}/${metadata.name}`
  return {
    phase: phases[stage],
    conditions: conditionsFor(pod, standing, now),
    startTime: formatTime(placedAt),
    hostIP: addressOf(spec.nodeName ?? '', [10, 0, 0, 0], 16),
    ...(hasStarted ? { podIP: addressOf(identity, [10, 128, 0, 0], 18) } : {}),
    ...(spec.initContainers === undefined || spec.initContainers.length === 0
      ? {}
      : { initContainerStatuses: spec.initContainers.map((container) => initStatus(container, standing)) }),
    containerStatuses: spec.containers.map((container) => containerStatus(container, standing)),
  }
}

function containerStatus(container: Container, standing: Standing): ContainerStatus {
  const isRunning = standing.stage === 'running' || standing.stage === 'ready'
  return {
    name: container.name,
    ...stateOf(container, standing),
    ready: standing.stage === 'ready',
    started: isRunning,
    restartCount: standing.restarts,
    image: container.image ?? '',
    imageID: standing.startedAt === undefined ? '' : imageIdOf(container.image ?? ''),
  }
}

function stateOf({ name, image = '' }: Container, standing: Standing): State {
  const { stage, startedAt = standing.since, finishedAt } = standing
  const over = (exitCode: number): ContainerState => ({
    terminated: {
      exitCode,
      reason: exitCode === 0 ? 'Completed' : 'Error',
      startedAt: formatTime(startedAt),
      finishedAt: formatTime(finishedAt ?? standing.since),
    },
  })
  const before: Pick<State, 'lastState'> = finishedAt === undefined ? {} : { lastState: crashed(finishedAt, startedAt) }
  switch (stage) {
    case 'accepted':
    case 'creating':
      return { state: { waiting: { reason: 'ContainerCreating' } } }
    case 'pull-failed':
      return { state: { waiting: { reason: 'ImagePullBackOff', message: `Back-off pulling image "${image}"` } } }
    case 'running':
    case 'ready':
      return { state: { running: { startedAt: formatTime(startedAt) } }, ...before }
    case 'backing-off':
      return { state: { waiting: { reason: 'CrashLoopBackOff', message: `back-off restarting failed container=${name}` } }, ...before }
    case 'succeeded':
      return { state: over(0) }
    case 'failed':
      return { state: over(1) }
    default:
      return stage satisfies never
  }
}

/** When the run that has crashed began is known until the next one begins. */
function crashed(finishedAt: Instant, startedAt: Instant): ContainerState {
  const began = startedAt > finishedAt ? {} : { startedAt: formatTime(startedAt) }
  return { terminated: { exitCode: 1, reason: 'Error', ...began, finishedAt: formatTime(finishedAt) } }
}

/** Init containers are through by the time that the others start, and never fail. They need images too. */
function initStatus(container: Container, standing: Standing): ContainerStatus {
  const { name, image = '' } = container
  const { since, startedAt, stage } = standing
  const time = formatTime(startedAt ?? since)
  const waiting: State = stage === 'pull-failed' ? stateOf(container, standing) : { state: { waiting: { reason: 'PodInitializing' } } }
  return {
    name,
    ...(startedAt === undefined
      ? waiting
      : { state: { terminated: { exitCode: 0, reason: 'Completed', startedAt: time, finishedAt: time } } }),
    ready: startedAt !== undefined,
    restartCount: 0,
    image,
    imageID: startedAt === undefined ? '' : imageIdOf(image),
  }
}

/** An image is known by its digest. One that is named by a tag has a digest too, which follows from the name. */
function imageIdOf(image: string): string {
  if (image.includes('@')) return image
  const digest = Array.from({ length: 8 }, (_, part) => hash32(`${image}/${part}`).toString(16).padStart(8, '0')).join('')
  return `${image.replace(/:[^/:]*$/, '')}@sha256:${digest}`
}

/** In the order of a kubelet's. */
function conditionsFor({ status, spec }: Pod, { stage, startedAt }: Standing, now: Instant): readonly PodCondition[] {
  const names = canonicalJson(spec.containers.map(({ name }) => name))
  const unready =
    stage === 'succeeded'
      ? { reason: 'PodCompleted' }
      : { reason: 'ContainersNotReady', message: `containers with unready status: ${names}` }
  const told = (type: string, isSo: boolean, otherwise: object = {}): PodCondition => {
    const known = findCondition(status?.conditions, type)
    const value = isSo ? 'True' : 'False'
    const lastTransitionTime = known?.status === value ? (known.lastTransitionTime ?? formatTime(now)) : formatTime(now)
    return { type, status: value, ...(isSo ? {} : otherwise), lastTransitionTime }
  }
  return [
    told('PodReadyToStartContainers', startedAt !== undefined && stage !== 'succeeded' && stage !== 'failed'),
    told('Initialized', startedAt !== undefined || (spec.initContainers ?? []).length === 0, { reason: 'ContainersNotInitialized' }),
    told('Ready', stage === 'ready', unready),
    told('ContainersReady', stage === 'ready', unready),
    told('PodScheduled', true),
  ]
}
