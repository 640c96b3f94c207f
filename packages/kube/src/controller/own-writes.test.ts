import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { create, plan } from '../plan/index.ts'
import { type Cluster, clusterOn, Widget, widgetDraft } from '../plan/testing/index.ts'
import type { ControllerDefinition } from './index.ts'
import { stage } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)

/** Wants one child for each key, and creates another whenever it sees none: the mistake that a late cache invites. */
const children: ControllerDefinition<Widget, number> = {
  name: 'children',
  for: Widget,
  observe: (_, cache) => cache.list(Widget).length,
  decide: (count) =>
    plan(count > 0 ? undefined : create(Widget, { metadata: { namespace: 'default', generateName: 'child-' }, spec: {} }, 'there is none')),
}

describe('own writes', () => {
  it('N7 a pass waits until the cache shows what the last one has written', async () => {
    await using cluster = await startCluster()
    const { cache, clock, runner, counts, ...controller } = stage(children, cluster)
    cache.isLate = true
    const run = controller.run()
    runner.trigger({ name: 'a' })
    await clock.settle()
    runner.trigger({ name: 'a' })
    await clock.settle()
    await clock.advance(3_000)
    assert.equal(counts.filter((count) => count.includes('started')).length, 1)
    cache.isLate = false
    cache.catchUp()
    await clock.settle()
    assert.equal(cluster.requests.length, 1)
    assert.ok(counts.includes('children waited for cache 3'))
    assert.ok(counts.filter((count) => count.includes('started')).length >= 2)
    controller.stop()
    await run
  })

  it('N7 others do not wait with it, though there is only one worker', async () => {
    await using cluster = await startCluster()
    const { cache, clock, runner, ...controller } = stage(children, cluster)
    cache.isLate = true
    const run = controller.run()
    runner.trigger({ name: 'a' })
    await clock.settle()
    runner.trigger({ name: 'a' })
    runner.trigger({ name: 'b' })
    await clock.settle()
    assert.equal(cluster.requests.length, 2)
    controller.stop()
    await run
  })

  it('N7 after 10 s it goes on with what the cache has, and says so', async () => {
    await using cluster = await startCluster()
    const { cache, clock, runner, messages, counts, ...controller } = stage(children, cluster)
    cache.isLate = true
    const run = controller.run()
    runner.trigger({ name: 'a' })
    await clock.settle()
    runner.trigger({ name: 'a' })
    await clock.settle()
    await clock.advance(9_999)
    assert.equal(cluster.requests.length, 1)
    await clock.advance(1)
    assert.equal(cluster.requests.length, 2)
    assert.ok(counts.includes('children waited for cache 10'))
    assert.deepEqual(
      messages.map(({ level, fields }) => [level, fields['key']]),
      [['warn', 'a']],
    )
    controller.stop()
    await run
  })

  it('N7 writes before the one that failed count too', async () => {
    await using cluster = await startCluster()
    const two: ControllerDefinition<Widget, number> = {
      ...children,
      decide: (count) =>
        plan(
          count > 0 ? undefined : create(Widget, { metadata: { namespace: 'default', generateName: 'child-' }, spec: {} }, 'there is none'),
          create(Widget, widgetDraft('bad', { replicas: -1 }), 'it breaks a rule'),
        ),
    }
    const { cache, clock, runner, ...controller } = stage(two, cluster)
    cache.isLate = true
    const run = controller.run()
    runner.trigger({ name: 'a' })
    await clock.advance(1_000)
    assert.equal(cluster.requests.length, 2, 'one child, one refusal; the retry waits')
    cache.isLate = false
    cache.catchUp()
    await clock.settle()
    assert.ok(cluster.requests.length > 2)
    let count = 0
    for await (const _ of cluster.client.list(Widget)) count++
    assert.equal(count, 1, 'there is no second child')
    controller.stop()
    await run
  })
})
