import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { DaemonSet, MachineConfigPool, Namespace, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { type Invariant, simulate, type World } from '@windlass/kube/simulation'
import { clusterControllers } from '../index.ts'
import { annotationOf } from '../machine-config/index.ts'
import { definitions, fewAreAway, given, lawfulHistory, lawfulProgress, looking, updates } from '../testing/index.ts'
import type { StandaloneOptions } from '../fixtures/index.ts'

const clusters = new Map<string, (client: Client) => Promise<void>>()

interface Scene {
  readonly options?: Partial<StandaloneOptions>
  readonly invariants?: readonly Invariant[]
}

function inCluster(
  script: (see: ReturnType<typeof looking>, world: World) => Promise<void>,
  { options = {}, invariants = [fewAreAway] }: Scene = {},
) {
  const key = JSON.stringify(options)
  const cluster = clusters.get(key) ?? given(options)
  clusters.set(key, cluster)
  return simulate({
    seed: 1,
    definitions,
    given: cluster,
    controllers: () => clusterControllers({ seed: 1, updates }),
    invariants: [lawfulHistory, lawfulProgress, ...invariants],
    async world(world) {
      await world.sleep('1m')
      await script(looking(world), world)
    },
  })
}

/** A Pod of somebody's application. Nobody plays the kubelet here: it goes at once when it may. */
async function aRunningPod(world: World, node: string, metadata: Pod['metadata'] = {}): Promise<void> {
  const ref = { namespace: 'shop', name: `pod-on-${node}` }
  const spec = { nodeName: node, terminationGracePeriodSeconds: 0, containers: [{ name: 'main', image: 'example.com/checkout' }] }
  await world.client.create(Pod, { metadata: { ...ref, labels: { app: 'checkout' }, ...metadata }, spec })
  await world.client.patchStatus(Pod, ref, { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } })
}

async function aBudget(world: World, disruptionsAllowed: number): Promise<void> {
  const ref = { namespace: 'shop', name: 'checkout' }
  await world.client.create(PodDisruptionBudget, {
    metadata: ref,
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'checkout' } } },
  })
  await allow(world, disruptionsAllowed)
}

function allow(world: World, disruptionsAllowed: number): Promise<unknown> {
  const status = { observedGeneration: 1, disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 }
  return world.client.patchStatus(PodDisruptionBudget, { namespace: 'shop', name: 'checkout' }, { status })
}

const request = { version: '4.18.16', image: 'example.com/ocp/release:4.18.16-x86_64' }
const state = (see: ReturnType<typeof looking>, name: string): string => annotationOf(see.node(name) ?? assert.fail(), 'state')

