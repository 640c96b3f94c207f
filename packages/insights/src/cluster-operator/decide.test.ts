import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ClusterOperator, ClusterOperatorProgressInsight, type ClusterVersion, UpdateHealthInsight } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { CacheChange } from '@windlass/kube'
import { aClusterVersion, at, condition, describePlan, entry, operatorAt, start, stored, statusIn, v1, v2 } from '../testing/index.ts'
import { assessClusterOperator } from './assess.ts'
import { decide, type Observed } from './decide.ts'
import { updateChanged } from './index.ts'

type Condition = ReturnType<typeof condition>

const etcd = (version: string, conditions: readonly Condition[]): ClusterOperator =>
  operatorAt(version, { name: 'etcd', status: { versions: [{ name: 'operator', version }], conditions } })

const judged = (version: string, ...conditions: readonly Condition[]) => {
  const [updating = assert.fail(), healthy = assert.fail()] =
    assessClusterOperator(etcd(version, conditions), v2, undefined, start).conditions ?? []
  return {
    updating: `${updating.status}/${updating.reason}`,
    words: updating.message,
    healthy: `${healthy.status}/${healthy.reason}`,
    why: healthy.message,
  }
}

describe('how the update of an operator goes', () => {
  it('T72 one that has the version is updated, whatever else it does', () => {
    const { updating, words } = judged(v2, condition('Progressing', 'True', { message: 'x' }))
    assert.deepEqual([updating, words], ['False/Updated', 'Progressing=True: x'])
  })

  it('T73 one that does not, and does nothing, waits', () => {
    assert.equal(judged(v1, condition('Progressing', 'False')).updating, 'False/Pending')
    assert.equal(judged(v1, condition('Progressing', 'True')).updating, 'True/Progressing')
  })

  it('T74 one that says nothing may do anything', () => {
    const { updating, words } = judged(v1)
    assert.deepEqual([updating, words], ['Unknown/CannotDetermine', ''])
    assert.equal(judged(v1, condition('Progressing', 'Unknown')).updating, 'Unknown/CannotDetermine')
  })

  it('T75 one that is unavailable is not healthy, and that it is degraded too is of no interest', () => {
    const { healthy, why } = judged(
      v1,
      condition('Available', 'False', { message: 'down' }),
      condition('Degraded', 'True', { message: 'sick' }),
    )
    assert.deepEqual([healthy, why], ['False/Unavailable', 'down'])
    assert.equal(judged(v1, condition('Available', 'Unknown')).healthy, 'False/Unavailable')
  })

  it('T76 one that is degraded is not healthy', () => {
    const { healthy, why } = judged(v1, condition('Available', 'True'), condition('Degraded', 'True', { message: 'sick' }))
    assert.deepEqual([healthy, why], ['False/Degraded', 'sick'])
    assert.equal(judged(v1, condition('Available', 'True')).healthy, 'True/AsExpected')
  })

  it('T77 one that does not say whether it is available may be anything', () => {
    const { healthy, why } = judged(v1, condition('Degraded', 'True'))
    assert.equal(healthy, 'Unknown/CannotDetermine')
    assert.match(why, /the available condition is not found in the cluster operator's status$/)
  })

  it('drops conditions of others and keeps the order', () => {
    const first = assessClusterOperator(etcd(v1, []), v2, undefined, start)
    const foreign = { type: 'Foreign', status: 'True', reason: 'R', message: '', lastTransitionTime: '2025-01-01T00:00:00Z' } as const
    const second = assessClusterOperator(etcd(v1, []), v2, { ...first, conditions: [foreign, ...(first.conditions ?? [])] }, at('12:30:00'))
    assert.deepEqual(second, first)
  })
})

const observed = (parts: Partial<Observed> = {}): Observed => ({
  name: 'etcd',
  operator: etcd(v1, [condition('Available', 'True'), condition('Progressing', 'False')]),
  insight: undefined,
  clusterVersion: aClusterVersion(),
  health: [],
  isInProgress: true,
  ...parts,
})

/** What is there once everything is written. */
function settled(parts: Partial<Observed>, now: Instant): Observed {
  let seen = observed(parts)
  for (let pass = 0; pass < 3; pass++) {
    const plan = decide(seen, now)
    const [insight] = stored(plan, ClusterOperatorProgressInsight, seen.insight === undefined ? [] : [seen.insight])
    seen = { ...seen, insight, health: stored(plan, UpdateHealthInsight, seen.health) }
  }
  return seen
}

describe('a look at an operator', () => {
  it('creates the insight and writes its status, once', () => {
    assert.deepEqual(describePlan(decide(observed(), start)), [
      'create ClusterOperatorProgressInsight etcd',
      'status ClusterOperatorProgressInsight etcd',
    ])
    assert.deepEqual(decide(settled({}, start), at('12:30:00')).actions, [])
  })

  it('T78 without a cluster version touches nothing', () => {
    assert.deepEqual(decide(observed({ clusterVersion: undefined }), start).actions, [])
    const seen = settled({}, start)
    const changed = etcd(v2, [])
    assert.deepEqual(decide({ ...seen, operator: changed, clusterVersion: undefined }, start).actions, [])
  })

  it('deletes the insight of one that is gone, or not part of the release', () => {
    const seen = settled({}, start)
    assert.deepEqual(describePlan(decide({ ...seen, operator: undefined, clusterVersion: undefined }, start)), [
      'delete ClusterOperatorProgressInsight etcd',
    ])
    assert.deepEqual(decide(observed({ operator: undefined }), start), { actions: [] })
  })

  it('writes what has changed', () => {
    const seen = { ...settled({}, start), operator: etcd(v2, [condition('Available', 'True')]) }
    assert.equal(statusIn(decide(seen, start), ClusterOperatorProgressInsight)?.conditions?.[0]?.reason, 'Updated')
  })
})

describe('the health insights of an operator', () => {
  const told = (parts: Partial<Observed>, now: Instant): readonly string[] =>
    settled(parts, now).health.map(({ status }) => `${status?.impact.level} | ${status?.impact.type} | ${status?.impact.summary}`)
  const degraded = etcd(v1, [
    condition('Available', 'True'),
    condition('Degraded', 'True', { reason: 'EtcdMembers_UnhealthyMembers', message: '2 of 3 members are available' }),
  ])
  const summary = 'Cluster Operator etcd is degraded (EtcdMembers_UnhealthyMembers)'

  it('T103 [ext] a degraded one is a warning after five minutes, an error after forty', () => {
    assert.deepEqual(told({ operator: degraded }, at('12:05:00')), [])
    assert.deepEqual(told({ operator: degraded }, at('12:39:00')), [`Warning | API Availability | ${summary}`])
    assert.deepEqual(told({ operator: degraded }, at('12:41:00')), [`Error | API Availability | ${summary}`])
    const [insight] = settled({ operator: degraded }, at('12:41:00')).health
    assert.deepEqual([insight?.metadata.name, insight?.status?.startedAt], ['co-lnkkhdob6dc64yg3i5llny5s54', '2025-06-27T12:00:00Z'])
  })

  it('T104 [ext] one that is unavailable is none for five minutes, then a warning, after twenty an error', () => {
    const operator = etcd(v1, [condition('Available', 'False')])
    assert.deepEqual(told({ operator }, at('12:04:00')), [])
    assert.deepEqual(told({ operator }, at('12:06:00')), ['Warning | API Availability | Cluster Operator etcd is unavailable'])
    assert.deepEqual(told({ operator }, at('12:21:00')), ['Error | API Availability | Cluster Operator etcd is unavailable'])
    assert.equal(settled({ operator }, at('12:06:00')).health[0]?.status?.impact.description, '<no message>')
  })

  it('[ext] in a cluster that is simulated sixty times as fast, minutes are seconds', () => {
    const seen = settled({ operator: etcd(v1, [condition('Available', 'True')]) }, start)
    const levels = (now: Instant): readonly string[] =>
      stored(decide({ ...seen, operator: degraded }, now, 60), UpdateHealthInsight).map(({ status }) => status?.impact.level ?? '')
    assert.deepEqual([levels(at('12:00:05')), levels(at('12:00:06')), levels(at('12:00:41'))], [[], ['Warning'], ['Error']])
  })

  it('[ext] one that takes longer than others do is a warning', () => {
    const slow = (name: string, minutes: number) => {
      const operator = operatorAt(v1, { name, status: { conditions: [condition('Available', 'True'), condition('Progressing', 'True')] } })
      const begun = settled({ name, operator }, start)
      return told({ ...begun }, start + minutes * 60_000)
    }
    assert.deepEqual(slow('etcd', 30), [])
    assert.deepEqual(slow('etcd', 31), ['Warning | Update Speed | Cluster Operator etcd is updating longer than expected'])
    assert.deepEqual(slow('machine-config', 90), [])
    assert.equal(slow('machine-config', 91).length, 1)
  })

  it('[ext] are looked at again when the next limit is passed, and only while an update is in progress', () => {
    assert.equal(decide(settled({ operator: degraded }, at('12:04:00')), at('12:04:00')).requeueAfter, 60_001)
    assert.deepEqual(told({ operator: degraded, isInProgress: false }, at('12:41:00')), [])
    assert.equal(decide(settled({ operator: degraded, isInProgress: false }, start), at('12:04:00')).requeueAfter, undefined)
  })
})

describe('changes of a cluster version that concern everybody', () => {
  const old = aClusterVersion()
  const isReason = (object: ClusterVersion): boolean =>
    updateChanged({ type: 'updated', old, object } satisfies CacheChange<ClusterVersion>)

  it('T79 are those of the update itself, not of words about it', () => {
    const [newest = assert.fail(), previous = assert.fail()] = old.status?.history ?? []
    assert.ok(isReason(aClusterVersion({ history: [entry('Partial', v2, start), newest, previous] })))
    assert.ok(isReason(aClusterVersion({ history: [{ ...newest, image: 'other' }, previous] })))
    assert.ok(isReason(aClusterVersion({ conditions: [] })))
    assert.ok(isReason(aClusterVersion({ desired: '4.18.17' })))
    const reworded = [condition('Progressing', 'True', { message: '5 of 862 done' }), condition('Failing', 'False')]
    assert.ok(!isReason(aClusterVersion({ conditions: reworded })))
  })
})
