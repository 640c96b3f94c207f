import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Node, Pod, PodDisruptionBudget } from '@windlass/api'
import type { World, Write } from '@windlass/kube/simulation'
import { failureAnnotation } from '@windlass/simulator'
import { cordonOf } from '../cluster/nodes.ts'
import { shown } from '../testing/index.ts'
import { isByOperator } from './invariants.ts'
import { at, type Scene, stage } from './stage.ts'

const minute = 60_000

/** A Pod of somebody's shop that runs on a node, and belongs to nobody who would make another one. */
async function aPod(world: World, name: string, metadata: Pod['metadata'] = {}): Promise<void> {
  const ref = { namespace: 'shop', name }
  const spec = { nodeName: 'worker-0', containers: [{ name: 'main', image: 'example.com/checkout' }] }
  await world.client.create(Pod, { metadata: { ...ref, labels: { app: name }, ...metadata }, spec })
}

const podIn = ({ world }: Scene, name: string): Pod | undefined => world.state.get(Pod, { namespace: 'shop', name })
const cordonedAt = ({ world }: Scene): number => cordonOf(world.state.get(Node, { name: 'worker-0' }) ?? assert.fail())?.since ?? Number.NaN
const told = ({ outside }: Scene): readonly string[] => outside.ocm.told.map(({ what }) => what)
const touched = (writes: readonly Write[]): readonly string[] =>
  writes.filter((write) => isByOperator(write) && write.isOf(Pod)).map(({ name }) => name)

function drainGauge({ gauges }: Scene): number | undefined {
  return shown(gauges.get('operator-1')?.series ?? new Map())['node_drain_timeout{node_name="worker-0"}']
}

/** Until the drain of the node with the pods has begun, and so many minutes more. */
async function drainedFor(scene: Scene, minutes: number): Promise<void> {
  const { world } = scene
  const isDraining = (): boolean => world.state.get(Node, { name: 'worker-0' })?.spec.unschedulable === true
  await world.until(isDraining, { within: '3h', every: '5s' })
  await world.sleep(cordonedAt(scene) + minutes * minute - world.clock.now())
}

function begin({ outside }: Scene): void {
  outside.ocm.schedule({ id: 'p1', version: '4.18.16', next_run: at(10), capacity_reservation: false })
  outside.ocm.cluster = { ...outside.ocm.cluster, node_drain_grace_period: { value: 60, unit: 'minutes' } }
}

describe('a node whose drain is blocked', () => {
  it('D04 by a budget is helped after the time that its owners were promised, and they are told once', async () => {
    const { writes } = await stage(async (scene) => {
      const { world } = scene
      await world.client.create(PodDisruptionBudget, {
        metadata: { namespace: 'shop', name: 'checkout' },
        spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'checkout' } } },
      })
      await aPod(world, 'checkout')
      begin(scene)
      await drainedFor(scene, 67)
      assert.ok(podIn(scene, 'checkout') !== undefined)
      await world.sleep('3m')
      assert.equal(podIn(scene, 'checkout'), undefined)
      const delays = scene.outside.ocm.told.filter(({ what }) => what === 'delayed')
      assert.match(
        delays.map(({ description }) => description).join(),
        /^[^,]*node drain grace period may be delaying the upgrade.*7075425$/s,
      )
      await scene.inPhase('Upgraded')
      assert.equal(told(scene).filter((what) => what === 'delayed').length, 1)
      assert.equal(drainGauge(scene), undefined)
    })
    assert.deepEqual(touched(writes), ['checkout'])
  })

  it('D03 D06 by a finalizer or by a pod that does not end is helped after 45 minutes; what it may not touch stays', async () => {
    const { writes } = await stage(async (scene) => {
      const { world } = scene
      await aPod(world, 'held', { finalizers: ['example.com/wait'] })
      await aPod(world, 'endless', { annotations: { [failureAnnotation]: 'never-gone' } })
      begin(scene)
      await drainedFor(scene, 44)
      assert.ok(podIn(scene, 'held')?.metadata.deletionTimestamp !== undefined)
      assert.ok(podIn(scene, 'endless')?.metadata.deletionTimestamp !== undefined)
      await world.sleep('3m')
      assert.deepEqual([podIn(scene, 'held'), podIn(scene, 'endless')], [undefined, undefined])
      await scene.inPhase('Upgraded')
      assert.ok(!told(scene).includes('delayed'))
    })
    assert.deepEqual(new Set(touched(writes)), new Set(['held', 'endless']))
  })

  it('D08 with strategies off is reported and left alone, and the report ends with the drain', async () => {
    const { writes } = await stage(async (scene) => {
      const { world } = scene
      await scene.configure('nodeDrain: { disableDrainStrategies: true }\nconfigManager: {}')
      await aPod(world, 'endless', { annotations: { [failureAnnotation]: 'never-gone' } })
      await scene.ask({ capacityReservation: false })
      await drainedFor(scene, 47)
      assert.equal(drainGauge(scene), 1)
      await world.client.delete(Pod, { namespace: 'shop', name: 'endless' }, { gracePeriodSeconds: 0 })
      await scene.inPhase('Upgraded')
      assert.equal(drainGauge(scene), 0)
    })
    assert.deepEqual(touched(writes), [])
  })
})
