import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, LogicalCluster, Namespace, NodePool, toCrd } from '@windlass/api'
import { aCapiMachine, aCapiMachineSet, aMachineDeployment } from '@windlass/api/fixtures'
import type { KubernetesObject, Resource } from '@windlass/api'
import { simulate, type World } from '@windlass/kube/simulation'
import { clusterFinalizer, machineFinalizer } from '../wire.ts'
import { machineClusters } from './controller.ts'

const namespace = 'clusters-prod'
const ref = { namespace, name: 'prod-7k2xq' }
const kinds = [capi.Cluster, capi.MachineDeployment, capi.MachineSet, capi.Machine, LogicalCluster, NodePool]

/** Its own machine is held by whoever looks after machines, as always. */
async function given({ client }: World): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } })
  for (const name of ['prod-7k2xq', 'other']) await client.create(capi.Cluster, { metadata: { namespace, name }, spec: {} })
  for (const [clusterName, prefix] of [
    ['prod-7k2xq', 'own'],
    ['other', 'foreign'],
  ] as const) {
    const { spec: deployment } = aMachineDeployment()
    await client.create(capi.MachineDeployment, { metadata: { namespace, name: prefix }, spec: { ...deployment, clusterName } })
    const { spec: set } = aCapiMachineSet()
    await client.create(capi.MachineSet, { metadata: { namespace, name: prefix }, spec: { ...set, clusterName } })
    const { spec: machine } = aCapiMachine()
    await client.create(capi.Machine, {
      metadata: { namespace, name: prefix, finalizers: [machineFinalizer] },
      spec: { ...machine, clusterName },
    })
  }
}

const run = (script: (world: World) => Promise<void>) =>
  simulate({
    seed: 1,
    definitions: kinds.map((kind) => toCrd(kind)),
    controllers: () => [machineClusters],
    world: async (world) => {
      await given(world)
      await world.until(() => finalizersIn(world).includes(clusterFinalizer), { within: '1m' })
      await script(world)
    },
  })

const finalizersIn = ({ state }: World): readonly string[] => state.get(capi.Cluster, ref)?.metadata.finalizers ?? []
const namesIn = <T extends KubernetesObject>({ state }: World, kind: Resource<T>): readonly string[] =>
  state.list(kind).map(({ metadata }) => metadata.name ?? '')

describe('a cluster of simulated machines', () => {
  it('that goes takes its machines with it, and all that would make new ones, and nobody else’s', async () => {
    await run(async (world) => {
      await world.client.delete(capi.Cluster, ref)
      await world.until(() => world.state.get(capi.Machine, { namespace, name: 'own' })?.metadata.deletionTimestamp !== undefined, {
        within: '1m',
      })
      await world.settled({ within: '5m' })
      for (const kind of [capi.MachineDeployment, capi.MachineSet] as readonly Resource[])
        assert.deepEqual(namesIn(world, kind), ['foreign'], kind.kind)
      assert.equal(world.state.get(capi.Machine, { namespace, name: 'foreign' })?.metadata.deletionTimestamp, undefined)
    })
  })

  it('stays until the last of its machines is gone, and not longer', async () => {
    await run(async (world) => {
      await world.client.delete(capi.Cluster, ref)
      await world.sleep('30m')
      assert.deepEqual(finalizersIn(world), [clusterFinalizer], 'its machine is still there')
      await world.client.patch(capi.Machine, { namespace, name: 'own' }, { metadata: { finalizers: null } })
      await world.until(() => world.state.get(capi.Cluster, ref) === undefined, { within: '1m' })
      assert.deepEqual(namesIn(world, capi.Cluster), ['other'])
    })
  })

  it('that nobody deletes keeps what it has', async () => {
    await run(async (world) => {
      await world.sleep('30m')
      assert.deepEqual([...namesIn(world, capi.Machine)].sort(), ['foreign', 'own'])
    })
  })
})
