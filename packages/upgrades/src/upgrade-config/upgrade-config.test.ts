import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { UpgradeConfig } from '@windlass/api'
import { aReleaseDigest } from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { GaugeBoard, setGauge, valueOf } from '../metrics/index.ts'
import { at, configured, minute, now, theCluster, theUpgrade } from '../testing/index.ts'
import {
  Annotation,
  entryOf,
  historyOf,
  isOurs,
  isReasonToLook,
  openEntry,
  readinessOf,
  reapplied,
  recordedFailures,
  recordedSamples,
  stepConditions,
  withCondition,
  type HistoryEntry,
} from './index.ts'
import { withRenamedEntry } from './history.ts'

const empty: HistoryEntry = { version: '4.4.6', phase: 'Upgrading', conditions: [] }

describe('conditions', () => {
  it('C10 keep their place and their time of transition when only the message changes', () => {
    const first = withCondition(empty, { type: 'UpgradeCommenced', status: 'False', message: 'a' }, now)
    const both = withCondition(first, { type: 'ControlPlaneUpgraded', status: 'False', message: 'b' }, now)
    const later = withCondition(both, { type: 'UpgradeCommenced', status: 'False', message: 'c' }, now + minute)
    assert.deepEqual(later.conditions?.[1], {
      type: 'UpgradeCommenced',
      status: 'False',
      message: 'c',
      lastProbeTime: at(1),
      lastTransitionTime: at(0),
    })
  })

  it('C10 of a new type go to the front, and a new status moves the time of transition', () => {
    const first = withCondition(empty, { type: 'UpgradeCommenced', status: 'False' }, now)
    const both = withCondition(first, { type: 'ControlPlaneUpgraded', status: 'False' }, now)
    assert.deepEqual(
      both.conditions?.map(({ type }) => type),
      ['ControlPlaneUpgraded', 'UpgradeCommenced'],
    )
    const changed = withCondition(both, { type: 'UpgradeCommenced', status: 'True' }, now + minute)
    assert.equal(changed.conditions?.[1]?.lastTransitionTime, at(1))
  })

  it('C10 are unique by type and newest first, whatever is set in whatever order', () => {
    const change = fc.record({ type: fc.constantFrom(...stepConditions), status: fc.constantFrom('True' as const, 'False' as const) })
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        let entry = empty
        const seen: string[] = []
        for (const [index, next] of changes.entries()) {
          entry = withCondition(entry, next, now + index * minute)
          if (!seen.includes(next.type)) seen.unshift(next.type)
        }
        assert.deepEqual(
          (entry.conditions ?? []).map(({ type }) => type),
          seen,
        )
      }),
    )
  })
})

describe('events', () => {
  it('R01 are about one name only', () => {
    assert.ok(isOurs(theUpgrade()))
    assert.ok(!isOurs({ metadata: { name: 'other-name' } }))
  })

  const before = theUpgrade({ entry: { phase: 'Pending' } })
  const changed = (change: Partial<UpgradeConfig>): UpgradeConfig => ({
    ...before,
    ...change,
    metadata: { ...before.metadata, resourceVersion: '2', ...change.metadata },
  })

  it('R02 pass when the status is the same, and are dropped when it is not', () => {
    assert.ok(isReasonToLook(before, changed({ spec: { ...before.spec, PDBForceDrainTimeout: 30 } })))
    assert.ok(!isReasonToLook(before, changed({ status: { history: [] } })))
  })

  it('R02 of a resync pass', () => assert.ok(isReasonToLook(before, before)))

  it('R02 that change nothing but our own annotations are dropped', () => {
    const sent = { [Annotation.sentNotifications]: '4.4.6/StateStarted' }
    assert.ok(!isReasonToLook(before, changed({ metadata: { ...before.metadata, resourceVersion: '2', annotations: sent } })))
    const others = { ...sent, theirs: 'a' }
    assert.ok(isReasonToLook(before, changed({ metadata: { ...before.metadata, resourceVersion: '2', annotations: others } })))
  })
})

describe('the history', () => {
  it('R04 begins with New, and remembers where the cluster comes from', () => {
    const [entry] = openEntry(theUpgrade(), theCluster({ completed: ['4.4.6', '4.4.5'] }), now)
    assert.deepEqual(entry, { version: '4.4.6', precedingVersion: '4.4.5', phase: 'New', conditions: [] })
  })

  it('R05 Δ43 begins with Upgrading on a cluster that is on its way', () => {
    for (const cluster of [
      theCluster({ desiredUpdate: { version: '4.4.6' } }),
      theCluster({ partial: { version: '4.4.6', since: at(-5) } }),
    ]) {
      const [entry] = openEntry(theUpgrade(), cluster, now)
      assert.deepEqual([entry?.phase, entry?.startTime], ['Upgrading', at(0)])
    }
  })

  it('R05 begins with New for an image whose version nobody knows yet, though the cluster is on its way there', () => {
    const image = aReleaseDigest('4.4.6')
    const cluster = theCluster({ desiredUpdate: { image }, partial: { version: '4.4.6', since: at(-5) } })
    assert.equal(openEntry(theUpgrade({ spec: { desired: { image } } }), cluster, now)[0]?.phase, 'New')
    assert.equal(openEntry(theUpgrade({ spec: { desired: { image, version: '4.4.6' } } }), cluster, now)[0]?.phase, 'Upgrading')
  })

  it('R19 Δ04 begins with New when too little is desired', () => {
    const [entry] = openEntry(theUpgrade({ spec: { desired: { version: '4.4.6' } } }), theCluster(), now)
    assert.equal(entry?.phase, 'New')
  })

  it('R21 puts a new version first and leaves the old entry as a record', () => {
    const edited = { ...theUpgrade({ entry: {} }), spec: { ...theUpgrade().spec, desired: { version: '4.4.7', channel: 'fast-4.4' } } }
    const history = openEntry(edited, theCluster({ partial: { version: '4.4.6', since: at(-5) } }), now)
    assert.deepEqual(
      history.map(({ version, phase }) => `${version} ${phase}`),
      ['4.4.7 New', '4.4.6 Upgrading'],
    )
  })

  it('is left alone when it has an entry for the version', () => {
    const upgrade = theUpgrade({ entry: {} })
    assert.equal(openEntry(upgrade, theCluster(), now), historyOf(upgrade))
  })

  it('Δ08 names the entry of an image whose version became known, and never leaves two', () => {
    const stale: HistoryEntry = { version: '', phase: 'Pending' }
    assert.deepEqual(withRenamedEntry([stale], '', '4.7.13'), [{ version: '4.7.13', phase: 'Pending' }])
    const known: HistoryEntry = { version: '4.7.13', phase: 'Upgrading' }
    assert.deepEqual(withRenamedEntry([stale, known], '', '4.7.13'), [known])
  })

  it('takes the desired version when nothing else was completed', () => {
    const cluster = theCluster({ completed: [], partial: { version: '4.4.5', since: at(-5) } })
    assert.equal(openEntry(theUpgrade(), cluster, now)[0]?.precedingVersion, '4.4.5')
  })
})

