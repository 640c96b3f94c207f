import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, machineApi, UpgradeConfig } from '@windlass/api'
import { stepConditions } from '../upgrade-config/index.ts'
import { shown } from '../testing/index.ts'
import { at, type Scene, stage, usualConfig } from './stage.ts'

const policy = { id: 'p1', version: '4.18.16', next_run: at(10), capacity_reservation: true }

const toldToOcm = [
  'started',
  'Cluster is starting with control and worker plane upgrade',
  'Cluster has finished control plane upgrade',
  'Cluster has finished with worker plane upgrade',
  'completed',
]

const comments = (scene: Scene): readonly string[] => scene.outside.alertmanager.live.map(({ comment }) => comment)

function gaugesOf(scene: Scene): Readonly<Record<string, number>> {
  return shown(scene.gauges.get('operator-1')?.series ?? new Map())
}

describe('a whole upgrade of a simulated cluster', () => {
  it('OSD: from a policy of OCM through 17 steps to Upgraded, with every silence, machine and notification, and nothing left behind', async () => {
    const { writes } = await stage(async (scene) => {
      const { outside, world } = scene
      outside.ocm.schedule(policy)
      await world.until(() => scene.entry()?.phase === 'Pending', { within: '3m' })
      assert.deepEqual(scene.upgradeConfig()?.spec, {
        desired: { version: '4.18.16', channel: 'stable-4.18' },
        upgradeAt: at(10),
        PDBForceDrainTimeout: 0,
        type: 'OSD',
        capacityReservation: true,
      })
      await scene.inPhase('Upgrading', '10m')
      assert.equal(scene.entry()?.startTime, at(10))
      await world.until(() => scene.extras().length === 3, { within: '1m' })
      assert.deepEqual(comments(scene), [])
      await world.until(() => scene.conditions().includes('UpgradeCommenced True'), { within: '10m', every: '5s' })
      assert.deepEqual(comments(scene), [
        'Silence for OSD control plane upgrade to version 4.18.16',
        'Silence for critical alerts during OSD control plane upgrade to version 4.18.16',
      ])
      await world.until(() => scene.conditions().includes('WorkersMaintenanceWindowCreated True'), { within: '2h', every: '5s' })
      assert.match(comments(scene).join(), /^Silence for OSD worker node upgrade to version 4\.18\.16 with remaining \d nodes$/)
      await scene.inPhase('Upgraded')
      assert.deepEqual(
        scene.conditions(),
        stepConditions.map((type) => `${type} True`),
      )
      assert.deepEqual(
        outside.ocm.told.map(({ what }) => what),
        toldToOcm,
      )
      const entry = scene.entry()
      assert.ok(entry?.workerStartTime !== undefined && entry.workerCompleteTime !== undefined && entry.completeTime !== undefined)
      assert.equal(entry.precedingVersion, '4.18.15')
      const [newest] = world.state.get(ClusterVersion, { name: 'version' })?.status?.history ?? []
      assert.deepEqual([newest?.version, newest?.state], ['4.18.16', 'Completed'])
      assert.deepEqual([comments(scene), scene.extras(), world.state.list(machineApi.Machine).length], [[], [], 3])
      await world.sleep('2m')
      const gauges = gaugesOf(scene)
      const id = world.state.get(ClusterVersion, { name: 'version' })?.spec.clusterID ?? ''
      const labels = `{_id="${id}",upgradeconfig_name="managed-upgrade-config",version="4.18.16"}`
      assert.equal(gauges[`upgrade_started_timestamp${labels}`], Date.UTC(2026, 0, 1, 0, 10) / 1000)
      assert.equal(gauges[`upgrade_completed_timestamp${labels}`], Date.parse(entry.completeTime) / 1000)
      assert.equal(gauges[`workernode_upgrade_completed_timestamp${labels}`], Date.parse(entry.workerCompleteTime) / 1000)
      const result = 'upgradeconfig_name="managed-upgrade-config",preceding_version="4.18.15",stream="z",version="4.18.16",alerts=""'
      assert.equal(gauges[`upgrade_result{${result}}`], 1)
      assert.equal(gauges['upgradeconfig_validation_failed{upgradeconfig_name="managed-upgrade-config"}'], 0)
      // The policy is completed: OCM wants nothing any more, and the UpgradeConfig goes with the next sync. How it went stays on the gauge.
      await world.until(() => scene.upgradeConfig() === undefined, { within: '20m' })
      // Longer than a resync: when OCM was asked is said all the time, for people are alerted when it is not.
      await world.sleep('6m')
      assert.deepEqual(Object.keys(gaugesOf(scene)).sort(), [
        `upgrade_result{${result}}`,
        'upgradeconfig_sync_timestamp{upgradeconfig_name="managed-upgrade-config"}',
      ])
    })
    const commences = writes.filter(
      (write) => write.as(ClusterVersion)?.spec.desiredUpdate !== undefined && write.was(ClusterVersion)?.spec.desiredUpdate === undefined,
    )
    assert.equal(commences.length, 1)
    const clones = writes.filter((write) => write.isOf(machineApi.MachineSet) && write.verb === 'create')
    assert.equal(clones.length, 3)
  })

  it('ARO: written by hand, through 14 steps to Upgraded, with the log as the only one who is told', async () => {
    await stage(
      async (scene) => {
        const { outside, world } = scene
        await scene.configure(usualConfig.replace('source: OCM', 'source: LOCAL, localConfigName: managed-upgrade-config'))
        await scene.ask({ type: 'ARO', capacityReservation: false })
        await scene.inPhase('Upgraded')
        const osdOnly = ['IsClusterUpgradable', 'PostUpgradeTasksCompleted']
        assert.deepEqual(
          scene.conditions(),
          stepConditions.filter((type) => !osdOnly.includes(type)).map((type) => `${type} True`),
        )
        assert.deepEqual(outside.ocm.told, [])
        assert.match(
          scene.upgradeConfig()?.metadata.annotations?.['upgrade.managed.openshift.io/sent-notifications'] ?? '',
          /^4\.18\.16\/StateStarted,.*,4\.18\.16\/StateCompleted$/,
        )
        assert.deepEqual([comments(scene), scene.extras()], [[], []])
        await world.until(() => world.state.list(UpgradeConfig).length === 0, { within: '20m' })
      },
      { speed: 4 },
    )
  })
})
