import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fixtures from '@windlass/api/fixtures'
import type { ClusterOperator } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { aClusterVersion, at, condition, entry, operatorAt, operators, start, v0, v1, v2, type VersionParts } from '../testing/index.ts'
import { nameOf } from '../health/decide.ts'
import { assessClusterVersion, type ProgressStatus } from './assess.ts'

const progressing = condition('Progressing', 'True', { message: 'Working towards 4.18.16' })
const resting = condition('Progressing', 'False', { message: 'Cluster version is 4.18.16' })
const done = [entry('Completed', v2, start, at('13:00:00')), entry('Completed', v1, start - 9e7, start - 8e7)]

interface Seen {
  readonly operators?: readonly ClusterOperator[]
  readonly stored?: ProgressStatus
  readonly outdatedNodes?: number
}

function assessed(parts: VersionParts, now: Instant, { operators: seen = [], stored, outdatedNodes = 0 }: Seen = {}) {
  const pool = fixtures.aMachineConfigPoolProgressInsight()
  const summaries = [
    { type: 'Total', count: 3 },
    { type: 'Outdated', count: outdatedNodes },
  ] as const
  const pools = pool.status === undefined ? [] : [{ ...pool, status: { ...pool.status, summaries } }]
  return assessClusterVersion(aClusterVersion(parts), stored, { operators: seen, pools }, now, 'extended')
}

const healthy = ({ status }: ReturnType<typeof assessed>) => {
  const { status: is, reason, message } = status?.conditions?.[1] ?? assert.fail()
  return { healthy: `${is}/${reason}`, message, assessment: status?.assessment }
}
const told = ({ observations }: ReturnType<typeof assessed>) =>
  observations.map(({ level, impact, summary }) => `${level} | ${impact} | ${summary}`)

