import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { machineApi, Node, Pod, PodDisruptionBudget, Route, toCrd } from '@windlass/api'
import { aMachineSet } from '@windlass/api/fixtures'
import { isTrue } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { forEachSeed, type Simulation, simulate, type World } from '@windlass/kube/simulation'
import { definitions, given, looking, ofUpdates, start, updates } from '../cluster/testing/index.ts'
import { clusterControllers, place } from '../cluster/index.ts'
import { failureAnnotation } from '../failures/index.ts'
import { workloadControllers } from '../workloads/index.ts'
import { machineApiControllers, workerMachines } from './index.ts'

const namespace = 'openshift-machine-api'
const setA = { namespace, name: 'classic-x7k2p-worker-zone-a' }

async function cluster(client: Client): Promise<void> {
  await given()(client)
  await place(client, workerMachines({ installed: start - 86_400_000 }))
}

function simulation(world: (world: World) => Promise<void>, more: Partial<Simulation> = {}): Simulation {
  const seed = more.seed ?? 1
  return {
    seed,
    definitions: [...definitions, ...[machineApi.MachineSet, machineApi.Machine, Route].map(toCrd)],
    given: cluster,
    limit: '24h',
    controllers: () => [...clusterControllers({ seed, updates }), ...machineApiControllers({ seed }), ...workloadControllers({ seed })],
    world,
    ...more,
  }
}

const setIn = ({ state }: World, { name } = setA) => state.get(machineApi.MachineSet, { namespace, name })
const machinesIn = ({ state }: World): readonly machineApi.Machine[] => state.list(machineApi.Machine)
const extraMachine = (world: World) =>
  machinesIn(world).find(({ metadata }) => metadata.labels?.['upgrade.managed.openshift.io'] !== undefined)
const readyNodes = ({ state }: World): number => state.list(Node).filter(({ status }) => isTrue(status?.conditions, 'Ready')).length

/** A copy of a set as an upgrade makes it. */
function copyOf(world: World, annotations: Readonly<Record<string, string>> = {}) {
  const { spec } = setIn(world) ?? assert.fail('the set of zone a is missing')
  const marks = { 'upgrade.managed.openshift.io': 'true', 'machine.openshift.io/cluster-api-machineset': 'extra' }
  const labels = { ...spec.template?.metadata?.labels, ...marks }
  return {
    metadata: { namespace, name: 'extra', labels: { 'upgrade.managed.openshift.io': 'true' } },
    spec: {
      ...spec,
      replicas: 1,
      selector: { matchLabels: labels },
      template: { ...spec.template, metadata: { labels, annotations } },
    },
  }
}

const failing = (text: string) => ({ [failureAnnotation]: text })

