import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import type { ClusterVersion } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { seen, unseen } from '../observed/seen.ts'
import { at, gaugesAfter, minute, now, theCluster, theUpgrade } from '../testing/index.ts'
import { withCondition } from '../upgrade-config/index.ts'
import {
  collect,
  clearGauge,
  dropGauges,
  ephemeralGauges,
  failureGauges,
  gauges,
  noSeries,
  promDuration,
  resultEffects,
  resultQuery,
  type Sample,
  setGauge,
  streamOf,
  timestampSamples,
  valueOf,
  withChange,
} from './index.ts'

describe('the result of an upgrade', () => {
  it('T01 asks for the time of the upgrade, in whole seconds and at least one', () => {
    const entry = { phase: 'Upgraded', startTime: '2030-01-01T11:00:00Z', completeTime: '2030-01-01T12:40:01Z' } as const
    assert.equal(
      resultQuery(entry, parseTime(entry.completeTime) ?? 0),
      'sum by (alertname) (max_over_time(ALERTS{alertstate="firing",severity="critical",alertname=~"UpgradeConfigValidationFailedSRE|UpgradeClusterCheckFailedSRE|' +
        'UpgradeControlPlaneUpgradeTimeoutSRE|UpgradeNodeUpgradeTimeoutSRE|UpgradeNodeDrainFailedSRE"}[1h40m1s] offset 1s))',
    )
    assert.equal(resultQuery({ phase: 'Upgraded' }, now), undefined)
  })

  it('T01 Δ40 writes lengths of time as Prometheus reads them', () => {
    for (const [milliseconds, text] of [
      [0, '1s'],
      [-5000, '1s'],
      [1999, '1s'],
      [60_000, '1m0s'],
      [3_600_000, '1h0m0s'],
      [6_001_000, '1h40m1s'],
    ] satisfies [number, string][]) {
      assert.equal(promDuration(milliseconds), text)
    }
    fc.assert(fc.property(fc.integer(), (milliseconds) => assert.match(promDuration(milliseconds), /^(?!0s)(\d+h\d+m|\d+m)?\d+s$/)))
  })

  it('T02 Δ40 knows a new minor from a new patch', () => {
    assert.deepEqual(
      [streamOf('4.4.5', '4.5.0'), streamOf('4.4.5', '4.4.6'), streamOf('x', '4.4.6'), streamOf('4.4.5', '5.4.0')],
      ['y', 'z', 'unknown', 'y'],
    )
  })

  it('R16 Δ40 leaves one series for a version', () => {
    const upgraded = theUpgrade({ entry: { phase: 'Upgraded' } })
    const shown = gaugesAfter([...resultEffects(upgraded, ['A', 'B']), ...resultEffects(upgraded, [])])
    assert.deepEqual(shown, {
      'upgrade_result{upgradeconfig_name="managed-upgrade-config",preceding_version="4.4.5",stream="z",version="4.4.6",alerts=""}': 1,
    })
    assert.deepEqual(Object.values(gaugesAfter(resultEffects(upgraded, ['A']))), [0])
  })
})

describe('series', () => {
  const drain = (node_name: string, value: number) => setGauge('upgradeoperator_node_drain_timeout', { node_name }, value)

  it('are set, cleared and dropped, and are the same when nothing changed', () => {
    const series = withChange(withChange(noSeries, drain('a', 1)), drain('b', 1))
    assert.equal(withChange(series, drain('a', 1)), series)
    const cleared = withChange(series, clearGauge('upgradeoperator_node_drain_timeout', { node_name: 'a' }))
    assert.deepEqual(
      ['a', 'b'].map((node_name) => valueOf(cleared, 'upgradeoperator_node_drain_timeout', { node_name })),
      [0, 1],
    )
    assert.equal(withChange(noSeries, clearGauge('upgradeoperator_node_drain_timeout')), noSeries)
    assert.equal(withChange(cleared, dropGauges(['upgradeoperator_node_drain_timeout'])).size, 0)
    assert.equal(withChange(cleared, dropGauges(['upgradeoperator_scaling_failed'])), cleared)
  })

  it('R03 Δ45 are all dropped with the UpgradeConfig but for results, and for when the provider was asked', () => {
    assert.deepEqual(
      Object.keys(gauges).filter((name) => !ephemeralGauges.some((ephemeral) => ephemeral === name)),
      ['upgradeoperator_upgradeconfig_sync_timestamp', 'upgradeoperator_upgrade_result'],
    )
    assert.equal(Object.keys(gauges).length, 17)
  })

  it('F01 are dropped with a failure where they are about the attempt', () => {
    assert.deepEqual(
      failureGauges.map((name) => name.replace('upgradeoperator_', '')),
      [
        'upgradeconfig_validation_failed',
        'scaling_failed',
        'controlplane_timeout',
        'healthcheck_failed',
        'worker_timeout',
        'node_drain_timeout',
        'upgrade_notification',
        'upgrade_notification_failed',
        'upgrade_started_timestamp',
      ],
    )
  })
})

