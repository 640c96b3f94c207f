import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { ConfigMap } from '@windlass/api'
import { create, plan } from '../plan/index.ts'
import { type Cluster, clusterOn, Widget, widgetDraft } from '../plan/testing/index.ts'
import type { ControllerDefinition } from './index.ts'
import { ref, stage } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)
const widgetUrl = '/apis/test.windlass.dev/v1/namespaces/default/widgets'
const mapsUrl = '/api/v1/namespaces/default/configmaps'

/** Makes a map for each widget, which nothing takes away again. */
const maps: ControllerDefinition<Widget, Widget> = {
  name: 'maps',
  for: Widget,
  reads: [ConfigMap],
  observe: (at, cache) => cache.get(Widget, at),
  decide: ({ metadata: { name = '' } }) => plan(create(ConfigMap, { metadata: { namespace: 'default', name } }, 'there is none')),
}

describe('who takes over from another process', () => {
  it('N15 does not act on an object that is gone though its cache still has it', async () => {
    await using cluster = await startCluster()
    const { cache, clock, counts, ...controller } = stage(maps, { ...cluster, isSuccessor: true })
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    cache.put(Widget, stored)
    await cluster.client.delete(Widget, ref)
    cluster.sent()
    const run = controller.run()
    await clock.advance(60_000)
    assert.equal(await cluster.client.find(ConfigMap, ref), undefined)
    assert.ok(cluster.sent().every((request) => !request.startsWith('POST')))
    assert.ok(counts.some((count) => count.startsWith('maps finished requeue')))
    cache.remove(Widget, ref)
    await clock.advance(60_000)
    assert.deepEqual(cluster.sent(), [])
    controller.stop()
    await run
  })

  it('N15 waits until the cache shows an object as it is', async () => {
    await using cluster = await startCluster()
    const { cache, clock, ...controller } = stage(maps, { ...cluster, isSuccessor: true })
    cache.put(Widget, await cluster.client.create(Widget, widgetDraft('a')))
    const newer = await cluster.client.patch(Widget, ref, { spec: { color: 'red' } })
    const run = controller.run()
    await clock.advance(1_000)
    assert.equal(await cluster.client.find(ConfigMap, ref), undefined)
    cache.put(Widget, newer)
    await clock.settle()
    assert.ok(await cluster.client.find(ConfigMap, ref))
    controller.stop()
    await run
  })

  it('N15 asks once for each object, and only when there is something to write', async () => {
    await using cluster = await startCluster()
    const { cache, clock, runner, ...controller } = stage(maps, { ...cluster, isSuccessor: true })
    for (const name of ['a', 'b']) cache.put(Widget, await cluster.client.create(Widget, widgetDraft(name)))
    cache.put(ConfigMap, await cluster.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'b' } }))
    cluster.sent()
    const run = controller.run()
    await clock.settle()
    assert.deepEqual(cluster.sent(), [`GET ${widgetUrl}/a`, `POST ${mapsUrl}`])
    await cluster.client.delete(ConfigMap, ref)
    cache.remove(ConfigMap, ref)
    cluster.sent()
    runner.trigger(ref)
    await clock.settle()
    assert.deepEqual(cluster.sent(), [`POST ${mapsUrl}`])
    controller.stop()
    await run
  })

  it('N15 does not ask about what came later, nor does who is alone', async () => {
    for (const isSuccessor of [true, false]) {
      await using cluster = await startCluster()
      const { cache, clock, ...controller } = stage(maps, { ...cluster, isSuccessor })
      const stored = await cluster.client.create(Widget, widgetDraft('a'))
      if (!isSuccessor) cache.put(Widget, stored)
      const run = controller.run()
      await clock.settle()
      if (isSuccessor) cache.put(Widget, stored)
      cluster.sent()
      await clock.settle()
      assert.ok(!cluster.sent().some((request) => request.startsWith('GET')))
      assert.ok(await cluster.client.find(ConfigMap, ref))
      controller.stop()
      await run
    }
  })
})
