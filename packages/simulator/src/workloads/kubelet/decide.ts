import { type Namespace, Pod } from '@windlass/api'
import { type Duration, type Instant, parseTime } from '@windlass/core'
import { type Action, done, event, keyOf, type Plan, plan, refOf, remove, requeueAfter, status, wait } from '@windlass/kube'
import { type Failure, failing, failuresOf, slowness } from '../../failures/index.ts'
import { atSpeed, durationOf, type Profile, type Step } from '../../profile/index.ts'
import { hasEnded, imagesOf } from '../pods/index.ts'
import type { Settings } from '../settings.ts'
import { advance } from './advance.ts'
import { type Standing, standingOf } from './standing.ts'
import { statusFor } from './status.ts'
import type { Traits } from './transitions.ts'

export interface Observed {
  readonly pod: Pod
  readonly namespace: Namespace | undefined
}

/** What the kubelet of a Pod's node would do about it now. */
export function decideWith({ profile, planned }: Settings): (observed: Observed, now: Instant) => Plan {
  return ({ pod, namespace }, now) => {
    // The scheduler's business.
    if ((pod.spec.nodeName ?? '') === '') return done
    const { failures, problems } = failuresOf(pod, imagesOf(pod), { namespace, planned })
    const complaints = problems.map((problem) => event(pod, 'Warning', 'InvalidFailure', problem))
    if (pod.metadata.deletionTimestamp !== undefined) return plan(...complaints, end(pod, failures, profile, now))
    return plan(...complaints, live(pod, traitsOf(pod, failures, profile, now)))
  }
}

function live(pod: Pod, traits: Traits): Plan {
  const known = standingOf(pod)
  const { standing, again: next } = advance(known, traits)
  const placedAt = parseTime(pod.status?.startTime) ?? (known.stage === 'accepted' ? known.since : traits.now)
  return plan(
    ...(standing === known
      ? []
      : [
          status(Pod, pod, statusFor(pod, standing, { placedAt, now: traits.now }), `its containers are ${standing.stage}`),
          ...warningsOf(pod, standing),
        ]),
    next === undefined ? undefined : requeueAfter(Math.max(0, next - traits.now), `containers that are ${standing.stage} to go on`),
  )
}

/** People look for these when something does not come up. */
function warningsOf(pod: Pod, { stage, restarts }: Standing): readonly Action[] {
  const name = pod.metadata.name ?? ''
  if (stage === 'pull-failed')
    return [event(pod, 'Warning', 'Failed', `Failed to pull image "${imagesOf(pod)[0] ?? ''}": a simulated failure`)]
  if (stage === 'backing-off')
    return [event(pod, 'Warning', 'BackOff', `Back-off restarting failed container in pod ${name}, started ${restarts + 1} times`)]
  return []
}

/**
 * Containers take their time to end, but no longer than they are given. Then the Pod is deleted for good; if finalizers hold it, it stays and says
 * that it has ended.
 */
function end(pod: Pod, failures: readonly Failure[], profile: Profile, now: Instant): Plan {
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = pod.metadata
  if (deletionGracePeriodSeconds === 0)
    return hasEnded(pod) ? done : plan(status(Pod, pod, endedStatus(pod, now), 'its containers have ended'))
  if (failing(failures, 'never-gone') !== undefined) return wait('somebody to delete it without grace')
  const grace = deletionGracePeriodSeconds * 1_000
  const asked = (parseTime(deletionTimestamp) ?? now) - grace
  const stop = Math.min(grace, durationOf(profile, 'stop', keyOf(refOf(pod))) * slowness(failures))
  const left = asked + stop - now
  if (left > 0) return requeueAfter(left, 'its containers to end')
  return plan(remove(Pod, pod, 'its containers have ended', { gracePeriodSeconds: 0 }))
}

function endedStatus(pod: Pod, now: Instant): Partial<NonNullable<Pod['status']>> {
  const known = standingOf(pod)
  const placedAt = parseTime(pod.status?.startTime) ?? now
  return statusFor(pod, { ...known, stage: 'failed', since: now, finishedAt: now }, { placedAt, now })
}

const firstBackOff = 10_000
const longestBackOff = 300_000
/** However fast time flies here: a crash loop must not be one for the simulator. */
const shortestBackOff = 1_000

function traitsOf(pod: Pod, failures: readonly Failure[], profile: Profile, now: Instant): Traits {
  const identity = keyOf(refOf(pod))
  const factor = slowness(failures)
  const takes = (step: Step, of = identity): Duration => durationOf(profile, step, of) * factor
  const { containers, initContainers = [], restartPolicy = 'Always' } = pod.spec
  const pulls = containers.map(({ name, image = '' }) => takes('pull', `${identity}/${name}/${image}`))
  const crash = failing(failures, 'crash-loop')
  return {
    ends: restartPolicy !== 'Always',
    restarts: restartPolicy !== 'Never',
    failsToPull: failing(failures, 'image-pull') !== undefined,
    crashes: (restarts) => crash !== undefined && restarts < (crash.times ?? Number.POSITIVE_INFINITY),
    isNeverReady: failing(failures, 'never-ready') !== undefined,
    // Images are fetched at the same time, init containers run one after the other.
    pull: Math.max(0, ...pulls),
    start: takes('start') * (1 + initContainers.length),
    ready: takes('ready'),
    work: takes('work'),
    crash: takes('crash'),
    backOff: (restarts) => Math.max(shortestBackOff, atSpeed(profile, Math.min(longestBackOff, firstBackOff * 2 ** restarts))),
    now,
  }
}
