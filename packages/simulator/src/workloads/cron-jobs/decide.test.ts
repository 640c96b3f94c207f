import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CronJob, type Job } from '@windlass/api'
import { aCronJob, aJob } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { deedsOf, noon, statusIn } from '../testing/index.ts'
import { decide } from './decide.ts'

const cronOf = (
  spec: Partial<CronJob['spec']> = {},
  status: NonNullable<CronJob['status']> = { lastScheduleTime: formatTime(noon - 900_000) },
): CronJob => aCronJob({ name: 'tidy', spec: { concurrencyPolicy: 'Allow', ...spec }, status })
const job = (name: string, end?: 'Complete' | 'Failed', minutesAgo = 30): Job => {
  const time = formatTime(noon - minutesAgo * 60_000)
  return aJob({
    name,
    status:
      end === undefined
        ? { active: 1, startTime: time }
        : { startTime: time, ...(end === 'Complete' ? { completionTime: time } : {}), conditions: [{ type: end, status: 'True' }] },
  })
}
const look = (cronJob: CronJob, jobs: readonly Job[] = [], now = noon + 1_000) => decide({ cronJob, jobs }, now)
const minute = noon / 60_000

describe('a CronJob', () => {
  it('makes a Job when it is time, named after the minute', () => {
    const plan = look(cronOf())
    assert.deepEqual(deedsOf(plan), [`create Job tidy-${minute}`])
    assert.equal(statusIn(plan, CronJob)?.lastScheduleTime, formatTime(noon))
    assert.equal(plan.requeueAfter, 899_000)
  })

  it('waits for its time', () => {
    const plan = look(cronOf({}, { lastScheduleTime: formatTime(noon) }))
    assert.deepEqual([deedsOf(plan), plan.requeueAfter], [[], 899_000])
  })

  it('makes up for the last of the times that it has missed, if it is not too late', () => {
    const missed = { lastScheduleTime: formatTime(noon - 9_000_000) }
    assert.deepEqual(deedsOf(look(cronOf({}, missed), [], noon + 600_000)), [`create Job tidy-${minute}`])
    assert.deepEqual(deedsOf(look(cronOf({ startingDeadlineSeconds: 300 }, missed), [], noon + 600_000)), [])
  })

  it('that was never due counts from when it was made', () => {
    const fresh = { ...cronOf({}, {}), metadata: { ...cronOf().metadata, creationTimestamp: formatTime(noon - 60_000) } }
    assert.deepEqual(deedsOf(look(fresh)), [`create Job tidy-${minute}`])
    assert.deepEqual(deedsOf(look({ ...fresh, metadata: { ...fresh.metadata, creationTimestamp: formatTime(noon) } })), [])
  })

  it('may not start while another runs, or takes its place', () => {
    const running = [job('tidy-1')]
    assert.deepEqual(deedsOf(look(cronOf({ concurrencyPolicy: 'Allow' }), running)), [`create Job tidy-${minute}`])
    assert.deepEqual(deedsOf(look(cronOf({ concurrencyPolicy: 'Forbid' }), running)), [])
    assert.equal(statusIn(look(cronOf({ concurrencyPolicy: 'Forbid' }), running), CronJob)?.lastScheduleTime, formatTime(noon - 900_000))
    assert.deepEqual(deedsOf(look(cronOf({ concurrencyPolicy: 'Replace' }), running)), ['delete Job tidy-1', `create Job tidy-${minute}`])
  })

  it('says which of its Jobs run, and when one has last succeeded', () => {
    const status = statusIn(
      look(cronOf({}, { lastScheduleTime: formatTime(noon) }), [job('tidy-1'), job('tidy-0', 'Complete', 20)]),
      CronJob,
    )
    assert.deepEqual(
      status?.active?.map(({ kind, name }) => `${kind} ${name}`),
      ['Job tidy-1'],
    )
    assert.equal(status?.lastSuccessfulTime, formatTime(noon - 1_200_000))
  })

  it('keeps the newest Jobs of each sort', () => {
    const jobs = [10, 20, 30, 40].map((minutes) => job(`good-${minutes}`, 'Complete', minutes))
    const bad = [15, 25].map((minutes) => job(`bad-${minutes}`, 'Failed', minutes))
    assert.deepEqual(deedsOf(look(cronOf({}, { lastScheduleTime: formatTime(noon) }), [...jobs, ...bad])), [
      'delete Job good-40',
      'delete Job bad-25',
    ])
  })

  it('does nothing while it is suspended', () => {
    const plan = look(cronOf({ suspend: true }))
    assert.deepEqual([deedsOf(plan), plan.requeueAfter], [[], undefined])
  })

  it('whose schedule cannot be followed says so', () => {
    assert.deepEqual(deedsOf(look(cronOf({ schedule: 'every now and then' }))), ['event UnparseableSchedule'])
  })
})
