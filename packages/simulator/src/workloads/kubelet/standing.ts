import type { Pod } from '@windlass/api'
import { type Instant, parseTime, transitionTime } from '@windlass/core'
import { isReady } from '../pods/index.ts'

/** How far a Pod is on its node. Its containers are simulated as one: they start, crash and end together. */
export type Stage =
  /** It is on a node, and nobody there has said anything about it. */
  | 'accepted'
  /** Images are fetched and containers are made. */
  | 'creating'
  /** An image cannot be fetched. */
  | 'pull-failed'
  /** Containers run and are not ready. */
  | 'running'
  | 'ready'
  /** Containers have ended, and are started again after a while. */
  | 'backing-off'
  | 'succeeded'
  | 'failed'

export interface Standing {
  readonly stage: Stage
  /** When it came to be there. */
  readonly since: Instant
  /** When the containers were started last; undefined before the first time. */
  readonly startedAt?: Instant
  /** When they ended last. */
  readonly finishedAt?: Instant
  readonly restarts: number
}

/** What the status of a Pod says. Everything that follows is decided from that: the kubelet itself remembers nothing. */
export function standingOf(pod: Pod): Standing {
  const { metadata, status } = pod
  const [container] = status?.containerStatuses ?? []
  const placedAt =
    parseTime(status?.startTime) ?? transitionTime(status?.conditions, 'PodScheduled') ?? parseTime(metadata.creationTimestamp) ?? 0
  const restarts = container?.restartCount ?? 0
  const ended = container?.state?.terminated ?? container?.lastState?.terminated
  const startedAt = parseTime(container?.state?.running?.startedAt ?? ended?.startedAt)
  const finishedAt = parseTime(ended?.finishedAt)
  const at = (stage: Stage, since: Instant): Standing => ({
    stage,
    since,
    restarts,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(finishedAt === undefined ? {} : { finishedAt }),
  })
  if (status?.phase === 'Succeeded') return at('succeeded', finishedAt ?? placedAt)
  if (status?.phase === 'Failed') return at('failed', finishedAt ?? placedAt)
  if (container === undefined) return at('accepted', placedAt)
  const { running, waiting } = container.state ?? {}
  if (running !== undefined) {
    const since = startedAt ?? placedAt
    return isReady(pod) ? at('ready', transitionTime(status?.conditions, 'Ready') ?? since) : at('running', since)
  }
  if (waiting?.reason === 'CrashLoopBackOff') return at('backing-off', finishedAt ?? placedAt)
  if (waiting?.reason === 'ImagePullBackOff') return at('pull-failed', placedAt)
  return at('creating', placedAt)
}
