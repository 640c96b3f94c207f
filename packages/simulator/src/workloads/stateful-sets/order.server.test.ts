import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Pod, StatefulSet } from '@windlass/api'
import { type Invariant, simulate, type StateReader, type World } from '@windlass/kube/simulation'
import { imagesOf, isActive, isReady } from '../pods/index.ts'
import { aWorld, imageOf, isRolledOut, namespace, statefulSetDraft, toImage } from '../testing/index.ts'

const ref = { namespace, name: 'etcd' }
const etcd = ({ state }: World): StatefulSet | undefined => state.get(StatefulSet, ref)
const untilUp = (world: World): Promise<void> => world.until(() => isRolledOut(etcd(world)), { within: '10m' })
const readyIn = (state: StateReader): readonly Pod[] => state.list(Pod).filter((pod) => isActive(pod) && isReady(pod))

/** Each Pod is made when all before it are in service. */
const inOrder: Invariant = {
  name: 'Pods are made one after the other',
  of: Pod,
  holds(write, state) {
    if (write.verb !== 'create') return true
    const ordinal = Number(write.name.split('-').at(-1))
    const before = Array.from({ length: ordinal }, (_, number) => `etcd-${number}`)
    const missing = before.filter((name) => !readyIn(state).some(({ metadata }) => metadata.name === name))
    return missing.length === 0 || `${write.name} was made before ${missing.join(', ')}`
  },
}

/** Once all were in service: etcd loses its quorum with two. */
function neverTwoAway(): Invariant {
  let hasBeenUp = false
  return {
    name: 'no two Pods are away at the same time',
    of: Pod,
    holds(_write, state) {
      const count = readyIn(state).length
      hasBeenUp ||= count === 3
      return !hasBeenUp || count >= 2 || `only ${count} are in service`
    },
  }
}

describe('on an API server, a StatefulSet', () => {
  it('comes up in order, is brought to another image from the last to the first, and shrinks from the end', async () => {
    const { writes } = await simulate(
      aWorld(
        1,
        async (world) => {
          await world.client.create(StatefulSet, statefulSetDraft('etcd'))
          await untilUp(world)
          const first = etcd(world)?.status?.currentRevision
          await world.client.patch(StatefulSet, ref, toImage('etcd', imageOf('2')))
          await untilUp(world)
          assert.notEqual(etcd(world)?.status?.currentRevision, first)
          assert.equal(etcd(world)?.status?.currentRevision, etcd(world)?.status?.updateRevision)
          assert.deepEqual(new Set(world.state.list(Pod).flatMap(imagesOf)), new Set([imageOf('2')]))
        },
        { invariants: [inOrder, neverTwoAway()] },
      ),
    )
    const created = writes.filter((write) => write.isOf(Pod) && write.verb === 'create').map(({ name }) => name)
    assert.deepEqual(created, ['etcd-0', 'etcd-1', 'etcd-2', 'etcd-2', 'etcd-1', 'etcd-0'])
  })

  it('that may go all at once comes up at once, and is still updated one by one', async () => {
    const { writes } = await simulate(
      aWorld(
        2,
        async (world) => {
          await world.client.create(StatefulSet, statefulSetDraft('etcd', { podManagementPolicy: 'Parallel' }))
          await world.sleep('1s')
          assert.equal(world.state.count(Pod), 3)
          await untilUp(world)
          await world.client.patch(StatefulSet, ref, toImage('etcd', imageOf('2')))
          await untilUp(world)
        },
        { invariants: [neverTwoAway()] },
      ),
    )
    const created = writes.filter((write) => write.isOf(Pod) && write.verb === 'create').map(({ name }) => name)
    assert.deepEqual(created.slice(3), ['etcd-2', 'etcd-1', 'etcd-0'])
  })

  it('stops at its partition and goes on when that is lowered', async () => {
    await simulate(
      aWorld(3, async (world) => {
        const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } as const
        await world.client.create(StatefulSet, statefulSetDraft('etcd', { updateStrategy }))
        await untilUp(world)
        await world.client.patch(StatefulSet, ref, toImage('etcd', imageOf('2')))
        await world.settled({ within: '10m' })
        const { status } = etcd(world) ?? assert.fail()
        assert.deepEqual([status?.updatedReplicas, status?.currentReplicas, status?.readyReplicas], [1, 2, 3])
        await world.client.patch(StatefulSet, ref, { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } })
        await untilUp(world)
      }),
    )
  })

  it('shrinks and grows again', async () => {
    await simulate(
      aWorld(4, async (world) => {
        await world.client.create(StatefulSet, statefulSetDraft('etcd'))
        await untilUp(world)
        await world.client.patch(StatefulSet, ref, { spec: { replicas: 1 } })
        await untilUp(world)
        assert.deepEqual(
          world.state.list(Pod).map(({ metadata }) => metadata.name),
          ['etcd-0'],
        )
        await world.client.patch(StatefulSet, ref, { spec: { replicas: 2 } })
        await untilUp(world)
      }),
    )
  })

  it('that is deleted and made again waits for the names of its former Pods', async () => {
    await simulate(
      aWorld(5, async (world) => {
        await world.client.create(StatefulSet, statefulSetDraft('etcd'))
        await untilUp(world)
        await world.client.delete(StatefulSet, ref, { propagation: 'Background' })
        await world.client.create(StatefulSet, statefulSetDraft('etcd'))
        await world.sleep('1s')
        await untilUp(world)
        const uid = etcd(world)?.metadata.uid
        assert.ok(world.state.list(Pod).every(({ metadata }) => metadata.ownerReferences?.[0]?.uid === uid))
      }),
    )
  })
})