describe('the health of an update', () => {
  it('T101 [ext] is bad when the version operator fails: first a warning, after ten minutes an error', () => {
    const failing = condition('Failing', 'True', {
      reason: 'ClusterOperatorDegraded',
      message: 'Cluster operator etcd is degraded',
      since: start,
    })
    const conditions = [progressing, failing]
    const soon = assessed({ conditions }, at('12:02:00'))
    assert.deepEqual(healthy(soon), {
      healthy: 'False/ClusterVersionFailing',
      message: 'Failing=True(Reason=ClusterOperatorDegraded): Cluster operator etcd is degraded',
      assessment: 'Degraded',
    })
    const summary = 'Cluster Version version is failing to proceed with the update (ClusterOperatorDegraded)'
    assert.deepEqual(told(soon), [`Warning | Update Stalled | ${summary}`])
    assert.deepEqual(told(assessed({ conditions }, at('12:10:00'))), [`Warning | Update Stalled | ${summary}`])
    assert.deepEqual(told(assessed({ conditions }, at('12:11:00'))), [`Error | Update Stalled | ${summary}`])
    const named = ({ observations: [first = assert.fail()] }: ReturnType<typeof assessed>): string => nameOf('clusterversion', first)
    assert.equal(named(assessed({ conditions }, at('12:11:00'))), named(soon))
    assert.deepEqual([soon.observations[0]?.since, soon.observations[0]?.description], [start, 'Cluster operator etcd is degraded'])
  })

  it('T102 [ext] is unknown when the version operator says nothing about failing, and that is no insight', () => {
    const result = assessed({ conditions: [progressing] }, at('12:02:00'))
    assert.deepEqual(healthy(result), {
      healthy: 'Unknown/CannotDetermine',
      message: 'No Failing condition in ClusterVersion',
      assessment: 'Progressing',
    })
    assert.deepEqual(told(result), [])
  })

  it('[ext] is unknown for the reason that the version operator gives', () => {
    const conditions = [
      progressing,
      condition('Failing', 'Unknown', { reason: 'SlowClusterOperator', message: 'waiting on etcd over 30 minutes' }),
    ]
    const result = assessed({ conditions }, at('12:40:00'))
    assert.equal(healthy(result).healthy, 'Unknown/SlowClusterOperator')
    assert.deepEqual(told(result), [
      'Warning | Update Speed | Cluster Version version may be failing to proceed with the update (SlowClusterOperator)',
    ])
  })

  const trouble = (type: string, status: string, name: string) =>
    operatorAt(v1, {
      name,
      status: {
        versions: [{ name: 'operator', version: v1 }],
        conditions: [condition('Available', 'True'), condition(type, status)].slice(type === 'Available' ? 1 : 0),
      },
    })

  it('T103 [ext] is bad when operators are degraded for more than 40 minutes', () => {
    const seen = { operators: [trouble('Degraded', 'True', 'etcd'), trouble('Degraded', 'True', 'dns')] }
    assert.equal(healthy(assessed({}, at('12:40:00'), seen)).healthy, 'True/AsExpected')
    assert.deepEqual(healthy(assessed({}, at('12:41:00'), seen)), {
      healthy: 'False/OperatorsDegraded',
      message: 'Degraded for more than 40 minutes: dns, etcd',
      assessment: 'Degraded',
    })
  })

  it('[ext] is bad when operators are unavailable for more than 20 minutes, which comes before degraded ones', () => {
    const seen = { operators: [trouble('Available', 'False', 'etcd'), trouble('Degraded', 'True', 'dns')] }
    assert.equal(healthy(assessed({}, at('12:20:00'), seen)).healthy, 'True/AsExpected')
    assert.equal(healthy(assessed({}, at('12:50:00'), seen)).message, 'Unavailable for more than 20 minutes: etcd')
  })

  it('[ext] is looked at again when the next limit is passed', () => {
    const seen = { operators: [trouble('Available', 'False', 'etcd')] }
    assert.equal(assessed({}, at('12:19:50'), seen).nextAt, at('12:20:00') + 1)
  })

  const before = (lastObservedProgress: string): ProgressStatus => {
    const { status } = assessed({}, start, { operators: operators(33, 32) })
    assert.ok(status)
    return { ...status, lastObservedProgress: `2025-06-27T${lastObservedProgress}Z` }
  }
  const late = (now: string) => assessed({}, at(now), { operators: operators(33, 32), stored: before('12:40:00') })

  it('T106 [ext] is bad when the update does not move any more', () => {
    const result = late('13:20:00')
    assert.deepEqual(healthy(result), {
      healthy: 'False/UpdateStalled',
      message: 'No progress since 2025-06-27T12:40:00Z; expected to finish by 2025-06-27T13:01:07Z',
      assessment: 'Degraded',
    })
    assert.deepEqual(told(result), ['Error | Update Stalled | Update to 4.18.16 is taking longer than estimated'])
    assert.equal(result.observations[0]?.since, at('12:40:00'))
  })

  it('[ext] is only a matter of speed when it is a little late', () => {
    const result = late('13:00:00')
    assert.equal(healthy(result).healthy, 'True/AsExpected')
    assert.deepEqual(told(result), ['Warning | Update Speed | Update to 4.18.16 is taking longer than estimated'])
    assert.deepEqual(told(late('12:50:00')), [])
  })

  it('[ext] is looked at again when the update becomes late, and when it counts as stalled', () => {
    for (const [now, limit] of [
      ['12:55:00', 0],
      ['13:00:00', 600_000],
    ] as const) {
      const { nextAt = assert.fail() } = late(now)
      const then = assessed({}, nextAt, { operators: operators(33, 32), stored: before('12:40:00') })
      const just = assessed({}, nextAt - 2000, { operators: operators(33, 32), stored: before('12:40:00') })
      const overdue = (result: typeof then, time: Instant) => time - Date.parse(result.status?.estimatedCompletedAt ?? '')
      assert.ok(overdue(then, nextAt) > limit && overdue(just, nextAt - 2000) <= limit + 1000)
    }
  })

  it('[ext] keeps its words while the estimate moves by some seconds', () => {
    const first = late('13:20:00').status
    const second = assessed({}, at('13:21:00'), { operators: operators(33, 32), ...(first === undefined ? {} : { stored: first }) })
    assert.notEqual(second.status?.estimatedCompletedAt, first?.estimatedCompletedAt)
    assert.equal(second.status?.conditions?.[1]?.message, first?.conditions?.[1]?.message)
  })

  it('[ext] is told of a previous update that was never completed', () => {
    const history = [
      entry('Partial', v2, start),
      entry('Partial', v1, start - 1e7, start),
      entry('Completed', v0, start - 9e7, start - 8e7),
    ]
    assert.deepEqual(told(assessed({ history }, at('12:01:00'))), [
      `Warning | None | Previous update to ${v1} never completed, last complete update was ${v0}`,
    ])
    assert.match(told(assessed({ history: history.slice(0, 2) }, at('12:01:00')))[0] ?? '', /last complete update was unknown$/)
  })

  it('[ext] of a cluster at rest is the business of its monitoring, but for a release that was refused', () => {
    const failing = condition('Failing', 'True', { reason: 'ClusterOperatorDegraded' })
    const refused = condition('ReleaseAccepted', 'False', { reason: 'PreconditionChecks', message: 'not upgradeable' })
    const parts = { history: done, conditions: [resting, failing, refused] }
    const rest = assessed(parts, at('14:00:00'))
    assert.deepEqual(told(rest), ['Error | Update Stalled | Requested release is not accepted (PreconditionChecks)'])
    assert.deepEqual([healthy(rest).healthy, healthy(rest).assessment], ['False/ClusterVersionFailing', 'Completed'])
    assert.equal(told(assessed(parts, at('14:00:00'), { outdatedNodes: 1 })).length, 2)
  })
})
