import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClusterOperator } from '@windlass/api'
import * as fixtures from '@windlass/api/fixtures'
import type { Instant } from '@windlass/core'
import type { InsightMode } from '../mode.ts'
import { aClusterVersion, at, condition, entry, operatorAt, operators, start, v0, v1, v2, type VersionParts } from '../testing/index.ts'
import { assessClusterVersion, type ProgressStatus } from './assess.ts'

const modes: readonly InsightMode[] = ['compat', 'extended']
const minute = 60_000
const resting = [condition('Progressing', 'False', { message: 'Cluster version is 4.18.16' }), condition('Failing', 'False')]
const whole: VersionParts = {
  conditions: resting,
  history: [entry('Completed', v2, start, at('13:00:00')), entry('Completed', v1, start - 9e7, start - 8e7)],
}

for (const mode of modes) {
  const assessed = (parts: VersionParts, seen: readonly ClusterOperator[], now: Instant = at('12:10:00'), stored?: ProgressStatus) => {
    const { status } = assessClusterVersion(aClusterVersion(parts), stored, { operators: seen, pools: [] }, now, mode)
    assert.ok(status)
    return status
  }

  describe(`how much of an update is done (${mode})`, () => {
    it('T26 is all of it when it is completed, though an operator may be behind', () => {
      assert.equal(assessed(whole, operators(3, 2)).completionPercent, 100)
    })

    it('T27 counts operators that say nothing as not done', () => {
      const silent = fixtures.aClusterOperator({ name: 'silent', status: {} })
      assert.equal(assessed({}, [...operators(2, 2), silent]).completionPercent, 66)
    })

    it('T28 is rounded down', () => {
      assert.equal(assessed({}, operators(3, 1)).completionPercent, 33)
    })

    it('T29 goes by the version of the operator, not of its parts', () => {
      const odd = fixtures.aClusterOperator({ status: { versions: [{ name: 'not-operator', version: v2 }] } })
      assert.equal(assessed({}, [odd]).completionPercent, 0)
    })

    it('T30 is nothing without operators', () => {
      assert.equal(assessed({}, []).completionPercent, 0)
    })

    it('T31 may be all of it while the version operator is still at work', () => {
      const { completionPercent, assessment } = assessed({}, operators(33, 33))
      assert.deepEqual([completionPercent, assessment], [100, 'Progressing'])
    })

    it('T32 is exact', () => {
      for (let updated = 0; updated <= 100; updated++) assert.equal(assessed({}, operators(100, updated)).completionPercent, updated)
    })

    it('T33 is counted against the desired version, which also stands in for one that the record does not name', () => {
      const { versions, completionPercent } = assessed({ desired: v2, history: [entry('Partial', '', start)] }, operators(2, 1))
      assert.deepEqual([versions.target.version, completionPercent], [v2, 50])
    })

    it('an operator without a version does not match a desired version that is not known', () => {
      const silent = fixtures.aClusterOperator({ name: 'silent', status: {} })
      assert.equal(assessed({ desired: '' }, [silent]).completionPercent, 0)
    })
  })

  describe(`from where to where an update goes (${mode})`, () => {
    it('T34 an installation comes from nowhere', () => {
      assert.deepEqual(assessed({ history: [entry('Partial', v2, start)] }, []).versions, {
        target: { version: v2, metadata: [{ key: 'Installation' }] },
      })
    })

    it('T35 T36 and says when what it comes from was never completed', () => {
      const from = (state: 'Completed' | 'Partial') =>
        assessed({ history: [entry('Partial', v2, start), entry(state, v1, start - 9e7, start)] }, []).versions
      assert.deepEqual(from('Completed'), { target: { version: v2 }, previous: { version: v1 } })
      assert.deepEqual(from('Partial'), { target: { version: v2 }, previous: { version: v1, metadata: [{ key: 'Partial' }] } })
    })

    it('T37 without a record it is an installation of what is desired', () => {
      const status = assessed({ history: [], desired: '4.18.16' }, [])
      assert.deepEqual(status.versions, { target: { version: '4.18.16', metadata: [{ key: 'Installation' }] } })
      assert.deepEqual([status.startedAt, status.estimatedCompletedAt], ['2025-01-01T00:00:00Z', undefined])
    })

    it('leaves out a previous version that could not be written, and keeps what else is known of it', () => {
      const history = [entry('Partial', v2, start), entry('Partial', 'none', start - 9e7, start)]
      assert.deepEqual(assessed({ history }, []).versions.previous, { metadata: [{ key: 'Partial' }] })
    })

    it('says nothing at all without any version that could be written', () => {
      const nameless = aClusterVersion({ desired: '', history: [entry('Partial', '', start)] })
      assert.equal(assessClusterVersion(nameless, undefined, { operators: [], pools: [] }, start, mode).status, undefined)
    })
  })

  describe(`the times of an update (${mode})`, () => {
    it('T38 T39 come from its record, and a completed one is not estimated', () => {
      const conditions = [condition('Progressing', 'False', { since: at('13:01:00') })]
      const { startedAt, completedAt, estimatedCompletedAt } = assessed({ ...whole, conditions }, [])
      assert.deepEqual([startedAt, completedAt, estimatedCompletedAt], ['2025-06-27T12:00:00Z', '2025-06-27T13:00:00Z', undefined])
    })

    it('T40 are those of the record when nobody knows what goes on, and neither end is told', () => {
      const history = [entry('Completed', v2, start, at('13:00:00')), entry('Completed', v1, start - 9e7, start)]
      const status = assessed({ history }, [])
      assert.deepEqual([status.startedAt, status.completedAt, status.estimatedCompletedAt], ['2025-06-27T12:00:00Z', undefined, undefined])
    })

    it('an unknown state is estimated as long as the record runs', () => {
      assert.ok(assessed({ conditions: [] }, operators(3, 0)).estimatedCompletedAt)
    })

    const before = (completionPercent: number, lastObservedProgress: string): ProgressStatus => ({
      ...assessed({}, []),
      completionPercent,
      lastObservedProgress,
    })

    it('T41 the last progress stays while nothing moves', () => {
      const stored = before(33, '2025-06-27T12:03:00Z')
      assert.equal(assessed({}, operators(3, 1), at('12:20:00'), stored).lastObservedProgress, '2025-06-27T12:03:00Z')
    })

    for (const [id, was, seen] of [
      ['T42', 33, operators(3, 2)],
      ['T43', 100, operators(3, 0)],
      ['T44', 40, operators(13, 5)],
    ] as const) {
      it(`${id} and is now when something does, in either direction: from ${was}%`, () => {
        const stored = before(was, '2025-06-27T12:03:00Z')
        assert.equal(assessed({}, seen, at('12:20:00') + 700, stored).lastObservedProgress, '2025-06-27T12:20:00Z')
      })
    }

    it('T45 and is now when it was never seen', () => {
      assert.equal(assessed({}, operators(3, 0), at('12:20:00')).lastObservedProgress, '2025-06-27T12:20:00Z')
    })
  })

  const day = 24 * 60 * minute
  const install = entry('Completed', v0, start - 9 * day, start - 9 * day + 40 * minute)
  const hour: VersionParts = { history: [entry('Partial', v2, start), install] }
  const quick: VersionParts = {
    history: [entry('Partial', v2, start), entry('Completed', v1, start - day, start - day + 20 * minute), install],
  }

  describe(`when an update should be done (${mode})`, () => {
    for (const [id, example, parts, now, done, all, lastProgress, was, expected] of [
      ['T46', 'W1', hour, '12:01:00', 0, 33, '12:00:00', 0, '13:12:00'],
      ['T47', 'W2', quick, '12:10:00', 0, 33, '12:00:00', 0, '12:22:00'],
      ['T48', 'W3', quick, '12:15:00', 0, 33, '12:00:05', 0, '12:21:00'],
      ['T48', 'W4', quick, '12:25:00', 0, 33, '12:00:05', 0, '12:20:50'],
      ['T49', 'W5', hour, '12:05:00', 2, 33, '12:00:00', 0, '13:11:00'],
      ['T49', 'W6', hour, '12:05:01', 2, 33, '12:00:00', 0, '12:52:01'],
      ['T50', 'W7', hour, '12:20:00', 1, 100, '12:00:00', 0, '13:08:00'],
      ['W8', 'W8', hour, '12:30:00', 9, 33, '12:25:00', 27, '13:12:00'],
      ['T51', 'W9', quick, '12:40:00', 1, 2, '12:30:00', 0, '13:55:00'],
      ['T52', 'W10', quick, '12:50:00', 1, 2, '12:40:00', 50, '13:53:00'],
      ['T53', 'W11', hour, '12:50:00', 32, 33, '12:40:00', 96, '12:58:48'],
      ['T53', 'W12', hour, '13:00:00', 32, 33, '12:40:00', 96, '12:57:47'],
      ['T53', 'W13', hour, '13:20:00', 32, 33, '12:40:00', 96, '13:01:07'],
      ['T54', 'W14', hour, '12:58:00', 33, 33, '12:55:00', 100, '12:58:00'],
      ['T55', 'W15', hour, '12:32:00', 30, 33, '12:31:00', 90, '13:04:00'],
      ['T55', 'W16', hour, '12:32:00', 29, 33, '12:31:00', 87, '13:15:00'],
    ] as const) {
      it(`${id} ${example} at ${now}, with ${done} of ${all} operators done: ${expected}`, () => {
        const stored = { ...assessed(parts, []), completionPercent: was, lastObservedProgress: `2025-06-27T${lastProgress}Z` }
        const status = assessed(parts, operators(all, done), at(now), stored)
        assert.equal(status.estimatedCompletedAt, `2025-06-27T${expected}Z`)
        if (status.completionPercent !== was) assert.equal(status.lastObservedProgress, `2025-06-27T${now}Z`)
      })
    }
  })
}

