import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { capi, ConfigMap, Namespace, Node, Pod, Secret } from '@windlass/api'
import type { NodePool } from '@windlass/api'
import { aCapiMachine, aCapiMachineSet, aHostedCluster, aNode } from '@windlass/api/fixtures'
import { World } from '../../hosted-cluster/testing/index.ts'
import { inPlaceMaxUnavailable } from '../machines/index.ts'
import { aNewPool, aWorld, noon, pass, poolIn, Provider, said, secretWith, settle, setRelease } from '../testing/index.ts'
import { Annotation, NodeAnnotation, PoolAnnotation } from '../wire.ts'
import { decideUpgrade, drainRequestOf, isUnavailable, needsUpgrade, nodeStateOf, type UpgraderPlan, upgradeName } from './index.ts'

const home = 'clusters-prod'
const inPlace = (maxUnavailable?: number | string): NodePool['spec']['management'] => ({
  upgradeType: 'InPlace',
  ...(maxUnavailable === undefined ? {} : { inPlace: { maxUnavailable } }),
})
const setIn = (world: World) => world.find(capi.MachineSet, { namespace: home, name: 'workers' }) ?? assert.fail()
const desired = (node: Node) => nodeStateOf(node).desired

function annotated<T extends { readonly metadata: NodePool['metadata'] }>(object: T, annotations: Readonly<Record<string, string>>): T {
  return { ...object, metadata: { ...object.metadata, annotations: { ...object.metadata.annotations, ...annotations } } }
}

function closed(node: Node, unschedulable = true): Node {
  return { ...node, spec: { ...node.spec, unschedulable } }
}

/** A guest with as many nodes, at configuration `a`, whose set is asked for `b`. */
class Guest {
  readonly management: World
  readonly world: World
  readonly #names: readonly string[]
  /** The most nodes that were away at once, the most that nothing could be started on, and what the set said. */
  mostAway = 0
  mostClosed = 0
  readonly texts: string[] = []

  constructor(
    size: number,
    maxUnavailable: number,
    secret: Secret | undefined = secretWith('token-workers-b', home, { payload: 'packed', 'release-version': '4.20.1' }),
  ) {
    this.#names = Array.from({ length: size }, (_, index) => `node-${index}`)
    const set = annotated(aCapiMachineSet(), {
      [PoolAnnotation.currentConfigVersion]: 'a',
      [Annotation.targetConfigVersion]: 'b',
      [Annotation.maxUnavailable]: `${maxUnavailable}`,
    })
    const machines = this.#names.map((name) => aCapiMachine({ name, status: { nodeRef: { kind: 'Node', name } } }))
    this.management = new World([set, ...machines, ...(secret === undefined ? [] : [secret])])
    this.world = new World(
      this.#names.map((name) =>
        annotated(aNode({ name }), {
          [NodeAnnotation.currentConfig]: 'a',
          [NodeAnnotation.desiredConfig]: 'a',
          [NodeAnnotation.state]: 'Done',
        }),
      ),
    )
  }

  pass(): UpgraderPlan {
    const namespace = upgradeName('workers')
    const plan = decideUpgrade({
      machineSet: this.set,
      tokenSecret: this.management.find(Secret, { namespace: home, name: `token-workers-${this.target}` }),
      machines: this.management.list(capi.Machine),
      nodes: new Map(this.nodes.map((node) => [node.metadata.name ?? '', node])),
      namespace: this.world.find(Namespace, { name: namespace }),
      configMap: this.world.find(ConfigMap, { namespace, name: namespace }),
      pods: this.world.list(Pod),
      daemonImage: 'example.com/mco',
    })
    this.management.carryOut(plan.announcement ?? [], noon)
    this.world.carryOut(plan.guest, noon)
    this.management.carryOut(plan.management, noon)
    this.mostAway = Math.max(this.mostAway, this.nodes.filter((node) => desired(node) !== nodeStateOf(node).current).length)
    this.mostClosed = Math.max(this.mostClosed, this.nodes.filter(isUnavailable).length)
    const text = this.set.metadata.annotations?.[Annotation.upgradeInProgress]
    if (text !== undefined && this.texts.at(-1) !== text) this.texts.push(text)
    return plan
  }

  /** What the daemon on one node does next. */
  work(node: Node): void {
    const { current, desired, state, desiredDrain, lastAppliedDrain } = nodeStateOf(node)
    const put = (annotations: Readonly<Record<string, string>>) => this.world.put(annotated(node, annotations))
    if (desiredDrain !== lastAppliedDrain) {
      const isClosed = drainRequestOf(node)?.do === 'drain'
      const drained = annotated(node, { [NodeAnnotation.lastAppliedDrain]: desiredDrain })
      return this.world.put(closed(drained, isClosed))
    }
    if (current === desired) return state === 'Done' ? undefined : put({ [NodeAnnotation.state]: 'Done' })
    if (desiredDrain !== `drain-${desired}`)
      return put({ [NodeAnnotation.state]: 'Working', [NodeAnnotation.desiredDrain]: `drain-${desired}` })
    put({ [NodeAnnotation.currentConfig]: desired, [NodeAnnotation.desiredDrain]: `uncordon-${desired}` })
  }

  ask(target: string): void {
    this.management.put(annotated(this.set, { [Annotation.targetConfigVersion]: target }))
    this.management.put(secretWith(`token-workers-${target}`, home, { payload: 'packed', 'release-version': '4.20.2' }))
  }

  get set(): capi.MachineSet {
    return setIn(this.management)
  }

  get target(): string {
    return this.set.metadata.annotations?.[Annotation.targetConfigVersion] ?? ''
  }

  get isDone(): boolean {
    return this.set.metadata.annotations?.[PoolAnnotation.currentConfigVersion] === this.target
  }

  get nodes(): readonly Node[] {
    return this.world.list(Node)
  }
}