describe('timestamps', () => {
  const secondsOf = (text: string) => (parseTime(text) ?? 0) / 1000
  const values = (samples: readonly Sample[]) =>
    Object.fromEntries(samples.map(({ name, value }) => [name.replace('upgradeoperator_', '').replace('_timestamp', ''), value]))

  it('T03 Δ23 are facts, whenever somebody looks', () => {
    const completed = theCluster({ completed: ['4.4.6', '4.4.5'] })
    let entry: NonNullable<NonNullable<ReturnType<typeof theUpgrade>['status']>['history']>[number] = {
      version: '4.4.6',
      phase: 'Upgrading',
      startTime: at(-90),
    }
    entry = withCondition(entry, { type: 'ControlPlaneUpgraded', status: 'True', completeTime: at(-10) }, now)
    const before = timestampSamples(theUpgrade({ entry }), completed)
    for (let pass = 1; pass <= 10; pass++) {
      entry = withCondition(entry, { type: 'ControlPlaneUpgraded', status: 'True', completeTime: at(-10) }, now + pass * minute)
      assert.deepEqual(timestampSamples(theUpgrade({ entry }), completed), before)
    }
    const run = completed.status?.history?.[0]
    assert.equal(values(before)['controlplane_upgrade_completed'], secondsOf(run?.completionTime ?? ''))
    assert.equal(values(before)['upgrade_started'], secondsOf(at(-90)))
    assert.equal(before[0]?.labels['_id'], completed.spec.clusterID)
  })

  it('T03 fall back to when we learned of it', () => {
    let entry: Parameters<typeof withCondition>[0] = { version: '4.4.6', phase: 'Upgrading', startTime: at(-90) }
    for (const [index, type] of (['UpgradeCommenced', 'WorkerNodesUpgraded', 'CompletedNotificationSent'] as const).entries()) {
      entry = withCondition(entry, { type, status: 'True', completeTime: at(-50 + 10 * index) }, now)
    }
    assert.deepEqual(values(timestampSamples(theUpgrade({ entry }), theCluster())), {
      upgrade_started: secondsOf(at(-90)),
      controlplane_upgrade_started: secondsOf(at(-50)),
      workernode_upgrade_completed: secondsOf(at(-40)),
      upgrade_completed: secondsOf(at(-30)),
    })
    assert.deepEqual(timestampSamples(theUpgrade({ entry: { phase: 'Failed', startTime: at(-90) } }), theCluster()), [])
    assert.equal(timestampSamples(theUpgrade({ entry }), undefined)[0]?.labels['_id'], 'unknown')
  })
})

describe('the collector', () => {
  const failedOf = (samples: readonly Sample[]) => samples.find(({ name }) => name === 'managed_upgrade_collector_scrape_failed')?.value
  const find = (samples: readonly Sample[], name: string) => samples.filter((sample) => sample.name === `managed_upgrade_${name}`)

  it('T04 Δ39 answers what it can, and says that it could not say all', () => {
    assert.deepEqual(collect(seen(theUpgrade()), seen(theCluster())), [
      { name: 'managed_upgrade_collector_scrape_failed', labels: {}, value: 1 },
    ])
    const justInstalled: ClusterVersion = theCluster({ completed: ['4.4.6'] })
    const partly = collect(seen(theUpgrade({ entry: { startTime: at(-5) } })), seen(justInstalled))
    assert.equal(failedOf(partly), 1)
    assert.ok(partly.length > 1)
    assert.equal(failedOf(collect(unseen('no'), seen(theCluster()))), 1)
    assert.equal(failedOf(collect(seen(undefined), unseen('no'))), 0)
  })

  it('T05 says when a step began that is not done, and when one was done that is', () => {
    let entry: Parameters<typeof withCondition>[0] = { version: '4.4.6', phase: 'Upgrading', startTime: at(-90) }
    entry = withCondition(entry, { type: 'StartedNotificationSent', status: 'True', startTime: at(-90), completeTime: at(-89) }, now)
    entry = withCondition(entry, { type: 'IsClusterUpgradable', status: 'True', completeTime: at(-80) }, now)
    entry = withCondition(entry, { type: 'ClusterHealthyBeforeUpgrade', status: 'False', startTime: at(-70) }, now)
    const samples = collect(seen(theUpgrade({ entry })), seen(theCluster()))
    const labels = { upgradeconfig_name: 'managed-upgrade-config', version: '4.4.5', desired_version: '4.4.6' }
    const seconds = (minutes: number) => now / 1000 + minutes * 60
    assert.deepEqual(find(samples, 'condition_health_check_timestamp'), [
      { name: 'managed_upgrade_condition_health_check_timestamp', labels: { ...labels, condition: 'False' }, value: seconds(-70) },
    ])
    assert.equal(find(samples, 'condition_notification_start_timestamp')[0]?.value, seconds(-89))
    assert.equal(samples.filter(({ name }) => name.startsWith('managed_upgrade_condition_')).length, 2)
    assert.equal(find(samples, 'upgrade_pdb_timeout_minutes')[0]?.value, 60)
    assert.deepEqual(find(samples, 'upgrade_scheduled')[0]?.labels, { version: '4.4.5', desired_version: '4.4.6', phase: 'Upgrading' })
    assert.equal(failedOf(samples), 0)
  })

  it('T05 comes from the version before once the cluster has arrived', () => {
    const samples = collect(seen(theUpgrade({ entry: {} })), seen(theCluster({ completed: ['4.4.6', '4.4.5'] })))
    assert.equal(find(samples, 'upgrade_scheduled')[0]?.labels['version'], '4.4.5')
  })

  it('tells the moments of each state', () => {
    const entry = {
      startTime: at(-90),
      workerStartTime: at(-40),
      workerCompleteTime: at(-20),
      completeTime: at(-1),
      phase: 'Upgraded' as const,
    }
    const samples = collect(seen(theUpgrade({ entry })), seen(theCluster({ completed: ['4.4.6', '4.4.5'] })))
    assert.deepEqual(
      samples.filter(({ name }) => name === 'upgradeoperator_upgrade_state_timestamp').map(({ labels }) => labels['state']),
      ['scheduled', 'started', 'control_plane_started', 'control_plane_completed', 'workers_started', 'workers_completed', 'finished'],
    )
  })
})
