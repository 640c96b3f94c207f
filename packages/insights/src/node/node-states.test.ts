import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MachineConfigPoolProgressInsight, Node, NodeProgressInsight } from '@windlass/api'
import { VirtualClock } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { simulate } from '@windlass/kube/simulation'
import { Registry } from 'prom-client'
import { insightControllers } from '../controllers.ts'
import { v1 } from '../testing/index.ts'
import { definitions, restingCluster } from '../testing/simulated.ts'
import { nodeStateMetrics } from './metrics.ts'

const given = (client: Client): Promise<void> => restingCluster(client, { operators: 1, nodes: { master: 1, worker: 20 }, running: v1 })

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
})
