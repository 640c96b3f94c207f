import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Registry } from 'prom-client'
import { seen, unseen } from '../observed/index.ts'
import { at, theCluster, theUpgrade } from '../testing/index.ts'
import { exposeCollector, exposeGauges, GaugeBoard, setGauge } from './index.ts'

/** The specification's tables: every name with its labels. */
const operatorGauges: Readonly<Record<string, readonly string[]>> = {
  upgradeoperator_upgradeconfig_validation_failed: ['upgradeconfig_name'],
  upgradeoperator_scaling_failed: ['upgradeconfig_name'],
  upgradeoperator_upgrade_window_breached: ['upgradeconfig_name'],
  upgradeoperator_controlplane_timeout: ['upgradeconfig_name', 'version'],
  upgradeoperator_healthcheck_failed: ['upgradeconfig_name', 'state', 'version', 'reason'],
  upgradeoperator_worker_timeout: ['upgradeconfig_name', 'version'],
  upgradeoperator_node_drain_timeout: ['node_name'],
  upgradeoperator_upgrade_notification: ['upgradeconfig_name', 'event', 'version'],
  upgrade_notification_failed: ['upgradeconfig_name', 'event'],
  upgradeoperator_upgradeconfig_sync_timestamp: ['upgradeconfig_name'],
  upgradeoperator_upgrade_started_timestamp: ['_id', 'upgradeconfig_name', 'version'],
  upgradeoperator_upgrade_completed_timestamp: ['_id', 'upgradeconfig_name', 'version'],
  upgradeoperator_controlplane_upgrade_started_timestamp: ['_id', 'upgradeconfig_name', 'version'],
  upgradeoperator_controlplane_upgrade_completed_timestamp: ['_id', 'upgradeconfig_name', 'version'],
  upgradeoperator_workernode_upgrade_started_timestamp: ['_id', 'upgradeconfig_name', 'version'],
  upgradeoperator_workernode_upgrade_completed_timestamp: ['_id', 'upgradeconfig_name', 'version'],
  upgradeoperator_upgrade_result: ['upgradeconfig_name', 'preceding_version', 'stream', 'version', 'alerts'],
}

const fromTo = ['version', 'desired_version']
const ofStep = ['upgradeconfig_name', ...fromTo, 'condition']

const collectorGauges: Readonly<Record<string, readonly string[]>> = {
  managed_upgrade_upgrade_scheduled: [...fromTo, 'phase'],
  managed_upgrade_upgrade_pdb_timeout_minutes: fromTo,
  managed_upgrade_upgrade_start_timestamp: [...fromTo, 'phase'],
  managed_upgrade_upgrade_complete_timestamp: [...fromTo, 'phase'],
  managed_upgrade_condition_notification_start_timestamp: ofStep,
  managed_upgrade_condition_health_check_timestamp: ofStep,
  managed_upgrade_condition_external_dep_check_timestamp: ofStep,
  managed_upgrade_condition_capacity_added_timestamp: ofStep,
  managed_upgrade_condition_control_plane_maint_start_timestamp: ofStep,
  managed_upgrade_condition_control_plane_upgrade_start_timestamp: ofStep,
  managed_upgrade_condition_control_plane_completion_timestamp: ofStep,
  managed_upgrade_condition_control_plane_maint_removed_timestamp: ofStep,
  managed_upgrade_condition_workers_maint_start_timestamp: ofStep,
  managed_upgrade_condition_workers_upgraded_timestamp: ofStep,
  managed_upgrade_condition_capacity_removed_timestamp: ofStep,
  managed_upgrade_condition_workers_maint_removed_timestamp: ofStep,
  managed_upgrade_condition_post_upgrade_healthcheck_timestamp: ofStep,
  managed_upgrade_condition_notification_complete_timestamp: ofStep,
  managed_upgrade_collector_scrape_failed: [],
  upgradeoperator_upgrade_state_timestamp: ['version', 'state'],
}

/** Every metric that is registered, with its labels. */
function registered(registry: Registry): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    registry
      .getMetricsAsArray()
      .map((metric) => [metric.name, (metric as unknown as { readonly labelNames: readonly string[] }).labelNames]),
  )
}

const samples = (text: string): readonly string[] => text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))

describe('what a scrape sees', () => {
  it('every gauge of the operator, with the labels of the specification, as the board says now', async () => {
    const registry = new Registry()
    const board = new GaugeBoard()
    await exposeGauges(board, registry)
    assert.deepEqual(registered(registry), operatorGauges)
    assert.deepEqual(samples(await registry.metrics()), [])
    board.change(setGauge('upgradeoperator_node_drain_timeout', { node_name: 'worker-0' }, 1))
    assert.deepEqual(samples(await registry.metrics()), ['upgradeoperator_node_drain_timeout{node_name="worker-0"} 1'])
    board.change({ do: 'drop', names: ['upgradeoperator_node_drain_timeout'], where: {} })
    assert.deepEqual(samples(await registry.metrics()), [])
  })

  it('every metric of the collector, with the labels of the specification', async () => {
    const registry = new Registry()
    await exposeCollector(() => Promise.resolve({ upgradeConfig: seen(undefined), clusterVersion: seen(theCluster()) }), registry)
    assert.deepEqual(registered(registry), collectorGauges)
    assert.equal(Object.keys(collectorGauges).length, 20)
  })

  it('what is derived from the UpgradeConfig, read once for all of it', async () => {
    const registry = new Registry()
    let looks = 0
    const upgradeConfig = theUpgrade({ entry: { startTime: at(-10) } })
    await exposeCollector(() => {
      looks++
      return Promise.resolve({ upgradeConfig: seen(upgradeConfig), clusterVersion: seen(theCluster()) })
    }, registry)
    const text = await registry.metrics()
    assert.equal(looks, 1)
    assert.match(text, /managed_upgrade_upgrade_scheduled\{version="4\.4\.5",desired_version="4\.4\.6",phase="Upgrading"\} \d+/)
    assert.match(text, /managed_upgrade_collector_scrape_failed 0/)
  })

  it('T04 Δ39 that something could not be read, and the rest all the same', async () => {
    const registry = new Registry()
    await exposeCollector(() => Promise.resolve({ upgradeConfig: unseen('no answer'), clusterVersion: seen(theCluster()) }), registry)
    assert.deepEqual(samples(await registry.metrics()), ['managed_upgrade_collector_scrape_failed 1'])
  })
})
