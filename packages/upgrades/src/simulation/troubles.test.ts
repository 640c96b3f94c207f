import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, ConfigMap, machineApi, UpgradeConfig } from '@windlass/api'
import { failureAnnotation } from '@windlass/simulator'
import { shown } from '../testing/index.ts'
import { Annotation, conditionOf, historyOf } from '../upgrade-config/index.ts'
import { at, configRef, type Scene, type Script, stage, usualConfig } from './stage.ts'

/** The cluster moves fast where a story is not about how long things take. */
const story = (script: Script) => stage(script, { speed: 8 })

const policy = { id: 'p1', version: '4.18.16', next_run: at(10) }
const told = ({ outside }: Scene): readonly string[] => outside.ocm.told.map(({ what }) => what)
const message = (scene: Scene, type: Parameters<typeof conditionOf>[1]): string => {
  const entry = scene.entry()
  return entry === undefined ? '' : (conditionOf(entry, type)?.message ?? '')
}
const gauge = ({ gauges }: Scene, name: string): number | undefined => {
  const found = Object.entries(shown(gauges.get('operator-1')?.series ?? new Map())).find(([key]) => key.startsWith(name))
  return found?.[1]
}
const desiredUpdate = ({ world }: Scene) => world.state.get(ClusterVersion, { name: 'version' })?.spec.desiredUpdate

