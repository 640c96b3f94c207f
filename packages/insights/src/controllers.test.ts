import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  UpdateHealthInsight,
} from '@windlass/api'
import { formatTime } from '@windlass/core'
import type { Client } from '@windlass/kube'
import { simulate, type World } from '@windlass/kube/simulation'
import { insightControllers } from './index.ts'
import { v1, v2 } from './testing/index.ts'
import { definitions, note, resting, restingCluster, version } from './testing/simulated.ts'
import { beginUpdate, renderConfig, updateOperator } from './testing/update.ts'

const small = (client: Client): Promise<void> => restingCluster(client, { operators: 3, nodes: { master: 1, worker: 2 }, running: v1 })

const insightOf = (world: World) => world.state.get(ClusterVersionProgressInsight, version)?.status
const poolOf = (world: World, name: string) => world.state.get(MachineConfigPoolProgressInsight, { name })?.status
const phaseOf = (world: World, name: string) => world.state.get(NodeProgressInsight, { name })?.status?.conditions?.[0]?.reason

describe('the controllers of insights', () => {
  for (const mode of ['compat', 'extended'] as const) {
    it(`T07 T42 tell of an update from beginning to end (${mode})`, async () => {
      await simulate({
        seed: 1,
        definitions,
        given: small,
        controllers: () => insightControllers({ mode }),
        async world(world) {
          await world.until(() => insightOf(world)?.assessment === 'Completed', { within: '1m' })
          await beginUpdate(world, v2)
          await world.until(() => insightOf(world)?.assessment === 'Progressing', { within: '10s' })
          assert.equal(world.state.get(ClusterOperatorProgressInsight, { name: 'operator-0' })?.status?.conditions?.[0]?.reason, 'Pending')
          await world.sleep('10m')
          await updateOperator(world, 0, v2)
          await world.sleep('5s')
          const status = insightOf(world)
          assert.deepEqual([status?.completionPercent, status?.versions.previous?.version], [33, v1])
          assert.equal(world.state.get(ClusterOperatorProgressInsight, { name: 'operator-0' })?.status?.conditions?.[0]?.reason, 'Updated')
        },
      })
    })
  }

  it('keep the estimate fresh though nothing happens (extended), or do not (compat)', async () => {
    const passes = async (mode: 'compat' | 'extended'): Promise<number> => {
      const { reconciles } = await simulate({
        seed: 1,
        definitions,
        given: small,
        controllers: () => insightControllers({ mode }),
        async world(world) {
          await beginUpdate(world, v2)
          await world.sleep('1h')
        },
      })
      return reconciles
    }
    assert.ok((await passes('extended')) - (await passes('compat')) >= 60)
  })

  it('T87 T94 follow nodes from pool to pool, into a pause and out of the cluster', async () => {
    await simulate({
      seed: 1,
      definitions,
      given: small,
      controllers: () => insightControllers(),
      async world(world) {
        await world.until(() => phaseOf(world, 'worker-1') === 'Completed', { within: '1m' })
        await beginUpdate(world, v2)
        await renderConfig(world, v2)
        await world.until(() => phaseOf(world, 'worker-1') === 'Pending', { within: '10s' })
        assert.equal(poolOf(world, 'worker')?.assessment, 'Pending')
        await world.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: true } })
        await world.until(() => phaseOf(world, 'worker-1') === 'Paused' && poolOf(world, 'worker')?.assessment === 'Excluded', {
          within: '10s',
        })
        assert.ok(world.state.get(UpdateHealthInsight, { name: 'mcp-kbedjles4lngaroespjzpvox4a' }))
        await world.client.patch(MachineConfigPool, { name: 'worker' }, { spec: { paused: false } })
        await world.until(() => phaseOf(world, 'worker-1') === 'Pending' && poolOf(world, 'worker')?.assessment === 'Pending', {
          within: '10s',
        })
        assert.equal(world.state.get(UpdateHealthInsight, { name: 'mcp-kbedjles4lngaroespjzpvox4a' }), undefined)
        await note(world, 'worker-0', resting(v2))
        await world.until(() => poolOf(world, 'worker')?.completionPercent === 50, { within: '10s' })
        await world.client.patch(Node, { name: 'worker-1' }, { metadata: { labels: { 'node-role.kubernetes.io/master': '' } } })
        await world.until(() => poolOf(world, 'worker')?.completionPercent === 100, { within: '10s' })
        assert.equal(poolOf(world, 'master')?.summaries?.[0]?.count, 2)
        assert.equal(world.state.get(NodeProgressInsight, { name: 'worker-1' })?.status?.scopeType, 'ControlPlane')
        await world.client.delete(Node, { name: 'worker-1' })
        await world.until(() => poolOf(world, 'master')?.summaries?.[0]?.count === 1, { within: '10s' })
        assert.equal(world.state.get(NodeProgressInsight, { name: 'worker-1' }), undefined)
      },
    })
  })

  it('T119 do not know what goes on while the version operator applies the same version again, and know it afterwards', async () => {
    await simulate({
      seed: 1,
      definitions,
      given: small,
      controllers: () => insightControllers(),
      async world(world) {
        const say = (status: 'True' | 'False') => {
          const condition = { type: 'Progressing', status, message: 'Reconciling', lastTransitionTime: formatTime(world.clock.now()) }
          return world.client.patchStatus(ClusterVersion, version, [{ op: 'add', path: '/status/conditions', value: [condition] }])
        }
        await world.until(() => insightOf(world)?.assessment === 'Completed', { within: '1m' })
        await say('True')
        await world.until(() => insightOf(world)?.assessment === 'Unknown', { within: '10s' })
        assert.equal(insightOf(world)?.estimatedCompletedAt, undefined)
        await say('False')
        await world.until(() => insightOf(world)?.assessment === 'Completed', { within: '10s' })
      },
    })
  })

  it('T69 T70 put back a health insight that somebody deleted, and leave those of others alone', async () => {
    const name = 'cv-2je242kecfijbtqaqac5jjmtti'
    const foreign = { metadata: { name: 'theirs', labels: { 'insight-manager': 'somebody' } }, spec: {} }
    await simulate({
      seed: 1,
      definitions,
      given: small,
      controllers: () => insightControllers(),
      async world(world) {
        await world.client.create(UpdateHealthInsight, foreign)
        await world.client.patch(ClusterVersion, version, {
          metadata: { annotations: { 'oue.openshift.muller.dev/force-health-insight': '' } },
        })
        await world.until(() => world.state.get(UpdateHealthInsight, { name })?.status !== undefined, { within: '10s' })
        await world.client.delete(UpdateHealthInsight, { name })
        await world.until(() => world.state.get(UpdateHealthInsight, { name })?.status !== undefined, { within: '10s' })
        await world.client.patch(ClusterVersion, version, {
          metadata: { annotations: { 'oue.openshift.muller.dev/force-health-insight': null } },
        })
        await world.until(() => world.state.get(UpdateHealthInsight, { name }) === undefined, { within: '10s' })
        assert.ok(world.state.get(UpdateHealthInsight, { name: 'theirs' }))
      },
    })
  })

  it('T08 forget a cluster version that is gone, and bring nothing back', async () => {
    await simulate({
      seed: 1,
      definitions,
      given: small,
      controllers: () => insightControllers(),
      async world(world) {
        await world.until(() => insightOf(world) !== undefined, { within: '1m' })
        await world.client.delete(ClusterVersion, version)
        await world.until(() => world.state.count(ClusterVersionProgressInsight) === 0, { within: '10s' })
        await world.sleep('10m')
        assert.equal(world.state.count(ClusterVersionProgressInsight), 0)
        assert.equal(world.state.count(ClusterOperatorProgressInsight), 3)
      },
    })
  })
})
