import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Job, type Pod } from '@windlass/api'
import { aJob } from '@windlass/api/fixtures'
import { findCondition, formatTime } from '@windlass/core'
import { createProfile } from '../../profile/index.ts'
import { deedsOf, noon, podNamed, type PodOptions, statusIn } from '../testing/index.ts'
import { decideWith } from './decide.ts'
import { ledgerAnnotation, ledgerText } from './ledger.ts'

const decide = decideWith(createProfile({ seed: 1 }))
const jobOf = (spec: Partial<Job['spec']> = {}, status: NonNullable<Job['status']> = { startTime: formatTime(noon - 60_000) }): Job =>
  aJob({ name: 'work', spec: { completions: 1, parallelism: 1, backoffLimit: 2, ...spec }, status })
const pod = (name: string, options: PodOptions = {}): Pod => podNamed(name, { owner: jobOf(), ...options })
const firstLook = (job: Job, pods: readonly Pod[]) =>
  decide({ job, pods, names: ['new-0', 'new-1', 'new-2'].slice(0, job.spec.parallelism ?? 1), node: undefined }, noon)
const booked = (job: Job, succeeded: number, failed: number, pods: readonly Pod[]): Job => {
  const annotations = { [ledgerAnnotation]: ledgerText({ succeeded, failed }, pods) }
  return { ...job, metadata: { ...job.metadata, annotations } }
}
/** Pods that have ended were written down before. */
const look = (job: Job, pods: readonly Pod[]) => {
  const ended = (phase: string): number => pods.filter(({ status }) => status?.phase === phase).length
  return firstLook(booked(job, ended('Succeeded'), ended('Failed'), pods), pods)
}
const conditionsIn = (plan: ReturnType<typeof look>): readonly string[] =>
  (statusIn(plan, Job)?.conditions ?? []).map(({ type, status, reason }) => `${type} ${status} ${reason}`)
const failedAt = (name: string, secondsAgo: number): Pod => pod(name, { is: 'failed', since: noon - secondsAgo * 1_000 })

describe('a Job', () => {
  it('starts a Pod and notes when', () => {
    const plan = look(jobOf({}, {}), [])
    assert.deepEqual(deedsOf(plan), ['create Pod new-0'])
    assert.deepEqual(statusIn(plan, Job), { active: 1, ready: 0, terminating: 0, startTime: formatTime(noon) })
  })

  it('runs as many Pods at once as it may and still needs', () => {
    assert.deepEqual(deedsOf(look(jobOf({ completions: 5, parallelism: 3 }), [pod('a')])), ['create Pod new-0', 'create Pod new-1'])
    const done = ['a', 'b', 'c', 'd'].map((name) => pod(name, { is: 'succeeded' }))
    assert.deepEqual(deedsOf(look(jobOf({ completions: 5, parallelism: 3 }), done)), ['create Pod new-0'])
    assert.deepEqual(deedsOf(look(jobOf({ completions: 5, parallelism: 1 }), [pod('a'), pod('b', { is: 'running' })])), ['delete Pod b'])
  })

  it('is complete when enough have succeeded', () => {
    const plan = look(jobOf(), [pod('a', { is: 'succeeded' })])
    assert.deepEqual(conditionsIn(plan), ['SuccessCriteriaMet True CompletionsReached', 'Complete True CompletionsReached'])
    const { conditions: _, ...rest } = statusIn(plan, Job) ?? {}
    assert.deepEqual(rest, {
      ready: 0,
      terminating: 0,
      succeeded: 1,
      startTime: formatTime(noon - 60_000),
      completionTime: formatTime(noon),
    })
  })

  it('ends what still runs before it is complete', () => {
    const plan = look(jobOf(), [pod('a', { is: 'succeeded' }), pod('b')])
    assert.deepEqual(deedsOf(plan), ['delete Pod b'])
    assert.deepEqual(conditionsIn(plan), ['SuccessCriteriaMet True CompletionsReached'])
    assert.equal(statusIn(plan, Job)?.completionTime, undefined)
    assert.deepEqual(conditionsIn(look(jobOf(), [pod('a', { is: 'succeeded' }), pod('b', { isTerminating: true })])), [
      'SuccessCriteriaMet True CompletionsReached',
    ])
  })

  it('without a number of completions is done when one has succeeded and all have ended', () => {
    const queue: Job = { ...jobOf({ parallelism: 2 }), spec: { parallelism: 2, backoffLimit: 2, template: jobOf().spec.template } }
    assert.deepEqual(deedsOf(look(queue, [])), ['create Pod new-0', 'create Pod new-1'])
    assert.deepEqual(deedsOf(look(queue, [pod('a', { is: 'succeeded' }), pod('b')])), [])
    assert.equal(conditionsIn(look(queue, [pod('a', { is: 'succeeded' })])).at(-1), 'Complete True CompletionsReached')
  })

  it('tries again after a failure, later each time', () => {
    assert.equal(look(jobOf(), [failedAt('a', 4)]).requeueAfter, 6_000)
    assert.deepEqual(deedsOf(look(jobOf(), [failedAt('a', 4)])), [])
    assert.deepEqual(deedsOf(look(jobOf(), [failedAt('a', 10)])), ['create Pod new-0'])
    assert.equal(look(jobOf(), [failedAt('a', 60), failedAt('b', 4)]).requeueAfter, 16_000)
  })

  it('gives up when more have failed than may', () => {
    const plan = look(jobOf(), [failedAt('a', 90), failedAt('b', 60), failedAt('c', 30)])
    assert.deepEqual(conditionsIn(plan), ['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'])
    assert.equal(findCondition(statusIn(plan, Job)?.conditions, 'Failed')?.message, 'Job has reached the specified backoff limit')
    assert.deepEqual([statusIn(plan, Job)?.failed, statusIn(plan, Job)?.completionTime], [3, undefined])
  })

  it('gives up when its containers were started again too often', () => {
    assert.deepEqual(deedsOf(look(jobOf(), [pod('a', { is: 'running', restarts: 1 })])), [])
    const plan = look(jobOf(), [pod('a', { is: 'running', restarts: 2 })])
    assert.deepEqual(deedsOf(plan), ['delete Pod a'])
    assert.deepEqual(conditionsIn(plan), ['FailureTarget True BackoffLimitExceeded'])
    assert.equal(statusIn(plan, Job)?.failed, 1)
  })

  it('stays given up when the Pod that decided it is gone', () => {
    const decided = jobOf(
      {},
      { failed: 1, conditions: [{ type: 'FailureTarget', status: 'True', reason: 'BackoffLimitExceeded', message: 'm' }] },
    )
    assert.deepEqual(conditionsIn(look(decided, [])), ['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'])
  })

  it('must be done by its deadline', () => {
    assert.equal(look(jobOf({ activeDeadlineSeconds: 90 }), [pod('a')]).requeueAfter, 30_000)
    const plan = look(jobOf({ activeDeadlineSeconds: 60 }), [pod('a')])
    assert.deepEqual(conditionsIn(plan), ['FailureTarget True DeadlineExceeded'])
    assert.deepEqual(deedsOf(plan), ['delete Pod a'])
  })

  it('forgets nothing that it has counted, though the Pods are gone', () => {
    assert.equal(statusIn(look(jobOf({ completions: 2 }, { succeeded: 1 }), []), Job)?.succeeded, 1)
  })
})