describe('a node that is updated', () => {
  it('is drained, changed and restarted, in steps that its annotations tell', async () => {
    const { writes } = await inCluster(async (see, world) => {
      await see.ask(request)
      await world.until(() => see.areNodesDone('4.18.16'), { within: '3h', every: '5s' })
    })
    const seen: string[] = []
    for (const write of writes) {
      const node = write.name === 'worker-0' ? write.as(Node) : undefined
      if (node === undefined) continue
      const config = (text: string): string => text.replace(annotationOf(node, 'desiredConfig'), 'C2').replace(/rendered-worker-\w+/, 'C1')
      const ready = node.status?.conditions?.find(({ type }) => type === 'Ready')?.status ?? ''
      const drains = `${config(annotationOf(node, 'desiredDrain'))} ${config(annotationOf(node, 'lastAppliedDrain'))}`
      const line = `${config(annotationOf(node, 'currentConfig'))} ${annotationOf(node, 'state')} ${drains} ${node.spec.unschedulable === true ? 'cordoned' : 'open'} ${ready}`
      if (seen.at(-1) !== line) seen.push(line)
    }
    assert.deepEqual(seen, [
      'C1 Done uncordon-C1 uncordon-C1 open True',
      'C1 Working drain-C2 uncordon-C1 cordoned True',
      'C1 Working drain-C2 drain-C2 cordoned True',
      'C1 Rebooting drain-C2 drain-C2 cordoned True',
      'C1 Rebooting drain-C2 drain-C2 cordoned Unknown',
      'C1 Rebooting drain-C2 drain-C2 cordoned True',
      'C2 Done uncordon-C2 drain-C2 cordoned True',
      'C2 Done uncordon-C2 uncordon-C2 open True',
    ])
  })

  it('is cordoned by a taint that tells since when', async () => {
    await inCluster(async (see, world) => {
      await see.ask(request)
      await world.until(() => world.state.list(Node).some(({ spec }) => spec.unschedulable === true), { within: '2h' })
      const [cordoned] = world.state.list(Node).filter(({ spec }) => spec.unschedulable === true)
      const taint = cordoned?.spec.taints?.find(({ key }) => key === 'node.kubernetes.io/unschedulable')
      assert.match(taint?.timeAdded ?? '', /^2026-01-01T/)
    })
  })

  it('waits for a budget that allows nothing, is degraded after an hour, and goes on when it is allowed', async () => {
    await inCluster(async (see, world) => {
      await world.client.create(Namespace, { metadata: { name: 'shop' } })
      await aBudget(world, 0)
      await aRunningPod(world, 'worker-0')
      await see.ask(request)
      await world.until(() => state(see, 'worker-0') === 'Working', { within: '2h' })
      await world.sleep('50m')
      assert.equal(see.pool('worker')?.status?.degradedMachineCount, 0)
      assert.ok(world.state.get(Pod, { namespace: 'shop', name: 'pod-on-worker-0' }))
      await world.until(() => state(see, 'worker-0') === 'Degraded', { within: '15m' })
      assert.equal(
        annotationOf(see.node('worker-0') ?? assert.fail(), 'reason'),
        'failed to drain node: worker-0 after 1 hour. Please see machine-config-controller logs for more information',
      )
      await world.sleep('10s')
      assert.match(
        see.poolSays('worker', 'NodeDegraded') ?? '',
        /^True\|1 nodes are reporting degraded status on sync\|Node worker-0 is reporting: "failed to drain/,
      )
      assert.match(see.poolSays('worker', 'Degraded') ?? '', /^True/)
      await world.until(() => see.says('Failing')?.startsWith('True|ClusterOperatorDegraded|') === true, { within: '10m' })
      assert.equal(
        see.says('Progressing'),
        'False|ClusterOperatorDegraded|Error while reconciling 4.18.16: the cluster operator machine-config is degraded',
      )
      await allow(world, 1)
      await world.until(() => see.areNodesDone('4.18.16'), { within: '1h' })
      await world.until(() => see.says('Failing') === 'False||', { within: '10m' })
    })
  })

  it('leaves Pods alone that are on every node or that it runs by itself', async () => {
    await inCluster(async (see, world) => {
      await world.client.create(Namespace, { metadata: { name: 'shop' } })
      const labels = { app: 'agent' }
      const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'example.com/agent' }] } }
      const agent = await world.client.create(DaemonSet, {
        metadata: { namespace: 'shop', name: 'agent' },
        spec: { selector: { matchLabels: labels }, template },
      })
      const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'agent', uid: agent.metadata.uid ?? '', controller: true }
      await aRunningPod(world, 'worker-0', { ownerReferences: [owner] })
      await aRunningPod(world, 'worker-1', { annotations: { 'kubernetes.io/config.mirror': 'x' } })
      await aRunningPod(world, 'worker-2')
      await see.ask(request)
      await world.until(() => see.areNodesDone('4.18.16'), { within: '3h', every: '5s' })
      assert.deepEqual(
        world.state.list(Pod).map(({ metadata }) => metadata.name),
        ['pod-on-worker-0', 'pod-on-worker-1'],
      )
    })
  })

  it('can have its drain blocked without a budget', async () => {
    await inCluster(async (see, world) => {
      await see.fail(Node, 'worker-0', 'drain-blocked')
      await see.ask(request)
      await world.until(() => state(see, 'worker-0') === 'Degraded', { within: '3h', every: '5s' })
      await see.fail(Node, 'worker-0', null)
      await world.until(() => see.areNodesDone('4.18.16'), { within: '1h', every: '5s' })
    })
  })

  it('can be degraded by its daemon, and holds up the others of its pool', async () => {
    await inCluster(async (see, world) => {
      await see.fail(Node, 'worker-0', 'degraded')
      await world.sleep('1m')
      assert.equal(state(see, 'worker-0'), 'Degraded')
      await see.ask(request)
      await world.sleep('2h')
      assert.equal(see.pool('worker')?.status?.updatedMachineCount, 0)
      assert.equal(see.pool('worker')?.status?.degradedMachineCount, 1)
      await see.fail(Node, 'worker-0', null)
      await world.until(() => see.areNodesDone('4.18.16'), { within: '1h', every: '5s' })
    })
  })

  it('that is the only one is not drained', async () => {
    await inCluster(
      async (see, world) => {
        await world.client.create(Namespace, { metadata: { name: 'shop' } })
        await aBudget(world, 0)
        await aRunningPod(world, 'master-0')
        await see.ask(request)
        await world.until(() => see.areNodesDone('4.18.16') && see.isCompleted('4.18.16'), { within: '3h', every: '5s' })
        assert.ok(world.state.get(Pod, { namespace: 'shop', name: 'pod-on-master-0' }))
      },
      { options: { masters: 1, workers: 0 } },
    )
  })
})

