import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { cached } from '../cache/declaration.ts'
import { create, ensure } from './index.ts'
import { anExecutor, type Cluster, clusterOn, Widget, widgetDraft } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)
const widgetUrl = '/apis/test.windlass.dev/v1/namespaces/default/widgets'

describe('create', () => {
  it('N17 creates what is not there, and the cache has it at once', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const { results, marks } = await execute(create(Widget, widgetDraft('a'), 'it is missing'))
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['sent'],
    )
    assert.deepEqual(cluster.sent(), [`POST ${widgetUrl}`])
    const stored = await cluster.client.get(Widget, { namespace: 'default', name: 'a' }, { omitsManagedFields: true })
    assert.deepEqual(cache.get(Widget, { namespace: 'default', name: 'a' }), stored)
    assert.deepEqual(marks, [{ kind: Widget, ref: { namespace: 'default', name: 'a' }, resourceVersion: stored.metadata.resourceVersion }])
  })

  it('N17 leaves alone what is there: without a request when the cache knows, without an error when it does not', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a', { replicas: 5 }))
    cluster.sent()
    const unknown = await execute(create(Widget, widgetDraft('a'), 'it is missing'))
    assert.deepEqual(unknown.results[0]?.outcome, 'skipped')
    assert.equal(cluster.sent().length, 1)
    cache.put(Widget, stored)
    const known = await execute(create(Widget, widgetDraft('a'), 'it is missing'))
    assert.deepEqual(known.results[0]?.detail, 'it exists already')
    assert.equal(cluster.sent().length, 0)
    assert.equal((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).spec.replicas, 5)
  })

  it('N17 with a generated name creates another one each time', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const draft = { metadata: { namespace: 'default', generateName: 'a-' }, spec: {} }
    await execute(create(Widget, draft, 'one more'), create(Widget, draft, 'one more'))
    let count = 0
    for await (const _ of cluster.client.list(Widget)) count++
    assert.equal(count, 2)
  })
})

describe('ensure', () => {
  it('N17 creates, then sends nothing, then patches what differs', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const wanted = (replicas: number) => ensure(Widget, widgetDraft('a', { replicas }), 'it must be so')
    await execute(wanted(1))
    assert.deepEqual(cluster.sent(), [`POST ${widgetUrl}`])
    const same = await execute(wanted(1))
    assert.deepEqual(same.results[0]?.outcome, 'skipped')
    assert.deepEqual(cluster.sent(), [])
    const other = await execute(wanted(2))
    const { object, ...result } = other.results[0] ?? assert.fail('nothing was done')
    assert.deepEqual(result, { action: wanted(2), outcome: 'sent', patch: { spec: { replicas: 2 } } })
    assert.deepEqual((object as Widget).spec, { replicas: 2 })
    assert.deepEqual(cluster.bodies, [{ spec: { replicas: 2 } }])
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`])
  })

  it('N17 keeps what the object has beyond the draft, but below what is owned', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    cache.put(Widget, await cluster.client.create(Widget, widgetDraft('a', { replicas: 1, color: 'red' }, { labels: { a: '1', b: '2' } })))
    await execute(ensure(Widget, widgetDraft('a', { replicas: 3 }, { labels: { a: '1' } }), 'three', { owns: ['metadata.labels'] }))
    const after = await cluster.client.get(Widget, { namespace: 'default', name: 'a' })
    assert.deepEqual(after.spec, { replicas: 3, color: 'red' })
    assert.deepEqual(after.metadata.labels, { a: '1' })
  })

  it('N17 patches what exists though the cache does not have it yet', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await cluster.client.create(Widget, widgetDraft('a', { replicas: 1 }))
    const { results } = await execute(ensure(Widget, widgetDraft('a', { replicas: 3 }), 'three'))
    assert.equal(results[0]?.outcome, 'sent')
    assert.equal((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).spec.replicas, 3)
    await cluster.client.create(Widget, widgetDraft('b', { replicas: 3 }))
    cluster.sent()
    const nothing = await execute(ensure(Widget, widgetDraft('b', { replicas: 3 }), 'three'))
    assert.equal(nothing.results[0]?.outcome, 'skipped')
    assert.deepEqual(cluster.sent(), [`POST ${widgetUrl}`, `GET ${widgetUrl}/b`])
  })

  it('N17 reads from the server what no cache covers', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster, { handles: [] })
    await cluster.client.create(Widget, widgetDraft('a'))
    cluster.sent()
    const same = await execute(ensure(Widget, widgetDraft('a'), 'it must be so'))
    assert.equal(same.results[0]?.outcome, 'skipped')
    assert.deepEqual(cluster.sent(), [`GET ${widgetUrl}/a`])
  })

  it('N17 reads from the server what a cache of other namespaces, or of chosen objects, cannot tell', async () => {
    await using cluster = await startCluster()
    await cluster.client.create(Widget, widgetDraft('a'))
    for (const handle of [cached(Widget, { namespaces: ['elsewhere'] }), cached(Widget, { labelSelector: 'a=b' })]) {
      const { execute } = anExecutor(cluster, { handles: [handle] })
      cluster.sent()
      await execute(ensure(Widget, widgetDraft('a'), 'it must be so'))
      assert.deepEqual(cluster.sent(), [`GET ${widgetUrl}/a`])
    }
  })

  it('N17 trusts a cache only for the fields that it keeps', async () => {
    await using cluster = await startCluster()
    const handle = cached(Widget, { keeps: ['spec.replicas'] })
    const { execute, cache } = anExecutor(cluster, { handles: [handle] })
    const { spec: _, ...rest } = await cluster.client.create(Widget, widgetDraft('a', { replicas: 1, color: 'red' }))
    cache.put(Widget, { ...rest, spec: { replicas: 1 } })
    cluster.sent()
    await execute(ensure(Widget, widgetDraft('a', { replicas: 1 }), 'it must be so'))
    assert.deepEqual(cluster.sent(), [])
    const kept = await execute(ensure(Widget, widgetDraft('a', { replicas: 1, color: 'red' }), 'it must be so'))
    assert.equal(kept.results[0]?.outcome, 'skipped')
    assert.deepEqual(cluster.sent(), [`GET ${widgetUrl}/a`])
    await execute(ensure(Widget, widgetDraft('a', { replicas: 2 }), 'two'))
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`])
  })

  it('N17 adds a finalizer only to the list it has seen', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    cache.put(Widget, stored)
    await cluster.client.patch(Widget, { namespace: 'default', name: 'a' }, { metadata: { finalizers: ['test.windlass.dev/theirs'] } })
    const { failure } = await execute(ensure(Widget, widgetDraft('a', {}, { finalizers: ['test.windlass.dev/ours'] }), 'hold it'))
    assert.equal(failure?.isConflict, true)
  })
})
