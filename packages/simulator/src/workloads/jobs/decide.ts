import { Job, type JobCondition, Pod } from '@windlass/api'
import { findCondition, formatTime, type Instant, isTrue, parseTime } from '@windlass/core'
import { create, done, type Plan, plan, remove, requeueAfter, status, wait } from '@windlass/kube'
import { again } from '../again.ts'
import { atSpeed, type Profile } from '../../profile/index.ts'
import { counted } from '../counts.ts'
import { isReady, podFrom } from '../pods/index.ts'
import { type Tally, tallyOf } from './counts.ts'
import { bookkeeping } from './ledger.ts'
import { type Outcome, outcomeOf, untilDeadline } from './outcome.ts'

export interface Observed {
  readonly job: Job
  /** All that it controls. */
  readonly pods: readonly Pod[]
  /** Names for as many Pods as it could need. */
  readonly names: readonly string[]
  /** Where new Pods run, if that need not be decided. */
  readonly node: string | undefined
}

/** Runs Pods until enough of them have succeeded, or too many have failed. */
export function decideWith(profile: Profile): (observed: Observed, now: Instant) => Plan {
  return (observed, now) => {
    const { job, pods } = observed
    if (job.metadata.deletionTimestamp !== undefined) return done
    const finished = finishedAt(job)
    if (finished !== undefined) return expire(job, finished, now)
    const tally = tallyOf(job, pods)
    const isSuspended = job.spec.suspend === true
    const outcome = isSuspended ? undefined : outcomeOf(job, tally, now)
    if (outcome !== undefined) return finish(job, tally, outcome, now)
    // Nothing else before that is written: the next look is at what it says.
    const booked = bookkeeping(job, pods, tally)
    if (booked !== undefined) return plan(booked)
    return isSuspended ? suspend(job, tally, now) : goOn(observed, tally, profile, now)
  }
}

function finishedAt({ status }: Job): Instant | undefined {
  const condition = status?.conditions?.find(({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True')
  return condition === undefined ? undefined : (parseTime(condition.lastTransitionTime) ?? 0)
}

function expire(job: Job, finished: Instant, now: Instant): Plan {
  const { ttlSecondsAfterFinished: seconds } = job.spec
  if (seconds === undefined) return done
  const left = finished + seconds * 1_000 - now
  return left > 0 ? requeueAfter(left, 'its time to live to be over') : plan(remove(Job, job, `it ended ${seconds} s ago`))
}

function suspend(job: Job, { active, terminating, succeeded, failed }: Tally, now: Instant): Plan {
  return plan(
    ...active.map((pod) => remove(Pod, pod, 'the Job is suspended')),
    status(
      Job,
      job,
      {
        ...counts({ active: 0, ready: 0, terminating: terminating + active.length, succeeded, failed }),
        startTime: undefined,
        conditions: withCondition(job, { type: 'Suspended', status: 'True', reason: 'JobSuspended', message: 'Job suspended' }, now),
      },
      'it is suspended',
      { ifUnchanged: true },
    ),
  )
}

/** As many Pods as may run at once and are still needed. After a failure the next one waits, longer each time. */
function goOn({ job, names, node }: Observed, tally: Tally, profile: Profile, now: Instant): Plan {
  const { completions, parallelism = 1 } = job.spec
  const { active, succeeded, failed, ready, terminating } = tally
  const wanted = completions === undefined ? (succeeded > 0 ? active.length : parallelism) : Math.min(completions - succeeded, parallelism)
  const delay = (tally.lastFailure ?? Number.NEGATIVE_INFINITY) + atSpeed(profile, backOff(failed)) - now
  const made = delay > 0 ? [] : names.slice(0, Math.max(0, wanted - active.length))
  const leaving = active.toSorted((a, b) => Number(isReady(a)) - Number(isReady(b))).slice(0, Math.max(0, active.length - wanted))
  const isResumed = isTrue(job.status?.conditions, 'Suspended')
  return plan(
    ...made.map((name) => create(Pod, podFrom({ owner: job, template: job.spec.template, name, node }), 'there is work to do')),
    ...leaving.map((pod) => remove(Pod, pod, `no more than ${wanted} may run at once`)),
    status(
      Job,
      job,
      {
        ...counts({
          active: active.length + made.length - leaving.length,
          ready: ready - leaving.filter(isReady).length,
          terminating: terminating + leaving.length,
          succeeded,
          failed,
        }),
        startTime: job.status?.startTime ?? formatTime(now),
        ...(isResumed
          ? { conditions: withCondition(job, { type: 'Suspended', status: 'False', reason: 'JobResumed', message: 'Job resumed' }, now) }
          : {}),
      },
      'its Pods have changed',
      { ifUnchanged: true },
    ),
    delay > 0 && active.length < wanted ? requeueAfter(delay, 'the next try after a failure') : undefined,
    again(untilDeadline({ ...job, status: { startTime: formatTime(now), ...job.status } }, now), 'Pods to end'),
  )
}

const firstBackOff = 10_000
const longestBackOff = 600_000

function backOff(failed: number): number {
  return failed === 0 ? 0 : Math.min(longestBackOff, firstBackOff * 2 ** (failed - 1))
}

/** First it is decided, which ends the Pods that still run; when the last of them is gone it is done. Often that is the same moment. */
function finish(job: Job, { active, terminating, succeeded, failed }: Tally, outcome: Outcome, now: Instant): Plan {
  const { isSuccess, reason, message } = outcome
  const isOver = active.length === 0 && terminating === 0
  const say = (type: string, to: Job): Job => ({
    ...to,
    status: { ...to.status, conditions: withCondition(to, { type, status: 'True', reason, message }, now) },
  })
  const decided = say(isSuccess ? 'SuccessCriteriaMet' : 'FailureTarget', job)
  const ended = isOver ? say(isSuccess ? 'Complete' : 'Failed', decided) : decided
  return plan(
    ...active.map((pod) => remove(Pod, pod, isSuccess ? 'the work is done' : 'the Job has failed')),
    status(
      Job,
      job,
      {
        ...counts({
          active: 0,
          ready: 0,
          terminating: terminating + active.length,
          succeeded,
          failed: failed + (isSuccess ? 0 : active.length),
        }),
        startTime: job.status?.startTime ?? formatTime(now),
        ...(isOver && isSuccess ? { completionTime: formatTime(now) } : {}),
        conditions: ended.status?.conditions,
      },
      message,
      { ifUnchanged: true },
    ),
    isOver ? undefined : wait('its Pods to end'),
  )
}

type Counts = Readonly<Record<'active' | 'ready' | 'terminating' | 'succeeded' | 'failed', number>>

function counts({ active, ready, terminating, succeeded, failed }: Counts) {
  return { active: counted(active), ready, terminating, succeeded: counted(succeeded), failed: counted(failed) }
}

/** Conditions of Jobs tell when they were last looked at, too; that alone is no reason to write. */
function withCondition(
  { status }: Job,
  next: Omit<JobCondition, 'lastProbeTime' | 'lastTransitionTime'>,
  now: Instant,
): readonly JobCondition[] {
  const conditions = status?.conditions ?? []
  const known = findCondition(conditions, next.type)
  if (known !== undefined && known.status === next.status && known.reason === next.reason) return conditions
  const time = formatTime(now)
  const condition: JobCondition = { ...next, lastProbeTime: time, lastTransitionTime: time }
  return known === undefined ? [...conditions, condition] : conditions.map((each) => (each === known ? condition : each))
}