describe('a conflict', () => {
  it('R18 Δ06 keeps what the other writer wrote, on both sides', () => {
    const stored: HistoryEntry = { ...empty, workerStartTime: at(-3) }
    const ours: HistoryEntry = { ...withCondition(empty, { type: 'UpgradeCommenced', status: 'True' }, now), startTime: at(-9) }
    const [controller] = reapplied([stored], ours, 'controller')
    assert.equal(controller?.workerStartTime, at(-3))
    assert.equal(controller?.conditions?.length, 1)
    const [pool] = reapplied([ours], { ...empty, workerCompleteTime: at(0) }, 'worker pool')
    assert.deepEqual([pool?.conditions?.length, pool?.workerCompleteTime, pool?.startTime], [1, at(0), at(-9)])
  })

  it('R18 takes away what this writer has taken away', () => {
    const [entry] = reapplied([{ ...empty, completeTime: at(-1) }], empty, 'controller')
    assert.equal(entry?.completeTime, undefined)
  })
})

describe('the schedule', () => {
  const on = (upgradeAt: string) => readinessOf(theUpgrade({ spec: { upgradeAt } }), configured({}), now)

  it('is kept to the millisecond: strictly after its time', () => {
    assert.deepEqual(on(at(0)), { isReady: false, remaining: 0, isBreached: false })
    assert.deepEqual(on(formatTime(now - 1000)), { isReady: true, remaining: 0, isBreached: false })
    assert.deepEqual(on(at(3)), { isReady: false, remaining: 180_000, isBreached: false })
  })

  it('R11 that is long past starts at once, and says so', () => {
    assert.deepEqual(on('2029-01-01T00:00:00Z'), { isReady: true, remaining: 0, isBreached: true })
  })

  it('V02 understands offsets', () => assert.equal(on('2030-01-01T15:00:00+02:00').remaining, 60 * minute))

  it('that cannot be read is never ready', () => assert.deepEqual(on('soon'), { isReady: false, remaining: 0, isBreached: false }))
})

describe('the entry of an upgrade', () => {
  it('is found by the exact version', () => {
    assert.equal(entryOf(theUpgrade({ entry: {} }))?.version, '4.4.6')
    assert.equal(entryOf({ ...theUpgrade({ entry: {} }), spec: theUpgrade({ version: '4.4.60' }).spec }), undefined)
  })
})

describe('gauges of a process that has just started', () => {
  const labels = { upgradeconfig_name: 'managed-upgrade-config' }
  const skipped = { [Annotation.sentNotifications]: '4.4.6/StateStarted,4.4.6/StateSkipped' }

  it('say again that extra workers did not come, unless they have since', () => {
    const upgrading = theUpgrade({ entry: {}, annotations: skipped })
    assert.deepEqual(recordedFailures(upgrading), [{ name: 'upgradeoperator_scaling_failed', labels, value: 1 }])
    const board = new GaugeBoard()
    board.change(setGauge('upgradeoperator_scaling_failed', labels, 0))
    board.publishMissing(recordedFailures(upgrading))
    assert.equal(valueOf(board.series, 'upgradeoperator_scaling_failed', labels), 0)
    assert.deepEqual(recordedFailures(theUpgrade({ entry: { phase: 'Upgraded' }, annotations: skipped })), [])
  })

  it('say again that the window was missed', () => {
    const entry = withCondition({ ...empty, phase: 'Failed' }, { type: 'FailedUpgrade', status: 'True' }, now)
    const breached = [{ name: 'upgradeoperator_upgrade_window_breached', labels, value: 1 }]
    assert.deepEqual(recordedFailures(theUpgrade({ entry, annotations: skipped })), breached)
    assert.deepEqual(recordedSamples(theUpgrade({ entry, annotations: skipped }), theCluster()), [])
  })

  it('say again what was told', () => {
    const told = recordedSamples(theUpgrade({ entry: {}, annotations: skipped }), theCluster())
    assert.deepEqual(
      told.map(({ labels: { event } }) => event),
      ['StateStarted', 'StateSkipped'],
    )
  })
})
