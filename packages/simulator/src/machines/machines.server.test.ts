import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, KubevirtMachineTemplate, LogicalCluster, Namespace, Node, NodePool, Secret, toCrd } from '@windlass/api'
import { aKubevirtMachineTemplate, aMachineDeployment } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import type { FetchIgnition } from './ignition/index.ts'
import { machineControllers } from './machine-controllers.ts'
import type { MachineOptions } from './settings.ts'

const namespace = 'clusters-prod'
const kinds = [
  capi.Cluster,
  capi.MachineDeployment,
  capi.MachineSet,
  capi.Machine,
  capi.MachineHealthCheck,
  KubevirtMachineTemplate,
  LogicalCluster,
  NodePool,
]
const definitions = kinds.map((kind) => toCrd(kind))

const userData = JSON.stringify({
  ignition: { version: '3.2.0', config: { merge: [{ source: 'https://ignition.prod.example.com/ignition', httpHeaders: [] }] } },
})

async function given(client: Client): Promise<void> {
  await client.create(Namespace, { metadata: { name: namespace } })
  await client.create(LogicalCluster, { metadata: { name: namespace }, spec: {} })
  const value = `server: https://simulation/clusters/${namespace}\n`
  await client.create(Secret, { metadata: { namespace, name: 'prod-7k2xq-kubeconfig' }, stringData: { value } })
}

const answered: FetchIgnition = () => Promise.resolve({ status: 200, body: '{}' })

/** Two machines are asked for, before what they are made from and start with is there. */
async function ask({ client }: World): Promise<void> {
  const { spec } = aMachineDeployment({ spec: { replicas: 2 } })
  await client.create(capi.MachineDeployment, { metadata: { namespace, name: 'workers' }, spec })
}

async function give({ client }: World): Promise<void> {
  const { spec } = aKubevirtMachineTemplate()
  await client.create(KubevirtMachineTemplate, { metadata: { namespace, name: 'workers-88bfcb9e' }, spec })
  await client.create(Secret, { metadata: { namespace, name: 'user-data-workers-1a47e90b' }, stringData: { value: userData } })
}

const run = (world: (world: World) => Promise<void>, options: Partial<MachineOptions> = {}) =>
  simulate({
    seed: 1,
    definitions,
    given,
    limit: '24h',
    controllers: ({ connect }) =>
      machineControllers({ seed: 1, connect, fetchIgnition: answered, templates: [KubevirtMachineTemplate], ...options }),
    world,
  })

const machinesIn = ({ state }: World): readonly capi.Machine[] => state.list(capi.Machine)
const nodesIn = ({ state }: World): readonly Node[] => state.list(Node, { cluster: namespace })
const readyIn = (world: World): number =>
  nodesIn(world).filter(({ status }) => findCondition(status?.conditions, 'Ready')?.status === 'True').length
const deploymentIn = ({ state }: World) => state.get(capi.MachineDeployment, { namespace, name: 'workers' })

describe('simulated machines', () => {
  it('are made from their template, start with their user data, become nodes of their guest, and go with all that is theirs', async () => {
    await run(async (world) => {
      await ask(world)
      await world.sleep('5m')
      assert.deepEqual(machinesIn(world), [], 'nothing can be made from a template that is not there')
      await give(world)
      await world.until(() => readyIn(world) === 2, { within: '3m' })
      await world.settled({ within: '5m' })
      const { status, metadata } = deploymentIn(world) ?? {}
      assert.deepEqual(
        [status?.replicas, status?.availableReplicas, status?.updatedReplicas, status?.observedGeneration],
        [2, 2, 2, metadata?.generation],
      )
      assert.ok(
        machinesIn(world).every((machine) => machine.status?.phase === 'Running' && machine.status.nodeInfo?.kubeletVersion === 'v1.32.6'),
      )
      await world.client.delete(capi.MachineDeployment, { namespace, name: 'workers' })
      await world.until(() => machinesIn(world).length === 0 && nodesIn(world).length === 0, { within: '5m' })
      assert.equal(world.state.count(capi.MachineSet), 0)
    })
  })

  it('do not start while nobody answers them, nor become more than the provider has room for', async () => {
    let isAnswered = false
    const fetchIgnition: FetchIgnition = () =>
      isAnswered
        ? answered({ url: '', headers: {}, authority: '', tokenSecret: undefined }, AbortSignal.abort())
        : Promise.reject(new Error('nobody is there'))
    await run(
      async (world) => {
        await give(world)
        await ask(world)
        await world.sleep('5m')
        assert.deepEqual(
          machinesIn(world)
            .map(({ status }) => status?.phase)
            .toSorted((a, b) => ((a ?? '') < (b ?? '') ? -1 : 1)),
          ['Provisioned', 'Provisioning'],
        )
        isAnswered = true
        await world.until(() => readyIn(world) === 1, { within: '2m' })
        const [machine] = machinesIn(world).filter(({ status }) => status?.phase === 'Running')
        const fail = { 'simulator.windlass.dev/fail': 'node-deleted' }
        await world.client.patch(capi.Machine, { namespace, name: machine?.metadata.name ?? '' }, { metadata: { annotations: fail } })
        await world.until(() => nodesIn(world).length === 0, { within: '1m' })
        await world.until(
          () => machinesIn(world).some(({ status }) => findCondition(status?.conditions, 'NodeHealthy')?.reason === 'NodeNotFound'),
          { within: '1m' },
        )
      },
      { fetchIgnition, maxMachines: 1 },
    )
  })
})
