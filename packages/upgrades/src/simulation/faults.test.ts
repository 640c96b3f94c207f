import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Deployment, Pod, PodDisruptionBudget } from '@windlass/api'
import type { Client } from '@windlass/kube'
import { forEachSeed } from '@windlass/kube/simulation'
import { failureAnnotation } from '@windlass/simulator'
import { invariants, isByOperator } from './invariants.ts'
import { at, stage, usualConfig } from './stage.ts'

/** In this order. */
const toldToOcm = [
  'started',
  'Cluster is starting with control and worker plane upgrade',
  'Cluster has finished control plane upgrade',
  'Cluster has finished with worker plane upgrade',
  'completed',
]

/** How often: an API that does not answer is a failure of health, and both a delay and a skip are `delayed` to OCM. */
const mayBeTold = new Map([
  ['delayed', 2],
  ['Cluster has encountered healthcheck failure during upgrade', 1],
])

/** A shop that never wants to be disturbed, and something that does not end by itself: both hold up every drain. */
async function aShop(client: Client): Promise<void> {
  const namespace = 'shop'
  for (const [app, annotations] of [
    ['checkout', {}],
    ['endless', { [failureAnnotation]: 'never-gone' }],
  ] as const) {
    const containers = [{ name: 'main', image: 'example.com/shop' }]
    const template = { metadata: { labels: { app }, annotations }, spec: { containers } }
    await client.create(Deployment, {
      metadata: { namespace, name: app },
      spec: { replicas: 2, selector: { matchLabels: { app } }, template },
    })
  }
  await client.create(PodDisruptionBudget, {
    metadata: { namespace, name: 'checkout' },
    spec: { maxUnavailable: 0, selector: { matchLabels: { app: 'checkout' } } },
  })
}

describe('an upgrade', () => {
  it('comes to the same whatever goes wrong', { timeout: 900_000 }, async () => {
    let helped = 0
    await forEachSeed({ count: 3 }, async (seed) => {
      const { writes } = await stage(
        async (scene) => {
          const { outside, world } = scene
          await aShop(world.client)
          await scene.configure(
            `${usualConfig.replace('watchInterval: 15', 'watchInterval: 5')}nodeDrain: { timeOut: 3, expectedNodeDrainTime: 1 }\n`,
          )
          outside.ocm.cluster = { ...outside.ocm.cluster, node_drain_grace_period: { value: 3, unit: 'minutes' } }
          outside.ocm.schedule({ id: 'p1', version: '4.18.16', next_run: at(3) })
          await scene.inPhase('Upgraded', '12h')
          await world.until(() => scene.upgradeConfig() === undefined, { within: '4h' })
          await world.sleep('5m')
          const told = outside.ocm.told.map(({ what }) => what)
          assert.deepEqual(
            told.filter((what) => !mayBeTold.has(what)),
            toldToOcm,
          )
          for (const [what, most] of mayBeTold) assert.ok(told.filter((each) => each === what).length <= most, what)
          assert.deepEqual([outside.alertmanager.live, scene.extras()], [[], []])
        },
        { seed, processes: 2, faults: 'all', calmAfter: '25m', invariants, speed: 8 },
      )
      helped += writes.filter((write) => isByOperator(write) && write.isOf(Pod)).length
    })
    assert.ok(helped > 0, 'no drain was helped along: the story has lost its point')
  })
})
