import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, Namespace, Node, NodePool, Pod, PodDisruptionBudget } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { Annotation, NodeAnnotation } from '../wire.ts'
import { awayAtMost } from './invariants.ts'
import { change, controlPlaneAt, home, installed, isAt, machinesIn, nodesIn, nodesInfo, poolIn, said, tell, upgrade } from './world.ts'

const inPlace = (maxUnavailable: number | string) => ({
  replicas: 4,
  management: { upgradeType: 'InPlace' as const, autoRepair: false, inPlace: { maxUnavailable } },
})

const checkout = { namespace: 'shop', name: 'checkout' }
const counted = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }

/** A Pod on a node, with a budget that lets nobody evict it. */
async function keepPod(guest: Client, nodeName: string): Promise<void> {
  await guest.create(Namespace, { metadata: { name: checkout.namespace } })
  const labels = { app: 'checkout' }
  const containers = [{ name: 'checkout', image: 'example.com/shop/checkout:1' }]
  await guest.create(Pod, { metadata: { ...checkout, labels }, spec: { nodeName, containers } })
  await guest.patchStatus(Pod, checkout, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } })
  await guest.create(PodDisruptionBudget, { metadata: checkout, spec: { selector: { matchLabels: labels }, minAvailable: 1 } })
  await guest.patchStatus(PodDisruptionBudget, checkout, { status: counted })
}