function finish(guest: Guest): void {
  for (let round = 0; !guest.isDone; round++) {
    assert.ok(round < 200, 'it does not come to an end')
    guest.pass()
    for (const node of guest.nodes) guest.work(node)
  }
}

describe('a pool whose nodes stay', () => {
  it('NP-53 is where it should be from the start', () => {
    const world = aWorld(aNewPool({ spec: { management: inPlace() } }))
    pass(world)
    const { annotations = {} } = setIn(world).metadata
    assert.equal(annotations[PoolAnnotation.currentConfigVersion], annotations[Annotation.targetConfigVersion])
    assert.equal(annotations[Annotation.maxUnavailable], '1')
    assert.equal(setIn(world).spec.template?.metadata?.annotations?.[Annotation.releaseVersion], undefined)
    assert.equal(setIn(world).spec.template?.metadata?.annotations?.[Annotation.taints], 'null')
    assert.deepEqual(setIn(world).spec.selector.matchLabels, { 'prod-7k2xq-prod-workers': 'prod-7k2xq-prod-workers' })
    pass(world)
    assert.equal(poolIn(world).status?.version, '4.19.6')
  })

  it('NP-55 asks for another configuration, is complete when the set says so, and never loses a machine', () => {
    const world = aWorld(aNewPool({ spec: { management: inPlace() } }), aHostedCluster({ release: '4.20.1' }))
    const provider = new Provider(world)
    const now = settle(world, provider)
    const machines = world.list(capi.Machine).map(({ metadata }) => metadata.name)
    assert.equal(said(poolIn(world), 'ReachedIgnitionEndpoint'), 'True/AsExpected')
    setRelease(world, '4.20.1')
    const later = settle(world, provider, now)
    const { annotations = {} } = setIn(world).metadata
    const target = annotations[Annotation.targetConfigVersion] ?? ''
    assert.notEqual(annotations[PoolAnnotation.currentConfigVersion], target)
    assert.deepEqual([said(poolIn(world), 'UpdatingVersion'), poolIn(world).status?.version], ['True/AsExpected', '4.19.6'])
    world.put(annotated(setIn(world), { [Annotation.upgradeInProgress]: 'one of three' }))
    pass(world, later)
    assert.equal(poolIn(world).status?.conditions?.find(({ type }) => type === 'UpdatingVersion')?.message, 'one of three')
    world.put(annotated(setIn(world), { [Annotation.upgradeFailed]: 'Node a in nodepool degraded: x' }))
    pass(world, later)
    assert.equal(said(poolIn(world), 'UpdatingVersion'), 'False/InplaceUpgradeFailed')
    const { [Annotation.upgradeFailed]: _, [Annotation.upgradeInProgress]: __, ...rest } = setIn(world).metadata.annotations ?? {}
    world.put({
      ...setIn(world),
      metadata: { ...setIn(world).metadata, annotations: { ...rest, [PoolAnnotation.currentConfigVersion]: target } },
    })
    settle(world, provider, later)
    assert.equal(poolIn(world).status?.version, '4.20.1')
    assert.equal(said(poolIn(world), 'ReachedIgnitionEndpoint'), 'True/AsExpected')
    assert.deepEqual(
      world.list(capi.Machine).map(({ metadata }) => metadata.name),
      machines,
    )
  })

  it('NP-54 may miss a part of its nodes, at least one', () => {
    const count = (replicas: number | undefined, maxUnavailable?: number | string) =>
      inPlaceMaxUnavailable(aNewPool({ spec: { management: inPlace(maxUnavailable), ...(replicas === undefined ? {} : { replicas }) } }))
    assert.deepEqual([count(4, '75%'), count(4), count(10, '1%'), count(10, 3), count(0, '50%')], [3, 1, 1, 3, 1])
  })
})

