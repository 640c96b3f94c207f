import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KubernetesObject, MachineConfigPoolProgressInsight, Node, NodeProgressInsight } from '@windlass/api'
import { VirtualClock } from '@windlass/core'
import type { CacheReader, Client } from '@windlass/kube'
import { simulate } from '@windlass/kube/simulation'
import * as fc from 'fast-check'
import { Registry } from 'prom-client'
import { clusterVersions, machineConfigPools, machineConfigs, nodes } from '../caches.ts'
import { insightControllers } from '../controllers.ts'
import { aClusterVersion, aConfig, aNode, aPool, entry, start, v1, v2 } from '../testing/index.ts'
import { definitions, restingCluster } from '../testing/simulated.ts'
import { nodeStateMetrics } from './metrics.ts'
import { NodeStates } from './node-states.ts'

const given = (client: Client): Promise<void> => restingCluster(client, { operators: 1, nodes: { master: 1, worker: 20 }, running: v1 })

/** What caches hold, as a test puts it there. */
class CachedWorld {
  readonly #objects = new Map<unknown, Map<string, KubernetesObject>>()
  readonly cache = {
    get: (of: unknown, { name }: { readonly name: string }) => this.#of(of).get(name),
    list: (of: unknown) => [...this.#of(of).values()],
  } as unknown as CacheReader

  constructor() {
    for (const name of ['master', 'worker', 'infra']) this.put(machineConfigPools, aPool(name))
    this.put(machineConfigs, aConfig('C1', v1))
  }

  put(of: unknown, object: KubernetesObject): void {
    this.#of(of).set(object.metadata.name ?? '', object)
  }

  remove(of: unknown, name: string): void {
    this.#of(of).delete(name)
  }

  #of(of: unknown): Map<string, KubernetesObject> {
    const known = this.#objects.get(of) ?? new Map<string, KubernetesObject>()
    this.#objects.set(of, known)
    return known
  }
}

type Change = (world: CachedWorld, states: NodeStates) => void

const configs = fc.constantFrom('C1', 'C2', '')
const someNode = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd'),
  roles: fc.subarray(['master', 'worker', 'infra']),
  notes: fc.record({
    currentConfig: configs,
    desiredConfig: configs,
    state: fc.constantFrom('Working', 'Done', 'Degraded', 'Rebooting'),
    desiredDrain: fc.constantFrom('drain-C2', 'uncordon-C2'),
    lastAppliedDrain: fc.constantFrom('drain-C2', 'uncordon-C1'),
  }),
  isUnschedulable: fc.boolean(),
})

/** Of nodes their controllers are told; of everything else they find out by themselves. */
const changes: fc.Arbitrary<Change> = fc.oneof(
  {
    weight: 6,
    arbitrary: someNode.map((parts): Change => (world, states) => {
      const node = aNode(parts)
      world.put(nodes, node)
      states.note(node)
    }),
  },
  someNode.map(({ name }): Change => (world, states) => {
    world.remove(nodes, name)
    states.note(aNode({ name }))
  }),
  fc.tuple(fc.constantFrom('master', 'worker', 'infra'), fc.boolean()).map(([name, isPaused]): Change => {
    return (world) => world.put(machineConfigPools, aPool(name, { isPaused }))
  }),
  fc.constantFrom(v1, v2).map((version): Change => (world) => {
    world.put(clusterVersions, aClusterVersion({ history: [entry('Partial', version, start)] }))
  }),
  fc.constantFrom(v1, v2, undefined).map(
    (version): Change =>
      (world) =>
        world.put(machineConfigs, aConfig('C2', version)),
  ),
  fc.constant<Change>((world) => world.remove(clusterVersions, 'version')),
)

describe('the states of nodes', () => {
  it('are worked out once for each change, whoever asks', async () => {
    let evaluations = 0
    const metrics = { monotonic: () => 0, evaluated: () => void evaluations++, notified: () => {}, counts: () => {} }
    await simulate({
      seed: 1,
      definitions,
      given,
      controllers: () => insightControllers({ metrics }),
      async world(world) {
        await world.until(() => world.state.count(NodeProgressInsight) === 21, { within: '1m' })
        await world.sleep('1m')
        assert.equal(evaluations, 21)
        await world.client.patch(Node, { name: 'worker-7' }, { spec: { unschedulable: true } })
        await world.sleep('1m')
        assert.equal(evaluations, 22)
        const counts = world.state.get(MachineConfigPoolProgressInsight, { name: 'worker' })?.status?.summaries
        assert.equal(counts?.find(({ type }) => type === 'Available')?.count, 19)
      },
    })
  })

  it("are counted under upstream's names", async () => {
    const registry = new Registry()
    const metrics = await nodeStateMetrics(new VirtualClock(), registry)
    await simulate({
      seed: 1,
      definitions,
      given,
      controllers: () => insightControllers({ metrics }),
      world: (world) => world.until(() => world.state.count(NodeProgressInsight) === 21, { within: '1m' }),
    })
    const text = await registry.metrics()
    for (const line of [
      'evaluation_total 21',
      'evaluation_duration_seconds_count 21',
      'active_nodes 21',
      'nodes_by_phase{phase="Completed"} 21',
      'nodes_by_phase{phase="Draining"} 0',
    ]) {
      assert.ok(text.includes(`openshift_update_experience_central_node_state_${line}\n`), line)
    }
    assert.match(text, /central_node_state_notification_duration_seconds_count [1-9]/)
  })

  it('are counted by pool as if all were counted anew, whatever has changed', () => {
    fc.assert(
      fc.property(fc.array(changes, { maxLength: 40 }), (sequence) => {
        const world = new CachedWorld()
        const states = new NodeStates()
        for (const change of sequence) {
          change(world, states)
          for (const pool of ['master', 'worker', 'infra']) {
            assert.deepEqual(states.countsIn(pool, world.cache), new NodeStates().countsIn(pool, world.cache))
          }
        }
      }),
    )
  })
})