describe('a node', () => {
  it('that is not ready counts as away: nobody else is touched', async () => {
    await inCluster(
      async (see, world) => {
        await see.fail(Node, 'worker-1', 'not-ready')
        await see.ask(request)
        await world.until(() => see.isCompleted('4.18.16'), { within: '2h', every: '5s' })
        assert.match(see.nodeSays('worker-1', 'Ready') ?? '', /^False\|KubeletNotReady/)
        assert.equal(see.pool('worker')?.status?.updatedMachineCount, 0)
        assert.equal(see.pool('worker')?.status?.unavailableMachineCount, 1)
        await see.fail(Node, 'worker-1', null)
        await world.until(() => see.areNodesDone('4.18.16'), { within: '1h', every: '5s' })
      },
      { invariants: [] },
    )
  })

  it('that is not ready while it is updated gets to its restart, which does not end before it is ready', async () => {
    await inCluster(
      async (see, world) => {
        await see.fail(Node, 'master-0', 'drain-blocked')
        await see.ask(request)
        const state = () => see.node('master-0')?.metadata.annotations?.['machineconfiguration.openshift.io/state']
        await world.until(() => state() === 'Working', { within: '2h', every: '5s' })
        await see.fail(Node, 'master-0', 'not-ready')
        await world.until(() => state() === 'Rebooting', { within: '10m', every: '5s' })
        await world.sleep('20m')
        assert.equal(state(), 'Rebooting')
        await see.fail(Node, 'master-0', null)
        await world.until(() => see.isCompleted('4.18.16'), { within: '1h', every: '5s' })
      },
      { invariants: [] },
    )
  })

  it('is not ready for as long as was asked for', async () => {
    await inCluster(
      async (see, world) => {
        await see.fail(Node, 'worker-1', 'not-ready for=10m; disk-pressure')
        await world.sleep('9m')
        assert.match(see.nodeSays('worker-1', 'Ready') ?? '', /^False/)
        await world.sleep('2m')
        assert.match(see.nodeSays('worker-1', 'Ready') ?? '', /^True/)
        assert.match(see.nodeSays('worker-1', 'DiskPressure') ?? '', /^True/)
        await see.fail(Node, 'worker-1', null)
        await world.sleep('1m')
        assert.match(see.nodeSays('worker-1', 'DiskPressure') ?? '', /^False/)
      },
      { invariants: [] },
    )
  })

  it('that joins a pool has its config already', async () => {
    await inCluster(
      async (see, world) => {
        await see.ask(request)
        await world.until(() => see.pool('worker')?.status?.updatedMachineCount === 1, { within: '2h', every: '5s' })
        await world.client.create(Node, { metadata: { name: 'worker-new', labels: { 'node-role.kubernetes.io/worker': '' } }, spec: {} })
        await world.client.patchStatus(
          Node,
          { name: 'worker-new' },
          { status: { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2026-01-01T00:00:00Z' }] } },
        )
        await world.sleep('1m')
        const { status, spec } = see.pool('worker') ?? {}
        assert.equal(status?.machineCount, 4)
        assert.equal(annotationOf(see.node('worker-new') ?? assert.fail(), 'currentConfig'), spec?.configuration?.name)
      },
      { invariants: [] },
    )
  })

  it('that somebody cordons by hand gets the taint, and loses it', async () => {
    await inCluster(async (see, world) => {
      const cordon = (unschedulable: boolean | null) => world.client.patch(Node, { name: 'worker-0' }, { spec: { unschedulable } })
      await cordon(true)
      await world.sleep('5s')
      assert.ok(
        see
          .node('worker-0')
          ?.spec.taints?.some(({ key, timeAdded }) => key === 'node.kubernetes.io/unschedulable' && timeAdded !== undefined),
      )
      await cordon(null)
      await world.sleep('5s')
      assert.deepEqual(see.node('worker-0')?.spec.taints ?? [], [])
    })
  })
})

describe('a pool', () => {
  it('that is paused gets a new config and leaves its nodes alone, until it is not paused any more', async () => {
    await inCluster(async (see, world) => {
      const before = annotationOf(see.node('worker-0') ?? assert.fail(), 'currentConfig')
      await world.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: true } })
      await see.ask(request)
      await world.until(() => see.isCompleted('4.18.16'), { within: '2h', every: '5s' })
      await world.sleep('1h')
      const config = see.pool('worker')?.spec.configuration?.name ?? ''
      assert.notEqual(config, before)
      assert.equal(see.poolSays('worker', 'Updating'), `False||Pool is paused; will not update to MachineConfig ${config}`)
      assert.equal(annotationOf(see.node('worker-0') ?? assert.fail(), 'desiredConfig'), before)
      assert.equal(see.pool('worker')?.status?.updatedMachineCount, 0)
      await world.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: false } })
      await world.until(() => see.areNodesDone('4.18.16'), { within: '1h', every: '5s' })
    })
  })

  it('that cannot be rendered is degraded, and so is machine-config; both heal', async () => {
    await inCluster(async (see, world) => {
      await see.fail(MachineConfigPool, 'master', 'render')
      await see.ask(request)
      await world.until(
        () =>
          see.poolSays('master', 'RenderDegraded')?.startsWith('True|RenderFailed|Failed to render configuration for pool master') === true,
        { within: '1h' },
      )
      await world.until(
        () =>
          see
            .operatorSays('machine-config', 'Degraded')
            ?.startsWith('True|RequiredPoolsFailed|Unable to apply 4.18.16: error during syncRequiredMachineConfigPools: ') === true,
        { within: '2h', every: '5s' },
      )
      assert.equal(see.pool('worker')?.status?.updatedMachineCount, 3, 'the other pool does not wait')
      await see.fail(MachineConfigPool, 'master', null)
      await world.until(() => see.isCompleted('4.18.16') && see.areNodesDone('4.18.16'), { within: '1h', every: '5s' })
      assert.match(see.poolSays('master', 'RenderDegraded') ?? '', /^False/)
    })
  })

  it('takes as many nodes at once as it may', async () => {
    let most = 0
    const counting: Invariant = {
      name: 'workers are counted',
      of: Node,
      holds(_, state) {
        most = Math.max(
          most,
          state.list(Node).filter(({ metadata, spec }) => metadata.name?.startsWith('worker') === true && spec.unschedulable === true)
            .length,
        )
        return true
      },
    }
    await inCluster(
      async (see, world) => {
        await world.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { maxUnavailable: 2 } })
        await see.ask(request)
        await world.until(() => see.areNodesDone('4.18.16'), { within: '3h', every: '5s' })
      },
      { options: { workers: 5 }, invariants: [fewAreAway, counting] },
    )
    assert.equal(most, 2)
  })
})
