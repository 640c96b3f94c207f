import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, HostedCluster, Node, Secret } from '@windlass/api'
import type { World } from '@windlass/kube/simulation'
import { hashIn, home, installed, nodesIn, tell } from './simulation/world.ts'
import { settings } from './testing/index.ts'
import { encoded } from './token/encoding.ts'
import { Annotation, ClusterAnnotation, NodeAnnotation } from './wire.ts'

const cluster = { namespace: 'clusters', name: 'prod' }
const machineSet = { namespace: home, name: 'workers' }
const token = { namespace: home, name: 'token-workers-b' }

async function moveTo({ client }: World, scope: string): Promise<void> {
  await client.patch(HostedCluster, cluster, { metadata: { annotations: { [ClusterAnnotation.scope]: scope } } })
}

/** What another operator does in the middle of an upgrade: a token without a payload, a set with a target, a node that is to be drained and has no labels. */
async function upgradeAsAnother(world: World): Promise<void> {
  const annotations = {
    [Annotation.ignitionConfig]: 'true',
    [Annotation.nodePool]: 'clusters/workers',
    [Annotation.upgradeType]: 'InPlace',
  }
  const data = { token: encoded('theirs'), payload: encoded('{}'), 'release-version': encoded('4.19.5') }
  await world.client.create(Secret, { metadata: { ...token, annotations }, data })
  const target = { [Annotation.targetConfigVersion]: 'b' }
  await world.client.patch(capi.MachineSet, machineSet, { metadata: { annotations: target } })
  await askForDrain(world, 'drain-b')
}

async function askForDrain(world: World, text: string): Promise<void> {
  const asked = { [NodeAnnotation.desiredDrain]: text, [NodeAnnotation.labelsSynced]: null }
  await world.clientOf(home).patch(Node, { name: nodesIn(world)[0]?.metadata.name ?? '' }, { metadata: { annotations: asked } })
}

describe('a pool in the scope of another operator', () => {
  it('0 is touched by no controller, and by all of them when it is in ours', async () => {
    await tell(
      async (world) => {
        await moveTo(world, 'ours')
        await installed(world, { spec: { replicas: 1, management: { upgradeType: 'InPlace', autoRepair: false } } })
        const hash = hashIn(world)
        await moveTo(world, 'theirs')
        await world.settled({ within: '10m' })
        await upgradeAsAnother(world)
        await world.settled({ within: '10m' })
        const [node] = nodesIn(world)
        const { [NodeAnnotation.desiredConfig]: desired, [NodeAnnotation.labelsSynced]: synced } = node?.metadata.annotations ?? {}
        assert.deepEqual([node?.spec.unschedulable, desired, synced], [undefined, undefined, undefined])
        assert.equal(world.state.get(Secret, token)?.data?.['reason'], undefined)
        assert.equal(world.state.get(Secret, token)?.metadata.annotations?.[Annotation.tokenExpires], undefined)
        const { annotations } = world.state.get(capi.MachineSet, machineSet)?.metadata ?? {}
        assert.deepEqual([annotations?.[Annotation.targetConfigVersion], annotations?.[Annotation.upgradeInProgress]], ['b', undefined])
        await moveTo(world, 'ours')
        await askForDrain(world, 'drain-c')
        const isOurs = (): boolean => {
          const [again] = nodesIn(world)
          const set = world.state.get(capi.MachineSet, machineSet)
          return (
            again?.spec.unschedulable === true &&
            again.metadata.annotations?.[NodeAnnotation.labelsSynced] === 'true' &&
            set?.metadata.annotations?.[Annotation.targetConfigVersion] === hash &&
            world.state.get(Secret, token)?.metadata.annotations?.[Annotation.tokenExpires] !== undefined
          )
        }
        await world.until(isOurs, { within: '10m' })
      },
      { pools: { settings: { ...settings, scope: 'ours' } } },
    )
  })
})