describe('the in-place upgrader', () => {
  it('NP-54 has at most three of four nodes away, and counts', () => {
    const guest = new Guest(4, 3)
    finish(guest)
    assert.equal(guest.mostAway, 3)
    assert.equal(guest.texts[0], 'Nodepool update in progress. Target Config version: b. Total Nodes: 4. Upgraded: 0')
    const counts = guest.texts.map((text) => Number(text.slice(-1)))
    assert.deepEqual(
      counts,
      counts.toSorted((a, b) => a - b),
    )
  })

  it('NP-55 has told every Machine its version when it is done, and left nothing behind', () => {
    const guest = new Guest(4, 3)
    finish(guest)
    assert.deepEqual(
      guest.management.list(capi.Machine).map(({ metadata }) => metadata.annotations?.[Annotation.releaseVersion]),
      Array(4).fill('4.20.1'),
    )
    assert.deepEqual(guest.world.list(Pod), [])
    const { annotations = {} } = guest.set.metadata
    assert.deepEqual([annotations[Annotation.upgradeInProgress], annotations[Annotation.upgradeFailed]], [undefined, undefined])
    assert.deepEqual(guest.pass(), { guest: [], management: [] })
  })

  it('NP-56 waits for the payload, and touches no node', () => {
    const guest = new Guest(2, 1, secretWith('token-workers-b', home, { 'release-version': '4.20.1' }))
    const { guest: actions, management, requeueAfter, error } = guest.pass()
    assert.deepEqual([actions, management, requeueAfter, error], [[], [], 5000, undefined])
  })

  it('cannot go on without its token Secret, or when that does not say the version', () => {
    assert.match(
      decideUpgrade({ ...observedOf(new Guest(1, 1)), tokenSecret: undefined }).error ?? '',
      /Secret token-workers-b is not there/,
    )
    const guest = new Guest(1, 1, secretWith('token-workers-b', home, { payload: 'x' }))
    assert.match(guest.pass().error ?? '', /does not say release-version/)
  })

  it('never has more nodes away than it may, however many there are, in whatever order they work', () => {
    const choices = fc.array(fc.nat(), { minLength: 10, maxLength: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 8 }), choices, (size, maxUnavailable, order) => {
        const guest = new Guest(size, maxUnavailable)
        for (const choice of order) {
          guest.pass()
          const node = guest.nodes[choice % Math.max(1, size)]
          if (node !== undefined) guest.work(node)
        }
        finish(guest)
        assert.ok(guest.mostAway <= maxUnavailable)
        assert.ok(guest.mostClosed <= maxUnavailable)
        assert.ok(guest.nodes.every((node) => nodeStateOf(node).current === 'b'))
      }),
      { numRuns: 40 },
    )
  })

  it('11 counts a node as away that is back and not open again', () => {
    const guest = new Guest(2, 1)
    guest.pass()
    const [first = assert.fail()] = guest.nodes
    const back = { [NodeAnnotation.currentConfig]: 'b', [NodeAnnotation.state]: 'Working', [NodeAnnotation.desiredDrain]: 'uncordon-b' }
    guest.world.put(closed(annotated(first, back)))
    guest.pass()
    assert.deepEqual(guest.nodes.map(desired), ['b', 'a'])
    guest.world.put(annotated(first, { ...back, [NodeAnnotation.state]: 'Done', [NodeAnnotation.lastAppliedDrain]: 'uncordon-b' }))
    guest.pass()
    assert.deepEqual(guest.nodes.map(desired), ['b', 'b'])
  })

  it('11 counts a node as away that somebody has closed, and sends it first', () => {
    const guest = new Guest(3, 1)
    const last = guest.nodes[2] ?? assert.fail()
    guest.world.put(closed(last))
    guest.pass()
    assert.deepEqual(guest.nodes.map(desired), ['a', 'a', 'b'])
    finish(guest)
    assert.equal(guest.mostClosed, 1)
  })

  it('11 sends no other node while one is broken and may not be missed besides', () => {
    const guest = new Guest(3, 1)
    const last = guest.nodes[2] ?? assert.fail()
    const conditions = [{ type: 'Ready', status: 'Unknown', reason: 'NodeStatusUnknown' }] as const
    const done = { [NodeAnnotation.currentConfig]: 'b', [NodeAnnotation.desiredConfig]: 'b' }
    guest.world.put({ ...annotated(last, done), status: { ...last.status, conditions } } as Node)
    guest.pass()
    assert.deepEqual(guest.nodes.map(desired), ['a', 'a', 'b'])
  })

  it('11 takes a drain back that is not done when the node is called back, and lets its daemon look at the disk', () => {
    const guest = new Guest(1, 1)
    finish(guest)
    const [node = assert.fail()] = guest.nodes
    const sentOn = { [NodeAnnotation.state]: 'Working', [NodeAnnotation.desiredDrain]: 'drain-c' }
    guest.ask('c')
    guest.pass()
    guest.world.put(annotated(guest.nodes[0] ?? node, sentOn))
    guest.ask('b')
    guest.pass()
    guest.pass()
    const { current, desired, desiredDrain, lastAppliedDrain } = nodeStateOf(guest.nodes[0] ?? node)
    assert.deepEqual([current, desired, desiredDrain, lastAppliedDrain], ['', 'b', 'uncordon-b', ''])
    assert.equal(drainRequestOf(guest.nodes[0] ?? node)?.do, 'uncordon', 'though it was opened for the same configuration before')
  })

  it('11 has the disk looked at of a node that is called back when it is drained, and leaves it closed until then', () => {
    const guest = new Guest(1, 1)
    finish(guest)
    const [node = assert.fail()] = guest.nodes
    guest.ask('c')
    guest.pass()
    const drained = {
      [NodeAnnotation.state]: 'Working',
      [NodeAnnotation.desiredDrain]: 'drain-c',
      [NodeAnnotation.lastAppliedDrain]: 'drain-c',
    }
    guest.world.put(closed(annotated(guest.nodes[0] ?? node, drained)))
    guest.ask('b')
    guest.pass()
    guest.pass()
    const { current, desired, desiredDrain, lastAppliedDrain } = nodeStateOf(guest.nodes[0] ?? node)
    assert.deepEqual([current, desired, desiredDrain, lastAppliedDrain], ['', 'b', 'drain-c', 'drain-c'])
    assert.ok(!guest.pass().guest.some((action) => action.do === 'patch'), 'the rest is for its daemon')
  })

  it('11 takes a drain back of a node that has never been upgraded, when its set stays where it was', () => {
    const guest = new Guest(1, 1)
    const { [NodeAnnotation.currentConfig]: _, ...said } = guest.nodes[0]?.metadata.annotations ?? {}
    const born = (annotations: Readonly<Record<string, string>>): Node => {
      const node = guest.nodes[0] ?? assert.fail()
      return { ...node, metadata: { ...node.metadata, annotations: { ...said, ...annotations } } }
    }
    guest.world.put(born({}))
    guest.pass()
    guest.world.put(born({ [NodeAnnotation.desiredConfig]: 'b', [NodeAnnotation.desiredDrain]: 'drain-b' }))
    guest.ask('a')
    guest.pass()
    guest.pass()
    const { desired, desiredDrain } = nodeStateOf(guest.nodes[0] ?? assert.fail())
    assert.deepEqual([desired, desiredDrain], ['a', 'uncordon-a'])
  })

  it('11 says which nodes are closed that others wait for', () => {
    const guest = new Guest(2, 1)
    const [first = assert.fail()] = guest.nodes
    const done = { [NodeAnnotation.currentConfig]: 'b', [NodeAnnotation.desiredConfig]: 'b', [NodeAnnotation.state]: 'Done' }
    guest.world.put(closed(annotated(first, done)))
    const text = '1 of 2 nodes to get to configuration b; closed or not ready, and so counted as away: node-0'
    assert.equal(guest.pass().waitingFor, text)
  })

  it('11 waits for a node that its guest does not show, and is done when it has seen it', () => {
    const guest = new Guest(2, 2)
    const [hidden = assert.fail()] = guest.nodes
    guest.world.drop(Node, { name: hidden.metadata.name ?? '' })
    for (let round = 0; round < 10; round++) {
      guest.pass()
      for (const node of guest.nodes) guest.work(node)
    }
    assert.equal(guest.isDone, false)
    assert.match(guest.texts.at(-1) ?? '', /Total Nodes: 2. Upgraded: 1$/)
    assert.match(guest.pass().waitingFor ?? '', /among them node-0, which the guest does not show/)
    guest.world.put(hidden)
    finish(guest)
    assert.ok(guest.nodes.every((node) => nodeStateOf(node).current === 'b'))
  })

  it('11 does not wait for the node of a machine that is on its way out', () => {
    const guest = new Guest(1, 1)
    guest.world.drop(Node, { name: 'node-0' })
    const [machine = assert.fail()] = guest.management.list(capi.Machine)
    guest.management.put({ ...machine, metadata: { ...machine.metadata, deletionTimestamp: '2026-03-06T12:00:00Z' } })
    guest.pass()
    assert.ok(guest.isDone)
  })

  it('is done only if machines that seem to have no node are as they were seen: others may have become one', () => {
    const [name, resourceVersion] = ['starting', '7']
    const { status: _, ...machine } = aCapiMachine({ name })
    const { management } = decideUpgrade({
      machineSet: annotated(aCapiMachineSet(), { [PoolAnnotation.currentConfigVersion]: 'a', [Annotation.targetConfigVersion]: 'b' }),
      tokenSecret: secretWith('token-workers-b', home, { payload: 'packed', 'release-version': '4.20.2' }),
      machines: [{ ...machine, metadata: { ...machine.metadata, resourceVersion } }],
      nodes: new Map(),
      namespace: undefined,
      configMap: undefined,
      pods: [],
      daemonImage: 'example.com/mco',
    })
    const patches = management.map((action) => (action.do === 'patch' ? [action.kind.kind, action.resourceVersion] : []))
    assert.deepEqual(patches, [
      ['Machine', resourceVersion],
      ['MachineSet', undefined],
    ])
  })

  it('is done at once without nodes', () => {
    const guest = new Guest(0, 1)
    guest.pass()
    assert.ok(guest.isDone)
  })

  it('says that it is under way before it sends the first node: whoever goes back in the middle must know', () => {
    const tokenSecret = secretWith('token-workers-b', home, { payload: 'packed', 'release-version': '4.20.1' })
    const { announcement = [], management } = decideUpgrade({ ...observedOf(new Guest(2, 1)), tokenSecret })
    assert.deepEqual(
      announcement.map((action) => (action.do === 'patch' ? action.kind.kind : action.do)),
      ['MachineSet'],
    )
    assert.deepEqual(management, [])
  })

  it('brings nodes back that have got to the new target, when its set goes back to what it had', () => {
    const guest = new Guest(3, 1)
    for (let round = 0; guest.nodes.every((node) => nodeStateOf(node).current === 'a'); round++) {
      assert.ok(round < 10)
      guest.pass()
      for (const node of guest.nodes) guest.work(node)
    }
    guest.ask('a')
    for (let round = 0; round < 20; round++) {
      guest.pass()
      for (const node of guest.nodes) guest.work(node)
    }
    assert.deepEqual(
      guest.nodes.map((node) => `${nodeStateOf(node).current} ${desired(node)} ${nodeStateOf(node).state}`),
      Array(3).fill('a a Done'),
    )
    assert.ok(guest.nodes.every((node) => node.spec.unschedulable !== true))
    assert.equal(guest.set.metadata.annotations?.[Annotation.upgradeInProgress], undefined)
    assert.equal(guest.mostAway, 1)
    assert.deepEqual(guest.pass(), { guest: [], management: [] })
  })

  it('sends nodes on to a new target that are away already, whatever the capacity', () => {
    const guest = new Guest(3, 2)
    guest.pass()
    guest.ask('c')
    guest.pass()
    assert.deepEqual(guest.nodes.map(desired), ['c', 'c', 'a'])
    finish(guest)
    assert.deepEqual(
      guest.nodes.map((node) => nodeStateOf(node).current),
      ['c', 'c', 'c'],
    )
  })

  it('stops when a node is degraded, and says which', () => {
    const guest = new Guest(2, 1)
    guest.pass()
    guest.world.put(
      annotated(guest.nodes[0] ?? assert.fail(), { [NodeAnnotation.state]: 'Degraded', [NodeAnnotation.reason]: 'disk full' }),
    )
    assert.equal(guest.pass().error, 'Node node-0 in nodepool degraded: disk full')
    const { annotations = {} } = guest.set.metadata
    assert.deepEqual(
      [annotations[Annotation.upgradeFailed], annotations[Annotation.upgradeInProgress]],
      ['Node node-0 in nodepool degraded: disk full', undefined],
    )
  })

  it('makes a daemon anew that has ended before its node was done, and has none on nodes that are', () => {
    const guest = new Guest(2, 2)
    guest.pass()
    const pods = () => guest.world.list(Pod).map(({ metadata }) => metadata.name)
    assert.deepEqual(pods(), ['machine-config-daemon-node-0', 'machine-config-daemon-node-1'])
    const pod = guest.world.list(Pod)[0] ?? assert.fail()
    const ended: Pod = { ...pod, status: { phase: 'Failed' } }
    guest.world.put(ended)
    guest.pass()
    assert.deepEqual(pods(), ['machine-config-daemon-node-1'])
    guest.pass()
    assert.deepEqual(pods().length, 2)
    guest.world.put(
      annotated(guest.nodes[0] ?? assert.fail(), { [NodeAnnotation.currentConfig]: 'b', [NodeAnnotation.desiredConfig]: 'b' }),
    )
    guest.pass()
    assert.deepEqual(pods(), ['machine-config-daemon-node-1'])
  })

  it('knows when a node is done, also one that says nothing', () => {
    assert.deepEqual([needsUpgrade(aNode(), 'a', 'b'), needsUpgrade(aNode(), 'b', 'b')], [true, false])
    const sent = annotated(aNode(), { [NodeAnnotation.desiredConfig]: 'c' })
    assert.equal(needsUpgrade(sent, 'b', 'b'), true, 'it has been sent elsewhere since')
    const done = annotated(aNode(), { [NodeAnnotation.currentConfig]: 'b', [NodeAnnotation.state]: 'Done' })
    assert.equal(needsUpgrade(done, 'a', 'b'), false)
    assert.equal(needsUpgrade(annotated(done, { [NodeAnnotation.desiredDrain]: 'uncordon-b' }), 'a', 'b'), true)
  })

  it('asks for drains in words', () => {
    assert.deepEqual(drainRequestOf(annotated(aNode(), { [NodeAnnotation.desiredDrain]: 'drain-b' })), { do: 'drain', text: 'drain-b' })
    assert.equal(
      drainRequestOf(annotated(aNode(), { [NodeAnnotation.desiredDrain]: 'drain-b', [NodeAnnotation.lastAppliedDrain]: 'drain-b' })),
      undefined,
    )
  })
})

function observedOf(guest: Guest): Parameters<typeof decideUpgrade>[0] {
  return {
    machineSet: guest.set,
    tokenSecret: undefined,
    machines: guest.management.list(capi.Machine),
    nodes: new Map(),
    namespace: undefined,
    configMap: undefined,
    pods: [],
    daemonImage: '',
  }
}
