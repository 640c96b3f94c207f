import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, KubevirtMachineTemplate, NodePool, Pod, PodDisruptionBudget, Namespace } from '@windlass/api'
import { defaultSettings } from '../settings.ts'
import { Annotation } from '../wire.ts'
import { atMost, availableAtLeast } from './invariants.ts'
import {
  ask,
  change,
  controlPlaneAt,
  home,
  installed,
  isAt,
  machinesIn,
  nodesIn,
  nodesInfo,
  poolIn,
  poolRef,
  said,
  secretsIn,
  tell,
  upgrade,
} from './world.ts'

describe('the life of a pool', () => {
  it('NP-57 NP-58 is as large as it should be, or as the autoscaler wants it within bounds', async () => {
    await tell(async (world) => {
      await installed(world)
      const deployment = () => world.state.get(capi.MachineDeployment, { namespace: home, name: 'workers' })
      const bounds = () => [
        deployment()?.metadata.annotations?.[Annotation.autoscalerMin],
        deployment()?.metadata.annotations?.[Annotation.autoscalerMax],
      ]
      for (const replicas of [5, 2]) {
        await change(world, { replicas })
        await world.until(() => poolIn(world)?.status?.replicas === replicas && machinesIn(world).length === replicas, { within: '10m' })
      }
      assert.equal(poolIn(world)?.status?.version, '4.19.6')
      await change(world, { replicas: null, autoScaling: { min: 3, max: 6 } })
      await world.until(() => poolIn(world)?.status?.replicas === 3, { within: '10m' })
      assert.deepEqual(bounds(), ['3', '6'])
      await world.client.patch(capi.MachineDeployment, { namespace: home, name: 'workers' }, { spec: { replicas: 5 } })
      await world.until(() => poolIn(world)?.status?.replicas === 5, { within: '10m' })
      await world.settled({ within: '10m' })
      assert.equal(deployment()?.spec.replicas, 5, 'it is the autoscaler who chooses')
      await world.client.patch(capi.MachineDeployment, { namespace: home, name: 'workers' }, { spec: { replicas: 9 } })
      await world.until(() => deployment()?.spec.replicas === 6, { within: '1m' })
      await change(world, { replicas: 4, autoScaling: null })
      await world.until(() => poolIn(world)?.status?.replicas === 4, { within: '10m' })
      assert.deepEqual(bounds(), ['0', '0'])
    })
  })

  it('NP-62 NP-63 stands still while it is paused in the middle, and finishes afterwards', async () => {
    await tell(
      async (world) => {
        await installed(world)
        await controlPlaneAt(world, '4.20.1')
        await upgrade(world, '4.20.1')
        await world.until(() => nodesInfo(world).includes('4.20.1: 1 ready, 0 not'), { within: '10m' })
        await change(world, { pausedUntil: 'true' })
        await world.until(() => said(world, 'ReconciliationActive') === 'False/ReconciliationPaused', { within: '1m' })
        await world.settled({ within: '10m' })
        const versions = () => machinesIn(world).map(({ metadata, spec }) => `${metadata.name ?? ''} ${spec.version ?? ''}`)
        const [before, secrets] = [versions(), secretsIn(world)]
        assert.ok(before.some((text) => text.endsWith('4.19.6')) && before.some((text) => text.endsWith('4.20.1')))
        await upgrade(world, '4.20.0')
        await world.sleep('1h')
        assert.deepEqual(versions(), before)
        assert.deepEqual(secretsIn(world), secrets)
        assert.equal(said(world, 'UpdatingVersion'), 'True/AsExpected')
        await change(world, { pausedUntil: null })
        await world.until(() => isAt(world, '4.20.0'), { within: '20m' })
        await world.settled({ within: '10m' })
        assert.deepEqual(nodesInfo(world), ['4.20.0: 3 ready, 0 not'])
      },
      { invariants: [atMost(4), availableAtLeast(3)] },
    )
  })

  it('NP-65 waits for budgets of the guest when machines go, and not for ever where a limit is set', async () => {
    await tell(async (world) => {
      await installed(world, { spec: { nodeDrainTimeout: '30m' } })
      const guest = world.clientOf(home)
      const [first] = nodesIn(world)
      await guest.create(Namespace, { metadata: { name: 'shop' } })
      const containers = [{ name: 'checkout', image: 'example.com/shop/checkout:1' }]
      const metadata = { namespace: 'shop', name: 'checkout', labels: { app: 'checkout' } }
      await guest.create(Pod, { metadata, spec: { nodeName: first?.metadata.name ?? '', containers } })
      const budget = { selector: { matchLabels: { app: 'checkout' } }, minAvailable: 1 }
      await guest.create(PodDisruptionBudget, { metadata: { namespace: 'shop', name: 'checkout' }, spec: budget })
      const [ref, ready] = [
        { namespace: 'shop', name: 'checkout' },
        { type: 'Ready', status: 'True' },
      ]
      await guest.patchStatus(Pod, ref, { status: { phase: 'Running', conditions: [ready] } })
      const counted = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
      await guest.patchStatus(PodDisruptionBudget, ref, { status: counted })
      await upgrade(world, '4.19.5')
      const isLeft = () => machinesIn(world).some(({ metadata: { name } }) => name === first?.metadata.name)
      await world.until(() => machinesIn(world).some(({ metadata }) => metadata.deletionTimestamp !== undefined), { within: '10m' })
      await world.sleep('15m')
      assert.ok(isLeft(), 'the budget allows nothing')
      assert.equal(poolIn(world)?.status?.version, '4.19.6')
      assert.notEqual(await guest.find(Pod, { namespace: 'shop', name: 'checkout' }), undefined)
      await world.until(() => !isLeft(), { within: '31m' })
      await world.until(() => isAt(world, '4.19.5'), { within: '10m' })
    })
  })

  it('NP-64 goes, with everything that was made for it', async () => {
    await tell(async (world) => {
      await installed(world, {
        spec: {
          management: {
            upgradeType: 'Replace',
            autoRepair: true,
            replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
          },
        },
      })
      assert.equal(world.state.count(capi.MachineHealthCheck), 1)
      await world.client.delete(NodePool, poolRef())
      await world.until(() => poolIn(world) === undefined, { within: '10m' })
      const kinds = [capi.MachineDeployment, capi.MachineSet, capi.Machine, capi.MachineHealthCheck, KubevirtMachineTemplate]
      assert.deepEqual(
        kinds.map((kind) => world.state.count(kind)),
        [0, 0, 0, 0, 0],
      )
      assert.deepEqual([secretsIn(world), nodesIn(world)], [[], []])
    })
  })

  it('NP-03 begins when its cluster appears, and until then nothing is written about it', async () => {
    await tell(async (world) => {
      const { metadata, spec, status } = await world.client.get(HostedCluster, { namespace: 'clusters', name: 'prod' })
      await world.client.delete(HostedCluster, { namespace: 'clusters', name: 'prod' })
      await ask(world)
      await world.sleep('5m')
      assert.deepEqual([poolIn(world)?.metadata.finalizers, poolIn(world)?.status], [undefined, undefined])
      const { name = '', namespace = '' } = metadata
      const cluster = await world.client.create(HostedCluster, { metadata: { name, namespace }, spec })
      await world.client.updateStatus(HostedCluster, { ...cluster, ...(status === undefined ? {} : { status }) })
      await world.until(() => world.state.count(capi.MachineDeployment) === 1, { within: '5s' })
    })
  })

  it('is left to another operator where we only observe', async () => {
    const settings = { ...defaultSettings, mode: 'Observe' as const }
    const { writes } = await tell(
      async (world) => {
        await ask(world)
        await world.sleep('5m')
      },
      { pools: { settings } },
    )
    assert.deepEqual(
      writes.filter(({ actor }) => actor.process === 'operator-1').map(({ key }) => key),
      [],
    )
  })
})