describe('operators that are not part of the release', () => {
  it('T105 do not count, unless nobody is marked as part of it', () => {
    const marked = (count: number, updated: number) =>
      operators(count, updated).map((operator) => ({
        ...operator,
        metadata: { ...operator.metadata, annotations: { 'include.release.openshift.io/self-managed-high-availability': 'true' } },
      }))
    const others = [operatorAt('1.0.0', { name: 'mine' }), operatorAt('1.0.0', { name: 'yours' })]
    const percent = (seen: readonly ClusterOperator[], mode: InsightMode) =>
      assessClusterVersion(aClusterVersion(), undefined, { operators: seen, pools: [] }, start, mode).status?.completionPercent
    assert.equal(percent([...marked(33, 33), ...others], 'extended'), 100)
    assert.equal(percent([...marked(33, 33), ...others], 'compat'), 94)
    assert.equal(percent([...operators(33, 33), ...others], 'extended'), 94)
  })
})

describe('a move to another architecture', () => {
  const history = [entry('Partial', v2, start, undefined, 'multi'), entry('Completed', v2, start - 9e7, start - 8e7, 'amd64')]
  const machineConfig = (status: string) =>
    operatorAt(v2, {
      name: 'machine-config',
      status: { versions: [{ name: 'operator', version: v2 }], conditions: [condition('Progressing', status)] },
    })
  const status = (mode: InsightMode, progressing: string) =>
    assessClusterVersion(
      aClusterVersion({ history }),
      undefined,
      { operators: [machineConfig(progressing), operatorAt(v2)], pools: [] },
      start,
      mode,
    ).status

  it('is told as such, is done when the nodes are, and has no estimate', () => {
    const moving = status('extended', 'True')
    assert.deepEqual(moving?.versions.target.metadata, [{ key: 'Architecture', value: 'multi' }])
    assert.deepEqual([moving.completionPercent, moving.estimatedCompletedAt], [50, undefined])
    assert.equal(status('extended', 'False')?.completionPercent, 100)
  })

  it('is not to the release for all of them where the version operator names another', () => {
    const clusterVersion = aClusterVersion({ history })
    const target = (architecture: string) => {
      const desired = { ...(clusterVersion.status?.desired ?? assert.fail()), architecture }
      const named = { ...clusterVersion, status: { ...(clusterVersion.status ?? assert.fail()), desired } }
      return assessClusterVersion(named, undefined, { operators: [], pools: [] }, start, 'extended').status
    }
    assert.deepEqual(target('Multi')?.versions.target.metadata, [{ key: 'Architecture', value: 'multi' }])
    assert.equal(target('arm64')?.versions.target.metadata, undefined)
    assert.equal(target('arm64')?.estimatedCompletedAt, undefined)
  })

  it('is an update like any other in compat mode', () => {
    const moving = status('compat', 'True')
    assert.deepEqual([moving?.versions.target.metadata, moving?.completionPercent], [undefined, 100])
    assert.ok(moving?.estimatedCompletedAt)
  })
})