describe('a pool whose nodes stay', () => {
  it('NP-54 NP-55 is upgraded a few nodes at a time, with no machine made anew', async () => {
    const { writes } = await tell(
      async (world) => {
        await installed(world, { spec: inPlace('75%') })
        const machines = machinesIn(world).map(({ metadata }) => metadata.uid)
        await controlPlaneAt(world, '4.20.1')
        await upgrade(world, '4.20.1')
        await world.until(() => isAt(world, '4.20.1'), { within: '30m' })
        await world.settled({ within: '10m' })
        assert.deepEqual(
          machinesIn(world).map(({ metadata }) => metadata.uid),
          machines,
        )
        assert.ok(machinesIn(world).every(({ metadata }) => metadata.annotations?.[Annotation.releaseVersion] === '4.20.1'))
        assert.deepEqual(nodesInfo(world), ['4.20.1: 4 ready, 0 not'])
        assert.ok(nodesIn(world).every(({ spec }) => spec.unschedulable !== true))
        assert.deepEqual(world.state.list(Pod, { cluster: home }), [], 'the daemons are gone')
        assert.equal(said(world, 'ReachedIgnitionEndpoint'), 'True/AsExpected')
      },
      { invariants: [awayAtMost(3)] },
    )
    const texts = writes.flatMap((write) => write.as(capi.MachineSet)?.metadata.annotations?.[Annotation.upgradeInProgress] ?? [])
    const counts = texts.map((text) => Number(/Upgraded: (\d+)$/.exec(text)?.[1]))
    assert.ok(counts.includes(0) && counts.every((count, index) => index === 0 || count >= (counts[index - 1] ?? 0)), counts.join())
    const reached = writes.flatMap(
      (write) => write.as(NodePool)?.status?.conditions?.find(({ type }) => type === 'ReachedIgnitionEndpoint')?.status ?? [],
    )
    assert.ok(!reached.slice(reached.indexOf('True')).includes('False'), 'it stays reached')
  })

  it('comes back from the middle of an upgrade, nodes that had gone ahead among it', async () => {
    await tell(
      async (world) => {
        await installed(world, { spec: inPlace(1) })
        await controlPlaneAt(world, '4.20.1')
        await upgrade(world, '4.20.1')
        await world.until(() => nodesInfo(world).includes('4.20.1: 1 ready, 0 not'), { within: '30m' })
        await upgrade(world, '4.19.6')
        await world.until(() => nodesInfo(world).join() === '4.19.6: 4 ready, 0 not', { within: '30m' })
        await world.settled({ within: '30m' })
        const { annotations = {} } = world.state.list(capi.MachineSet)[0]?.metadata ?? {}
        const configs = nodesIn(world).map((node) => node.metadata.annotations?.[NodeAnnotation.currentConfig])
        assert.deepEqual(new Set(configs.filter((config) => config !== undefined)), new Set([annotations[Annotation.targetConfigVersion]]))
        assert.equal(annotations[Annotation.upgradeInProgress], undefined)
        assert.deepEqual(nodesInfo(world), ['4.19.6: 4 ready, 0 not'])
        assert.deepEqual(world.state.list(Pod, { cluster: home }), [], 'the daemons are gone')
      },
      { invariants: [awayAtMost(1)] },
    )
  })

  it('goes back and forth while a budget holds up a drain, and no node stays closed', async () => {
    await tell(
      async (world) => {
        await installed(world, { spec: inPlace(1) })
        await controlPlaneAt(world, '4.20.1')
        await upgrade(world, '4.20.1')
        await world.until(() => nodesInfo(world).includes('4.20.1: 1 ready, 0 not'), { within: '30m' })
        const ahead = () => nodesIn(world).find(({ metadata }) => metadata.annotations?.[NodeAnnotation.currentConfig] !== undefined)
        await keepPod(world.clientOf(home), ahead()?.metadata.name ?? assert.fail('no node has gone ahead'))
        await upgrade(world, '4.19.6')
        await world.until(() => ahead()?.spec.unschedulable === true, { within: '30m' })
        await upgrade(world, '4.20.1')
        await world.until(() => isAt(world, '4.20.1'), { within: '1h' })
        await world.settled({ within: '30m' })
        assert.deepEqual(nodesInfo(world), ['4.20.1: 4 ready, 0 not'])
        assert.ok(nodesIn(world).every(({ spec }) => spec.unschedulable !== true))
        assert.equal(world.state.list(Pod, { cluster: home }).length, 1, 'nobody has evicted it')
      },
      { invariants: [awayAtMost(1)] },
    )
  })

  it('says which node fails, and goes on when it does not any more', async () => {
    await tell(
      async (world) => {
        await installed(world, { spec: inPlace(1) })
        const guest = world.clientOf(home)
        const [first] = nodesIn(world)
        const fail = { 'simulator.windlass.dev/fail': 'mcd-degraded reason=DiskFull' }
        await guest.patch(Node, { name: first?.metadata.name ?? '' }, { metadata: { annotations: fail } })
        await upgrade(world, '4.19.5')
        await world.until(() => said(world, 'UpdatingVersion') === 'False/InplaceUpgradeFailed', { within: '10m' })
        const condition = poolIn(world)?.status?.conditions?.find(({ type }) => type === 'UpdatingVersion')
        assert.equal(condition?.message, `Node ${first?.metadata.name ?? ''} in nodepool degraded: DiskFull`)
        assert.equal(poolIn(world)?.status?.version, '4.19.6')
        await guest.patch(
          Node,
          { name: first?.metadata.name ?? '' },
          { metadata: { annotations: { 'simulator.windlass.dev/fail': null } } },
        )
        await world.until(() => isAt(world, '4.19.5'), { within: '20m' })
      },
      { invariants: [awayAtMost(1)] },
    )
  })

  it('waits for a Pod that has ended as long as a finalizer holds it', async () => {
    await tell(
      async (world) => {
        await installed(world, { spec: { ...inPlace(1), replicas: 2 } })
        const guest = world.clientOf(home)
        const [first] = nodesIn(world)
        const ref = { namespace: 'default', name: 'report' }
        const containers = [{ name: 'report', image: 'example.com/shop/report:1' }]
        const spec = { nodeName: first?.metadata.name ?? '', restartPolicy: 'Never' as const, containers }
        await guest.create(Pod, { metadata: { ...ref, finalizers: ['example.com/kept'] }, spec })
        await guest.patchStatus(Pod, ref, { status: { phase: 'Succeeded' } })
        await upgrade(world, '4.19.5')
        await world.until(() => nodesIn(world)[0]?.spec.unschedulable === true, { within: '10m' })
        await world.sleep('20m')
        assert.deepEqual(nodesInfo(world), ['4.19.6: 2 ready, 0 not'])
        await guest.patch(Pod, ref, { metadata: { finalizers: null } })
        await world.until(() => isAt(world, '4.19.5'), { within: '20m' })
      },
      { invariants: [awayAtMost(1)] },
    )
  })

  it('is drained as budgets allow, stands still while it is paused, and is sent on when the target changes', async () => {
    await tell(
      async (world) => {
        await installed(world, { spec: inPlace(1) })
        const guest = world.clientOf(home)
        const [first] = nodesIn(world)
        await keepPod(guest, first?.metadata.name ?? '')
        await upgrade(world, '4.19.5')
        await world.until(() => nodesIn(world)[0]?.spec.unschedulable === true, { within: '10m' })
        await world.sleep('20m')
        assert.deepEqual(nodesInfo(world), ['4.19.6: 4 ready, 0 not'], 'nobody gets past the budget')
        await change(world, { pausedUntil: 'true' })
        await upgrade(world, '4.19.4')
        await world.sleep('5m')
        await guest.patchStatus(PodDisruptionBudget, checkout, { status: { ...counted, disruptionsAllowed: 1 } })
        await world.sleep('20m')
        assert.equal(nodesInfo(world).length, 2, 'the one that was away has come back, and no other has gone')
        await change(world, { pausedUntil: null })
        await world.until(() => isAt(world, '4.19.4'), { within: '30m' })
        await world.settled({ within: '10m' })
        assert.deepEqual(nodesInfo(world), ['4.19.4: 4 ready, 0 not'])
      },
      { invariants: [awayAtMost(1)] },
    )
  })
})
