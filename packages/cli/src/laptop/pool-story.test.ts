import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LogicalCluster, Namespace, Node, NodePool, Pod, PodDisruptionBudget, Secret, toCrd } from '@windlass/api'
import { aNodePool, aReleaseImage } from '@windlass/api/fixtures'
import { evict } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { nextAnnotation } from './fleet-objects.ts'
import { poolStory } from './pool-story.ts'

const guest = 'clusters-prod'
const ref = { namespace: 'clusters', name: 'workers' }
const next = aReleaseImage('4.20.1')

/** A guest with two nodes and a pool that was made to be upgraded. */
async function given({ client, clientOf }: World): Promise<void> {
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  await client.create(LogicalCluster, { metadata: { name: guest }, spec: {} })
  const kubeconfig = `server: https://simulation/clusters/${guest}\n`
  await client.create(Secret, { metadata: { namespace: 'clusters', name: 'prod-admin-kubeconfig' }, stringData: { kubeconfig } })
  for (const name of ['a', 'b']) await clientOf(guest).create(Node, { metadata: { name }, spec: {} })
  const { spec } = aNodePool({ spec: { replicas: 2 } })
  await client.create(NodePool, { metadata: { ...ref, annotations: { [nextAnnotation]: next } }, spec })
}

async function isThere({ client }: World, status: NonNullable<NodePool['status']>): Promise<void> {
  const pool = await client.get(NodePool, ref)
  await client.updateStatus(NodePool, { ...pool, status })
}

const updating = (status: 'True' | 'False') => ({
  type: 'UpdatingVersion',
  status,
  reason: 'AsExpected',
  lastTransitionTime: '2026-03-06T12:00:00Z',
})
const settled = { replicas: 2, version: '4.19.6', conditions: [updating('False')] }

const run = (world: (world: World) => Promise<void>) =>
  simulate({
    seed: 1,
    definitions: [NodePool, LogicalCluster].map((kind) => toCrd(kind)),
    controllers: ({ connect }) => [poolStory(connect)],
    world: async (inside) => {
      await given(inside)
      await world(inside)
    },
  })

const poolIn = ({ state }: World): NodePool | undefined => state.get(NodePool, ref)

describe('what happens to a pool of the sample fleet', () => {
  it('is nothing until all of its nodes are there and at rest', async () => {
    await run(async (world) => {
      for (const status of [
        { replicas: 0 },
        { replicas: 1, version: '4.19.6', conditions: [updating('False')] },
        { replicas: 2, version: '4.19.6', conditions: [updating('True')] },
      ]) {
        await isThere(world, status)
        await world.sleep('5m')
        assert.equal(poolIn(world)?.metadata.annotations?.[nextAnnotation], next)
        assert.deepEqual(world.state.list(Pod, { cluster: guest }), [])
      }
    })
  })

  it('is an upgrade that a budget holds up: it lets no Pod go, on any node', async () => {
    await run(async (world) => {
      await isThere(world, settled)
      await world.until(() => poolIn(world)?.spec.release.image === next, { within: '1m' })
      assert.equal(poolIn(world)?.metadata.annotations?.[nextAnnotation], undefined)
      const pods = world.state.list(Pod, { cluster: guest })
      assert.deepEqual(pods.map(({ spec }) => spec.nodeName ?? '').toSorted(), ['a', 'b'])
      const [budget] = world.state.list(PodDisruptionBudget, { cluster: guest })
      assert.deepEqual([budget?.status?.disruptionsAllowed, budget?.status?.expectedPods], [0, 2])
      for (const pod of pods) assert.equal(await evict(world.clientOf(guest), pod, new AbortController().signal), 'kept')
    })
  })

  it('is no second upgrade: what people change afterwards stays', async () => {
    await run(async (world) => {
      await isThere(world, settled)
      await world.until(() => poolIn(world)?.spec.release.image === next, { within: '1m' })
      await world.client.patch(NodePool, ref, { spec: { release: { image: aReleaseImage('4.19.6') } } })
      await world.sleep('10m')
      assert.equal(poolIn(world)?.spec.release.image, aReleaseImage('4.19.6'))
    })
  })
})