describe('Pods of a Job that have ended', () => {
  const three = jobOf({ completions: 3 })
  const [first, second] = [pod('a', { is: 'succeeded' }), pod('b', { is: 'succeeded' })]

  it('are written down before anything else is done, as long as the Job goes on', () => {
    const plan = firstLook(three, [first])
    const text = JSON.stringify({ metadata: { annotations: { [ledgerAnnotation]: `1 0 ${first.metadata.uid ?? ''}` } } })
    assert.deepEqual([deedsOf(plan), statusIn(plan, Job)], [[`patch Job work ${text}`], undefined])
    assert.deepEqual(deedsOf(firstLook(booked(three, 1, 0, [first]), [first])), ['create Pod new-0'])
    assert.deepEqual(conditionsIn(firstLook(jobOf(), [first])).at(-1), 'Complete True CompletionsReached', 'no need to write down the last')
  })

  it('count when they are gone, and those that come after them count too', () => {
    const gone = booked(three, 1, 0, [first])
    assert.equal(statusIn(firstLook(gone, []), Job)?.succeeded, 1)
    const [patch] = deedsOf(firstLook(gone, [second]))
    assert.ok(patch?.includes(`"2 0 ${second.metadata.uid ?? ''}"`), patch)
    const both = booked(three, 2, 0, [second])
    assert.equal(statusIn(firstLook(both, [second]), Job)?.succeeded, 2)
    const last = [second, pod('c', { is: 'succeeded' })]
    assert.equal(conditionsIn(firstLook(both, last)).at(-1), 'Complete True CompletionsReached')
  })

  it('count though somebody has written nonsense where they were written down', () => {
    const metadata = { ...three.metadata, annotations: { [ledgerAnnotation]: 'x y' } }
    assert.match(deedsOf(firstLook({ ...three, metadata }, [first]))[0] ?? '', /"1 0 /)
  })

  it('that failed count against the limit when they are gone', () => {
    const plan = firstLook(booked(jobOf(), 0, 2, []), [failedAt('c', 30)])
    assert.deepEqual(conditionsIn(plan), ['FailureTarget True BackoffLimitExceeded', 'Failed True BackoffLimitExceeded'])
  })
})

describe('a Job that is over', () => {
  const over = (spec: Partial<Job['spec']> = {}) =>
    jobOf(spec, { succeeded: 1, conditions: [{ type: 'Complete', status: 'True', lastTransitionTime: formatTime(noon - 60_000) }] })

  it('does nothing more', () => assert.deepEqual(look(over(), []), { actions: [] }))

  it('goes when its time to live is over', () => {
    assert.equal(look(over({ ttlSecondsAfterFinished: 100 }), []).requeueAfter, 40_000)
    assert.deepEqual(deedsOf(look(over({ ttlSecondsAfterFinished: 60 }), [])), ['delete Job work'])
  })
})

describe('a Job that is suspended', () => {
  it('ends its Pods and starts none', () => {
    const plan = look(jobOf({ suspend: true }), [pod('a'), pod('b', { is: 'succeeded' })])
    assert.deepEqual(deedsOf(plan), ['delete Pod a'])
    assert.deepEqual(conditionsIn(plan), ['Suspended True JobSuspended'])
    assert.equal(statusIn(plan, Job)?.startTime, undefined)
  })

  it('starts anew when it goes on', () => {
    const plan = look(jobOf({}, { conditions: [{ type: 'Suspended', status: 'True', reason: 'JobSuspended' }] }), [])
    assert.deepEqual(deedsOf(plan), ['create Pod new-0'])
    assert.deepEqual(conditionsIn(plan), ['Suspended False JobResumed'])
    assert.equal(statusIn(plan, Job)?.startTime, formatTime(noon))
  })
})