describe('an upgrade that meets trouble', () => {
  it('F01 fails when alerts keep firing until its window is over: all is taken back, and OCM knows why', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      outside.firing = [{ alertname: 'EtcdDown' }, { alertname: 'EtcdDown' }]
      outside.ocm.schedule(policy)
      await scene.inPhase('Upgrading', '15m')
      await world.sleep('1m')
      assert.match(message(scene, 'ClusterHealthyBeforeUpgrade'), /CriticalAlertsHealthcheckFailed/)
      assert.deepEqual(told(scene), ['started', 'Cluster has encountered healthcheck failure during upgrade'])
      await world.until(() => told(scene).includes('delayed'), { within: '35m' })
      assert.match(outside.ocm.told.at(-1)?.description ?? '', /health alerts are firing.*retry/)
      await scene.inPhase('Failed', '3h')
      assert.deepEqual(told(scene).slice(2), ['delayed', 'failed'])
      assert.match(outside.ocm.told.at(-1)?.description ?? '', /cancelled in the cluster health check/)
      assert.equal(conditionOf(scene.entry() ?? assert.fail(), 'FailedUpgrade')?.status, 'True')
      assert.deepEqual([outside.alertmanager.live, scene.extras(), desiredUpdate(scene)], [[], [], undefined])
      assert.equal(gauge(scene, 'upgrade_window_breached'), 1)
    })
  })

  it('F01 takes back the machines and silences that there are when its window is over at the last step before the update', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await scene.configure(`${usualConfig}upgradeWindow: { timeOut: 40, delayTrigger: 0 }\n`)
      // Nothing speaks against it until its channel is asked, which never offers it.
      outside.ocm.schedule({ ...policy, version: '4.19.77' })
      await world.until(() => message(scene, 'UpgradeCommenced').includes('to offer 4.19.77'), { within: '40m' })
      assert.deepEqual([scene.extras().length, outside.alertmanager.live.length], [3, 2])
      await scene.inPhase('Failed', '1h')
      assert.deepEqual([outside.alertmanager.live, scene.extras(), desiredUpdate(scene)], [[], [], undefined])
      assert.deepEqual(told(scene), ['started', 'failed'])
      await world.until(() => world.state.list(machineApi.Machine).length === 3, { within: '20m' })
    })
  })

  it('P05 F04 is refused by a cluster that is not upgradeable, and fails with the words of that', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await world.client.patch(
        ClusterVersion,
        { name: 'version' },
        { metadata: { annotations: { [failureAnnotation]: 'not-upgradeable' } } },
      )
      outside.ocm.schedule({ ...policy, version: '4.19.1' })
      await scene.inPhase('Upgrading', '15m')
      await world.sleep('1m')
      assert.match(
        message(scene, 'IsClusterUpgradable'),
        /^cluster upgrade to version 4\.19\.1 on Thu Jan {2}1 00:10:00 UTC 2026 has been cancelled/,
      )
      await scene.inPhase('Failed', '3h')
      assert.equal(outside.ocm.told.at(-1)?.description, message(scene, 'IsClusterUpgradable'))
      assert.deepEqual([scene.extras(), desiredUpdate(scene)], [[], undefined])
    })
  })

  it('is not begun when it is called off a moment before, and taken back when it has begun and not commenced', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      outside.ocm.schedule(policy)
      await scene.inPhase('Pending', '3m')
      outside.ocm.cancel('p1')
      await world.until(() => scene.upgradeConfig() === undefined, { within: '20m' })
      assert.deepEqual([told(scene), scene.extras(), world.clock.now() < Date.parse(at(12))], [[], [], true])
      outside.ocm.schedule({ id: 'p2', version: '4.18.17', next_run: at(40) })
      await world.until(() => scene.extras().length === 3, { within: '1h' })
      await world.client.patch(ClusterOperator, { name: 'etcd' }, { metadata: { annotations: { [failureAnnotation]: 'degraded' } } })
      outside.ocm.cancel('p2')
      outside.down.add('dependencies')
      await world.until(() => scene.upgradeConfig() === undefined, { within: '30m' })
      await world.until(() => world.state.list(machineApi.Machine).length === 3, { within: '20m' })
      assert.deepEqual([outside.alertmanager.live, scene.extras(), desiredUpdate(scene)], [[], [], undefined])
    })
  })

  it('R21 starts a new entry when its version is edited in the middle, which waits for the cluster to settle', async () => {
    await story(async (scene) => {
      const { world } = scene
      await scene.configure(usualConfig.replace('source: OCM', 'source: LOCAL, localConfigName: managed-upgrade-config'))
      await scene.ask()
      await world.until(() => desiredUpdate(scene)?.version === '4.18.16', { within: '1h' })
      await world.sleep('2m')
      await scene.edit({ desired: { version: '4.18.17' } })
      await world.until(() => scene.entry()?.phase === 'Pending', { within: '6m' })
      await world.sleep('6m')
      const upgradeConfig = scene.upgradeConfig() ?? assert.fail()
      assert.deepEqual(
        historyOf(upgradeConfig).map(({ version = '', phase }) => `${version} ${phase}`),
        ['4.18.17 Pending', '4.18.16 Upgrading'],
      )
      assert.equal(desiredUpdate(scene)?.version, '4.18.16')
      await scene.inPhase('Upgraded')
      assert.equal(desiredUpdate(scene)?.version, '4.18.17')
      assert.deepEqual([scene.outside.alertmanager.live, scene.extras()], [[], []])
    })
  })

  it('Δ38 Δ46 N05 keeps going when OCM moves it after it has commenced, takes over what changed, and ends though its policy is withdrawn', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      outside.ocm.schedule(policy)
      await world.until(() => desiredUpdate(scene)?.version === '4.18.16', { within: '1h' })
      const uid = scene.upgradeConfig()?.metadata.uid
      const started = scene.entry()?.startTime
      outside.ocm.cluster = { ...outside.ocm.cluster, node_drain_grace_period: { value: 2, unit: 'hours' } }
      await world.until(() => scene.upgradeConfig()?.spec.PDBForceDrainTimeout === 120, { within: '20m' })
      outside.ocm.cancel('p1')
      await scene.inPhase('Upgraded')
      assert.deepEqual([scene.upgradeConfig()?.metadata.uid, scene.entry()?.startTime], [uid, started])
      // Each log once, whoever withdrew what; and nobody waits for the end of a policy that is not there.
      assert.deepEqual(told(scene), [
        'started',
        'Cluster is starting with control and worker plane upgrade',
        'Cluster has finished control plane upgrade',
        'Cluster has finished with worker plane upgrade',
      ])
      await world.until(() => scene.upgradeConfig() === undefined, { within: '20m' })
      assert.deepEqual([outside.alertmanager.live, scene.extras()], [[], []])
    })
  })

  it('Δ31 that was begun by another operator is not told of again, neither in the first pass nor in later ones', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      outside.ocm.schedule(policy)
      await world.until(() => scene.conditions().includes('ControlPlaneUpgraded True'), { within: '2h' })
      const before = told(scene)
      // As that one leaves it: no record, and nothing but Prometheus that remembers.
      world.processes.get('operator-1')?.crash()
      outside.sentBefore = ['StateStarted', 'StateControlPlaneStartedSL', 'StateControlPlaneFinishedSL']
      await world.client.patch(UpgradeConfig, configRef, { metadata: { annotations: { [Annotation.sentNotifications]: null } } })
      await scene.inPhase('Upgraded')
      assert.deepEqual(told(scene), [...before, 'Cluster has finished with worker plane upgrade', 'completed'])
      assert.equal(scene.upgradeConfig()?.metadata.annotations?.[Annotation.takenOver], '4.18.16')
    })
  })

  it('waits while OCM is down or an alert fires, and does not need Prometheus and Alertmanager while the control plane and workers move', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      outside.ocm.schedule(policy)
      await scene.inPhase('Pending', '3m')
      outside.down.add('ocm')
      await world.sleep('15m')
      assert.equal(scene.entry()?.phase, 'Pending')
      outside.firing = [{ alertname: 'EtcdDown' }]
      outside.down.delete('ocm')
      await scene.inPhase('Upgrading', '10m')
      await world.sleep('20m')
      assert.equal(desiredUpdate(scene), undefined)
      outside.firing = []
      await world.until(() => scene.conditions().includes('UpgradeCommenced True'), { within: '1h' })
      outside.down.add('prometheus').add('alertmanager')
      await world.until(() => message(scene, 'ControlPlaneMaintenanceWindowCreated').includes('alertmanager is down'), { within: '5m' })
      outside.down.delete('alertmanager')
      await world.until(() => scene.conditions().includes('WorkersMaintenanceWindowRemoved True'), { within: '3h' })
      await world.sleep('5m')
      assert.match(message(scene, 'ClusterHealthyAfterUpgrade'), /prometheus is down/)
      outside.down.delete('prometheus')
      await scene.inPhase('Upgraded')
      assert.equal(told(scene).filter((what) => what === 'completed').length, 1)
      assert.ok(!told(scene).includes('failed'))
    })
  })

  it('Δ41 whose UpgradeConfig is deleted in the middle leaves nothing behind once the cluster rests', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      await scene.configure('configManager: {}')
      await scene.ask()
      await world.until(() => scene.conditions().includes('UpgradeCommenced True'), { within: '1h' })
      await world.client.delete(UpgradeConfig, configRef)
      await world.sleep('5m')
      assert.deepEqual([scene.extras().length, outside.alertmanager.live.length], [3, 1])
      outside.down.add('alertmanager')
      await world.until(() => scene.extras().length === 0, { within: '80m' })
      assert.equal(outside.alertmanager.live.length, 1)
      outside.down.delete('alertmanager')
      await world.until(() => outside.alertmanager.live.length === 0, { within: '10m' })
      const [newest] = world.state.get(ClusterVersion, { name: 'version' })?.status?.history ?? []
      assert.deepEqual([newest?.version, newest?.state], ['4.18.16', 'Completed'])
    })
  })

  it('X04 goes on without extra workers that do not come in time', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      const sets = world.state.list(machineApi.MachineSet)
      for (const { metadata } of sets) {
        const template = { metadata: { annotations: { [failureAnnotation]: 'quota' } } }
        await world.client.patch(
          machineApi.MachineSet,
          { namespace: metadata.namespace ?? '', name: metadata.name ?? '' },
          { spec: { template } },
        )
      }
      outside.ocm.schedule(policy)
      await world.until(() => scene.conditions().includes('ComputeCapacityReserved True'), { within: '1h' })
      const skipped = outside.ocm.told.filter(({ description }) => description.includes('continues without extra compute'))
      assert.deepEqual(
        skipped.map(({ what }) => what),
        ['delayed'],
      )
      assert.equal(gauge(scene, 'scaling_failed'), 1)
      await scene.inPhase('Upgraded')
      assert.deepEqual(scene.extras(), [])
    })
  })

  it('N06 R20 Δ05 whose start cannot be told to OCM says so, and tries again within a minute, twenty times and more', async () => {
    await story(async (scene) => {
      const { outside, world } = scene
      const attempts: number[] = []
      outside.mishap = (service, what) => {
        if (service !== 'ocm' || what !== 'set started') return {}
        attempts.push(world.clock.now())
        return { fails: 'before' }
      }
      outside.ocm.schedule(policy)
      await world.until(() => attempts.length > 20, { within: '25m' })
      assert.equal(gauge(scene, 'upgrade_notification_failed'), 1)
      assert.equal(message(scene, 'StartedNotificationSent'), 'ocm is down')
      const gaps = attempts.slice(1).map((time, index) => time - (attempts[index] ?? 0))
      assert.ok(Math.max(...gaps) <= 61_000, `${Math.max(...gaps)} ms passed between two attempts`)
      outside.mishap = undefined
      await world.until(() => told(scene).includes('started'), { within: '2m' })
      await world.sleep('1m')
      assert.equal(gauge(scene, 'upgrade_notification_failed'), 0)
    })
  })

  it('C09 with a provider that is misconfigured does not begin, and says why', async () => {
    await story(async (scene) => {
      await scene.configure('configManager: { source: LOCAL, localConfigName: another }')
      await scene.ask()
      await scene.world.sleep('20m')
      assert.equal(scene.entry()?.phase, 'Pending')
      await scene.configure('configManager: { source: LOCAL, localConfigName: managed-upgrade-config }')
      await scene.inPhase('Upgrading', '6m')
    })
  })

  it('C02 without its configuration says so, changes nothing, and goes on when it is there', async () => {
    await story(async (scene) => {
      const { world } = scene
      const ref = { namespace: configRef.namespace, name: 'managed-upgrade-operator-config' }
      await world.client.delete(ConfigMap, ref)
      await scene.ask()
      await world.sleep('20m')
      assert.equal(scene.entry()?.phase, 'New')
      await world.client.create(ConfigMap, { metadata: ref, data: { 'config.yaml': 'scale: { timeOut: 0 }' } })
      await world.sleep('5m')
      assert.equal(scene.entry()?.phase, 'New')
      assert.equal(world.processes.get('operator-1')?.life, 0)
      await scene.configure('configManager: {}')
      await scene.inPhase('Upgrading', '10m')
    })
  })
})