describe('the machines of a classic cluster', () => {
  it('are those of its workers, and rest', async () => {
    const { writes } = await simulate(
      simulation(async (world) => {
        await world.until(() => setIn(world)?.status?.readyReplicas === 1, { within: '1m' })
        for (const { metadata } of machinesIn(world)) assert.equal(metadata.ownerReferences?.[0]?.kind, 'MachineSet')
        assert.match(world.state.get(Node, { name: 'worker-0' })?.metadata.annotations?.['machine.openshift.io/machine'] ?? '', /zone-a/)
        await world.sleep('2h')
        assert.equal(machinesIn(world).length, 3)
      }),
    )
    const mine = writes.filter((write) => write.isOf(machineApi.Machine) || write.isOf(machineApi.MachineSet))
    assert.deepEqual(mine.filter(({ at }) => at > start + 120_000).map(String), [])
  })

  it('become nodes of the pool of workers, and are counted there, when a set is added; and go with it', async () => {
    await simulate(
      simulation(async (world) => {
        const see = looking(world)
        await world.client.create(machineApi.MachineSet, copyOf(world))
        await world.until(() => extraMachine(world)?.status?.phase === 'Provisioned', { within: '2m' })
        assert.match(extraMachine(world)?.metadata.name ?? '', /^extra-[a-z0-9]{5}$/)
        await world.until(() => setIn(world, { namespace, name: 'extra' })?.status?.readyReplicas === 1, { within: '10m' })
        const { status } = extraMachine(world) ?? {}
        assert.equal(status?.phase, 'Running')
        const node = world.state.get(Node, { name: status.nodeRef?.name ?? '' })
        assert.equal(node?.metadata.labels?.['topology.kubernetes.io/zone'], 'zone-a')
        assert.equal(node.status?.nodeInfo?.kubeletVersion, 'v1.31.15')
        await world.until(() => see.pool('worker')?.status?.updatedMachineCount === 4, { within: '1m' })
        await world.client.delete(machineApi.MachineSet, { namespace, name: 'extra' })
        await world.until(() => extraMachine(world)?.status?.phase === 'Deleting', { within: '1m' })
        await world.until(() => world.state.get(Node, { name: node.metadata.name ?? '' })?.spec.unschedulable === true, { within: '1m' })
        await world.until(() => extraMachine(world) === undefined && readyNodes(world) === 6, { within: '5m' })
        await world.until(() => see.pool('worker')?.status?.machineCount === 3, { within: '1m' })
      }),
    )
  })

  it('are updated with the rest when they join in the middle of an update', async () => {
    await simulate(
      simulation(
        async (world) => {
          const see = looking(world)
          await see.ask({ version: '4.18.16' })
          await world.sleep('20m')
          await world.client.create(machineApi.MachineSet, copyOf(world))
          await world.until(() => see.isCompleted('4.18.16') && see.areNodesDone('4.18.16'), { within: '3h', every: '5s' })
          assert.equal(see.pool('worker')?.status?.machineCount, 4)
        },
        { invariants: ofUpdates.slice(1) },
      ),
    )
  })

  it('scale up and down, and those that somebody marked go first', async () => {
    await simulate(
      simulation(async (world) => {
        await world.client.patch(machineApi.MachineSet, setA, { spec: { replicas: 3 } })
        await world.until(() => setIn(world)?.status?.readyReplicas === 3, { within: '10m' })
        const old = machinesIn(world).find(({ status }) => status?.nodeRef?.name === 'worker-0')?.metadata.name ?? ''
        const mark = { 'machine.openshift.io/delete-machine': 'true' }
        await world.client.patch(machineApi.Machine, { namespace, name: old }, { metadata: { annotations: mark } })
        await world.client.patch(machineApi.MachineSet, setA, { spec: { replicas: 2 } })
        await world.until(() => !machinesIn(world).some(({ metadata }) => metadata.name === old), { within: '10m' })
        assert.equal(world.state.get(Node, { name: 'worker-0' }), undefined)
        assert.equal(setIn(world)?.status?.replicas, 2)
      }),
    )
  })

  const failures = [
    ['quota', 'Failed', 'they are not made while the provider has no room'],
    ['no-node', 'Provisioned', 'they do not become nodes'],
    ['never-ready', 'Running', 'their nodes are not ready'],
  ] as const
  for (const [mode, phase, what] of failures) {
    it(`${mode}: ${what}; then all is well`, async () => {
      await simulate(
        simulation(async (world) => {
          await world.client.create(machineApi.MachineSet, copyOf(world, failing(mode)))
          await world.sleep('40m')
          assert.equal(extraMachine(world)?.status?.phase, phase)
          assert.equal(setIn(world, { namespace, name: 'extra' })?.status?.readyReplicas, 0)
          const name = extraMachine(world)?.metadata.name ?? ''
          await world.client.patch(machineApi.Machine, { namespace, name }, { metadata: { annotations: { [failureAnnotation]: null } } })
          await world.until(() => setIn(world, { namespace, name: 'extra' })?.status?.readyReplicas === 1, { within: '10m' })
          assert.equal(extraMachine(world)?.status?.errorReason, undefined)
        }),
      )
    })
  }

  it('no-machines: a set makes none while its template says so', async () => {
    await simulate(
      simulation(async (world) => {
        await world.client.create(machineApi.MachineSet, copyOf(world, failing('no-machines')))
        await world.sleep('40m')
        assert.equal(extraMachine(world), undefined)
        assert.equal(setIn(world, { namespace, name: 'extra' })?.status?.replicas, 0)
      }),
    )
  })

  it('removal-stuck, drain-blocked: they do not go while somebody holds them up', async () => {
    await simulate(
      simulation(async (world) => {
        await world.client.create(machineApi.MachineSet, copyOf(world, failing('removal-stuck; drain-blocked')))
        await world.until(() => setIn(world, { namespace, name: 'extra' })?.status?.readyReplicas === 1, { within: '10m' })
        await world.client.delete(machineApi.MachineSet, { namespace, name: 'extra' })
        await world.sleep('2h')
        const { name = '', annotations } = extraMachine(world)?.metadata ?? {}
        assert.equal(annotations?.['simulator.windlass.dev/drained'], undefined)
        const fail = (text: string | null) =>
          world.client.patch(machineApi.Machine, { namespace, name }, { metadata: { annotations: { [failureAnnotation]: text } } })
        await fail('removal-stuck')
        await world.sleep('1h')
        assert.ok(extraMachine(world)?.metadata.annotations?.['simulator.windlass.dev/drained'])
        await fail(null)
        await world.until(() => extraMachine(world) === undefined, { within: '5m' })
      }),
    )
  })

  it('wait for Pods that a budget protects', async () => {
    await simulate(
      simulation(async (world) => {
        await world.client.create(machineApi.MachineSet, copyOf(world))
        await world.until(() => setIn(world, { namespace, name: 'extra' })?.status?.readyReplicas === 1, { within: '10m' })
        const nodeName = extraMachine(world)?.status?.nodeRef?.name ?? ''
        const where = { namespace: 'default', name: 'precious' }
        const labels = { app: 'precious' }
        await world.client.create(PodDisruptionBudget, {
          metadata: where,
          spec: { maxUnavailable: 0, selector: { matchLabels: labels } },
        })
        await world.client.create(Pod, {
          metadata: { ...where, labels },
          spec: { nodeName, containers: [{ name: 'a', image: 'example.com/a' }] },
        })
        await world.sleep('1m')
        await world.client.delete(machineApi.MachineSet, { namespace, name: 'extra' })
        await world.sleep('1h')
        assert.ok(world.state.get(Pod, where))
        assert.equal(extraMachine(world)?.status?.phase, 'Deleting')
        await world.client.delete(PodDisruptionBudget, where)
        await world.until(() => extraMachine(world) === undefined, { within: '10m' })
        assert.equal(world.state.get(Pod, where), undefined)
      }),
    )
  })

  it('come and go whatever goes wrong', { timeout: 120_000 }, async () => {
    await forEachSeed({ count: 3 }, (seed) =>
      simulate(
        simulation(
          async (world) => {
            await world.client.create(machineApi.MachineSet, { ...copyOf(world) })
            await world.until(() => setIn(world, { namespace, name: 'extra' })?.status?.readyReplicas === 1, { within: '2h', every: '5s' })
            await world.client.delete(machineApi.MachineSet, { namespace, name: 'extra' })
            await world.until(() => extraMachine(world) === undefined && world.state.list(Node).length === 6, { within: '2h', every: '5s' })
          },
          { seed, faults: 'all', processes: 2, calmAfter: '20m' },
        ),
      ),
    )
  })

  it('of people who wrote them by hand are let go too', async () => {
    await simulate(
      simulation(async (world) => {
        const { spec } = aMachineSet()
        await world.client.create(machineApi.Machine, { metadata: { namespace, name: 'mine' }, spec: spec.template?.spec ?? {} })
        await world.until(() => world.state.get(Node, { name: 'mine' }) !== undefined, { within: '10m' })
        await world.until(() => readyNodes(world) === 7, { within: '10m' })
        await world.client.delete(machineApi.Machine, { namespace, name: 'mine' })
        await world.until(() => world.state.get(Node, { name: 'mine' }) === undefined, { within: '10m' })
      }),
    )
  })
})
