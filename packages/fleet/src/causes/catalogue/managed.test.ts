import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterOperator, ClusterVersion, ConfigMap, Namespace, Secret } from '@windlass/api'
import { operator, simulate } from '@windlass/kube/simulation'
import { alertsAnnotation, clusterControllers, failureAnnotation, type OcmFault, SimulatedOcm } from '@windlass/simulator'
import { configMapKey, configMapName, defaultNamespace, upgradeControllers } from '@windlass/upgrades'
import {
  assertNamesFirst,
  at,
  byOcm,
  classicIn,
  definitions,
  given,
  outsideOf,
  phaseIn,
  play,
  speed,
  updates,
  upgrade,
  why,
} from './index.ts'

describe('a managed upgrade that is held up', () => {
  it('by an alert: the health check is named first', async () => {
    await play(async (world) => {
      const annotations = { [alertsAnnotation]: 'EtcdMembersDown' }
      await world.client.patch(Namespace, { name: 'openshift-monitoring' }, { metadata: { annotations } })
      await upgrade(world)
      await world.sleep('30m')
      const root = { kind: 'UpgradeConfig', name: /./, reason: /^ClusterHealthyBeforeUpgrade$/, says: /EtcdMembersDown/ }
      assertNamesFirst(await why(world, classicIn(world)), root)
    })
  })

  it('by an operator that is degraded before it begins: the operator is named first', async () => {
    await play(async (world) => {
      const annotations = { [failureAnnotation]: 'degraded reason=EtcdMembers' }
      await world.client.patch(ClusterOperator, { name: 'etcd' }, { metadata: { annotations } })
      await upgrade(world)
      await world.sleep('30m')
      const root = { kind: 'ClusterOperator', name: /^etcd$/, reason: /^EtcdMembers$/, below: ['UpgradeConfig'] }
      assertNamesFirst(await why(world, classicIn(world)), root)
    })
  })

  it('by an operator that objects to the next minor: the operator is named first', async () => {
    await play(async (world) => {
      const annotations = { [failureAnnotation]: 'not-upgradeable' }
      await world.client.patch(ClusterOperator, { name: 'etcd' }, { metadata: { annotations } })
      await upgrade(world, '4.19.1')
      await world.sleep('30m')
      const root = { kind: 'ClusterOperator', name: /^etcd$/, reason: /^NotUpgradeable$/, below: ['UpgradeConfig', 'ClusterVersion'] }
      assertNamesFirst(await why(world, classicIn(world)), root)
    })
  })

  it('by its time, which has not come: that is named', async () => {
    await play(async (world) => {
      await upgrade(world)
      await world.sleep('3m')
      const root = { kind: 'UpgradeConfig', name: /./, reason: /^Pending$/, says: /begins at 2026-01-01T00:05:00Z/ }
      assertNamesFirst(await why(world, classicIn(world)), root)
    })
  })

  /** What an upgrade does not begin without: an answer of OCM whether it is still wanted. */
  const faults: Readonly<Record<OcmFault['is'], { readonly fault: OcmFault; readonly says: RegExp }>> = {
    down: { fault: { is: 'down' }, says: /OCM Provider unavailable: ocm\.example\.com refuses connections/ },
    lost: { fault: { is: 'lost' }, says: /OCM Provider unavailable: ocm\.example\.com closed the connection/ },
    slow: { fault: { is: 'slow', by: 3_600_000 }, says: /OCM Provider unavailable: https:\/\/ocm\.example\.com did not answer within/ },
    status: { fault: { is: 'status', status: 503 }, says: /OCM Provider unavailable: .* with status 503/ },
    wrong: { fault: { is: 'wrong' }, says: /OCM Provider unavailable: it answered with something that is no cluster/ },
    stranger: { fault: { is: 'stranger' }, says: /OCM knows no cluster with the external id/ },
  }

  for (const [name, { fault, says }] of Object.entries(faults)) {
    it(`by OCM (${name}): the upgrade that waits for its answer is named first, and says what is wrong with OCM`, async () => {
      // The clock is that of the simulation, which begins later.
      const made: SimulatedOcm[] = []
      await simulate({
        seed: 1,
        definitions,
        given,
        limit: '48h',
        controllers: (process) => {
          made[0] ??= new SimulatedOcm({ clock: process.clock })
          return upgradeControllers({ outside: outsideOf(process, made[0]), random: process.random })
        },
        programs: { cluster: operator({ controllers: () => clusterControllers({ seed: 1, speed, updates }) }) },
        world: async (world) => {
          const { spec } = world.state.get(ClusterVersion, { name: 'version' }) ?? assert.fail()
          await world.sleep('1s')
          const simulated = made[0] ?? assert.fail()
          const token = 'secret'
          simulated.memory.register({ id: 'c1', externalId: spec.clusterID, token, version: '4.18.15' })
          simulated.memory.schedule({ id: 'p1', clusterId: 'c1', version: '4.18.16', nextRun: at(30) })
          const auths = { 'cloud.openshift.com': { auth: token } }
          await world.client.create(Namespace, { metadata: { name: 'openshift-config' } })
          await world.client.create(Secret, {
            metadata: { namespace: 'openshift-config', name: 'pull-secret' },
            stringData: { '.dockerconfigjson': JSON.stringify({ auths }) },
          })
          await world.client.patch(ConfigMap, { namespace: defaultNamespace, name: configMapName }, { data: { [configMapKey]: byOcm } })
          await world.until(() => phaseIn(world) === 'Pending', { within: '25m' })
          simulated.fail(fault)
          await world.sleep('50m')
          assertNamesFirst(await why(world, classicIn(world)), {
            kind: 'UpgradeConfig',
            name: /./,
            reason: /^(Pending|StartedNotificationSent)$/,
            says,
          })
        },
      })
    })
  }
})
