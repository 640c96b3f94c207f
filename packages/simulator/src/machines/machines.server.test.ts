import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { capi, KubevirtMachineTemplate, LogicalCluster, Namespace, Node, NodePool, Pod, Secret, toCrd } from '@windlass/api'
import { aKubevirtMachineTemplate, aMachineDeployment, aNodePool } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { machineKindOf } from './infrastructure.ts'
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
/** What the provider of these machines would bring. */
const provider = machineKindOf(KubevirtMachineTemplate)
const ofProvider = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${provider.plural}.${provider.group}` },
  spec: {
    group: provider.group,
    scope: 'Namespaced',
    names: { kind: provider.kind, listKind: `${provider.kind}List`, plural: provider.plural, singular: provider.kind.toLowerCase() },
    versions: [
      {
        name: provider.version,
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}
const definitions = [...kinds.map((kind) => toCrd(kind)), ofProvider]

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

/** The same for a pool. */
async function askForPool({ client }: World, annotations: Readonly<Record<string, string>> = {}): Promise<void> {
  const { spec } = aNodePool()
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  await client.create(NodePool, { metadata: { namespace: 'clusters', name: 'workers', annotations }, spec })
  const deployment = aMachineDeployment({ spec: { replicas: 2 } }).spec
  const { template } = deployment
  const metadata = { ...template.metadata, annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers' } }
  const ofPool = { ...deployment, template: { ...template, metadata } }
  await client.create(capi.MachineDeployment, { metadata: { namespace, name: 'workers' }, spec: ofPool })
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

  it('are objects of their provider too, where it has such a kind: made from the template, and gone with the machine', async () => {
    await run(
      async (world) => {
        await give(world)
        await ask(world)
        await world.until(() => readyIn(world) === 2, { within: '3m' })
        await world.settled({ within: '5m' })
        const made = world.state.list(provider)
        assert.deepEqual(
          made.map(({ metadata }) => metadata.name),
          machinesIn(world).map(({ metadata }) => metadata.name),
        )
        const [first] = made
        const [machine] = machinesIn(world)
        const { virtualMachineTemplate, providerID } = first?.spec ?? {}
        assert.deepEqual(virtualMachineTemplate, aKubevirtMachineTemplate().spec.template.spec.virtualMachineTemplate)
        assert.deepEqual([providerID, first?.status?.ready], [machine?.spec.providerID, true])
        assert.deepEqual(
          [first?.metadata.annotations?.['cluster.x-k8s.io/cloned-from-name'], first?.metadata.ownerReferences?.[0]?.uid],
          ['workers-88bfcb9e', machine?.metadata.uid],
        )
        await world.client.delete(capi.MachineDeployment, { namespace, name: 'workers' })
        await world.until(() => machinesIn(world).length === 0, { within: '5m' })
        assert.equal(world.state.count(provider), 0)
      },
      { infrastructure: [KubevirtMachineTemplate] },
    )
  })

  it('that are to go wait for a Pod that has ended as long as a finalizer holds it', async () => {
    await run(async (world) => {
      await give(world)
      await ask(world)
      await world.until(() => readyIn(world) === 2, { within: '3m' })
      const guest = world.clientOf(namespace)
      const [node] = nodesIn(world)
      const ref = { namespace: 'default', name: 'report' }
      const spec = { nodeName: node?.metadata.name ?? '', restartPolicy: 'Never' as const, containers: [{ name: 'a', image: 'a' }] }
      await guest.create(Pod, { metadata: { ...ref, finalizers: ['example.com/kept'] }, spec })
      await guest.patchStatus(Pod, ref, { status: { phase: 'Succeeded' } })
      await world.client.delete(capi.Machine, { namespace, name: node?.metadata.name ?? '' })
      await world.sleep('30m')
      const [held] = machinesIn(world).filter(({ metadata }) => metadata.name === node?.metadata.name)
      assert.equal(findCondition(held?.status?.conditions, 'DrainingSucceeded')?.status, 'False')
      await guest.patch(Pod, ref, { metadata: { finalizers: null } })
      await world.until(() => machinesIn(world).every(({ metadata }) => metadata.uid !== held?.metadata.uid), { within: '2m' })
    })
  })

  it('of which a few are to fail do, and those that replace them do not', async () => {
    await run(async (world) => {
      await give(world)
      await askForPool(world, { 'simulator.windlass.dev/fail': 'ignition-unreachable times=1' })
      await world.until(() => readyIn(world) === 1, { within: '3m' })
      await world.sleep('10m')
      assert.equal(readyIn(world), 1)
      const [failed] = machinesIn(world).filter(({ status }) => status?.nodeRef === undefined)
      await world.client.delete(capi.Machine, { namespace, name: failed?.metadata.name ?? '' })
      await world.until(() => readyIn(world) === 2, { within: '5m' })
    })
  })

  it('of a pool are as many as its quota, and the others wait for more room', async () => {
    await run(async (world) => {
      await give(world)
      await askForPool(world, { 'simulator.windlass.dev/fail': 'quota most=1' })
      await world.until(() => readyIn(world) === 1, { within: '3m' })
      await world.sleep('10m')
      const [waiting] = machinesIn(world).filter(({ status }) => status?.phase === 'Provisioning')
      const { status, reason } = findCondition(waiting?.status?.conditions, 'InfrastructureReady') ?? {}
      assert.deepEqual([readyIn(world), status, reason], [1, 'False', 'QuotaExceeded'])
      const annotations = { 'simulator.windlass.dev/fail': null }
      await world.client.patch(NodePool, { namespace: 'clusters', name: 'workers' }, { metadata: { annotations } })
      await world.until(() => readyIn(world) === 2, { within: '3m' })
    })
  })

  it('are changed in place as soon as there is a daemon for it, though they were asked before', async () => {
    await run(async (world) => {
      await give(world)
      await askForPool(world)
      await world.until(() => readyIn(world) === 2, { within: '3m' })
      const guest = world.clientOf(namespace)
      const { name = '' } = nodesIn(world)[0]?.metadata ?? {}
      const said = (key: string) => nodesIn(world)[0]?.metadata.annotations?.[`machineconfiguration.openshift.io/${key}`]
      await guest.patch(Node, { name }, { metadata: { annotations: { 'machineconfiguration.openshift.io/desiredConfig': 'b' } } })
      await world.sleep('10m')
      assert.equal(said('state'), undefined)
      await guest.create(Namespace, { metadata: { name: 'workers-upgrade' } })
      const spec = { nodeName: name, containers: [{ name: 'a', image: 'a' }] }
      await guest.create(Pod, { metadata: { namespace: 'workers-upgrade', name: `machine-config-daemon-${name}` }, spec })
      await world.until(() => said('state') === 'Working' && said('desiredDrain') === 'drain-b', { within: '10s' })
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
