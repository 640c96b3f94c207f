import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, Event, Namespace, Pod, StatefulSet } from '@windlass/api'
import { simulate, type World } from '@windlass/kube/simulation'
import { failureAnnotation } from '../../failures/index.ts'
import { isReady } from '../pods/index.ts'
import {
  aWorld,
  deploymentDraft,
  imageOf,
  isRolledOut,
  namespace,
  neverDoneTooSoon,
  neverTooFew,
  neverTooMany,
  statefulSetDraft,
  toImage,
} from '../testing/index.ts'

const ref = { namespace, name: 'web' }
const isUp = ({ state }: World): boolean => isRolledOut(state.get(Deployment, ref))
const untilUp = (world: World): Promise<void> => world.until(() => isUp(world), { within: '10m' })
const fail = ({ client }: World, text: string | null) =>
  client.patch(Namespace, { name: namespace }, { metadata: { annotations: { [failureAnnotation]: text } } })
const reasons = ({ state }: World): readonly (string | undefined)[] =>
  state.list(Pod).flatMap(({ status }) => status?.containerStatuses?.flatMap(({ state }) => state?.waiting?.reason ?? []) ?? [])

describe('on an API server, a failure that a namespace asks for', () => {
  it('of one image stops the rollout of that image, harms nobody else, and heals when it is taken back', async () => {
    await simulate(
      aWorld(
        1,
        async (world) => {
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 3 }))
          await untilUp(world)
          await fail(world, `image-pull image=${imageOf('2')}`)
          await world.client.patch(Deployment, ref, toImage('web', imageOf('2')))
          await world.settled({ within: '30m' })
          assert.ok(!isUp(world))
          assert.deepEqual(reasons(world), ['ImagePullBackOff'])
          await fail(world, null)
          await untilUp(world)
        },
        { invariants: [neverTooFew(), neverTooMany, neverDoneTooSoon] },
      ),
    )
  })

  it('of Pods by name makes those crash, and people are told', async () => {
    await simulate(
      aWorld(2, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
        await world.client.create(StatefulSet, statefulSetDraft('etcd'))
        await untilUp(world)
        await fail(world, 'crash-loop name=web-*')
        await world.sleep('1m')
        assert.deepEqual(
          world.state
            .list(Pod)
            .filter(isReady)
            .map(({ metadata }) => metadata.labels?.app),
          ['etcd', 'etcd', 'etcd'],
        )
        const told: string[] = []
        for await (const { reason } of world.client.list(Event, { namespace })) told.push(reason)
        assert.ok(told.includes('BackOff'))
        await fail(world, null)
        await untilUp(world)
        assert.ok(world.state.list(Pod).every(isReady))
      }),
    )
  })

  it('that keeps Pods from being ready takes them out of service, and back', async () => {
    await simulate(
      aWorld(3, async (world) => {
        await world.client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
        await untilUp(world)
        await fail(world, 'never-ready')
        await world.sleep('1s')
        const { status } = world.state.get(Deployment, ref) ?? assert.fail()
        assert.deepEqual([status?.availableReplicas, status?.unavailableReplicas], [undefined, 2])
        await fail(world, null)
        await world.sleep('1s')
        assert.ok(isUp(world))
      }),
    )
  })

  it('that makes things slow makes them slow', async () => {
    const time = async (text: string | null): Promise<number> => {
      const { virtualTime } = await simulate(
        aWorld(4, async (world) => {
          await fail(world, text)
          await world.client.create(Deployment, deploymentDraft('web', { replicas: 2 }))
          await untilUp(world)
        }),
      )
      return virtualTime
    }
    const [usual, slow] = [await time(null), await time('slow factor=5')]
    assert.ok(slow > 4 * usual && slow < 6 * usual, `${usual} and ${slow}`)
  })

  it('that keeps Pods from ending holds up whoever waits for them, until they are forced', async () => {
    await simulate(
      aWorld(5, async (world) => {
        await world.client.create(StatefulSet, statefulSetDraft('etcd'))
        const isUp = () => isRolledOut(world.state.get(StatefulSet, { namespace, name: 'etcd' }))
        await world.until(isUp, { within: '10m' })
        await fail(world, 'never-gone name=etcd-2')
        await world.client.patch(StatefulSet, { namespace, name: 'etcd' }, toImage('etcd', imageOf('2')))
        await world.settled({ within: '30m' })
        assert.ok(!isUp())
        await world.client.delete(Pod, { namespace, name: 'etcd-2' }, { gracePeriodSeconds: 0 })
        await world.until(isUp, { within: '10m' })
      }),
    )
  })
})

describe('on an API server, a Pod with a finalizer', () => {
  it('says that it has ended and stays until it is let go', async () => {
    await simulate(
      aWorld(6, async (world) => {
        const metadata = { namespace, name: 'held', finalizers: ['example.com/hold'] }
        await world.client.create(Pod, { metadata, spec: { containers: [{ name: 'a', image: imageOf('1') }] } })
        const held = () => world.state.get(Pod, { namespace, name: 'held' })
        await world.until(() => isReady(held() ?? assert.fail()), { within: '5m' })
        assert.equal(held()?.spec.nodeName, 'virtual-node')
        await world.client.delete(Pod, { namespace, name: 'held' })
        await world.until(() => held()?.status?.phase === 'Failed', { within: '1m' })
        await world.client.patch(Pod, { namespace, name: 'held' }, { metadata: { finalizers: null } })
        assert.equal(held(), undefined)
      }),
    )
  })
})
