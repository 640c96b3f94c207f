import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { Pod } from '@windlass/api'
import { ensure, patch, remove, status } from './index.ts'
import { aStoredWidget, anExecutor, type Cluster, clusterOn, Gadget, Widget, widgetDraft } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)
const widgetUrl = '/apis/test.windlass.dev/v1/namespaces/default/widgets'

describe('status', () => {
  it('N17 sends the fields that differ, each whole, through the subresource', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    cluster.sent()
    await execute(status(Widget, stored, { phase: 'Up', replicas: 1 }, 'it is up'))
    assert.deepEqual(cluster.bodies, [{ status: { phase: 'Up', replicas: 1 } }])
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a/status`])
  })

  it('N17 sends nothing when nothing differs from the cache, though it does from what was observed', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const observed = aStoredWidget('a')
    cache.put(Widget, { ...observed, status: { phase: 'Up' } })
    const { results } = await execute(status(Widget, observed, { phase: 'Up', replicas: undefined }, 'it is up'))
    assert.equal(results[0]?.outcome, 'skipped')
    assert.deepEqual(cluster.sent(), [])
  })

  it('N17 removes what is undefined and keeps what is not mentioned', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    const first = await execute(status(Widget, stored, { phase: 'Up', replicas: 1 }, 'it is up'))
    assert.equal(first.failure, undefined)
    await execute(status(Widget, stored, { phase: undefined }, 'nobody knows'))
    assert.deepEqual((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).status, { replicas: 1 })
  })

  it('N17 is a field like any other for kinds without the subresource', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = await cluster.client.create(Gadget, { metadata: { name: 'a' }, spec: { size: 1 } })
    cluster.sent()
    await execute(status(Gadget, stored, { phase: 'Up' }, 'it is up'))
    assert.deepEqual(cluster.sent(), ['PATCH /apis/test.windlass.dev/v1/gadgets/a'])
    assert.deepEqual((await cluster.client.get(Gadget, { name: 'a' })).status, { phase: 'Up' })
  })

  it('N17 fails with a conflict where it must not have changed', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    await cluster.client.patch(Widget, { namespace: 'default', name: 'a' }, { spec: { replicas: 2 } })
    const { failure } = await execute(status(Widget, stored, { phase: 'Up' }, 'it is up', { ifUnchanged: true }))
    assert.equal(failure?.isConflict, true)
    const careless = await execute(status(Widget, stored, { phase: 'Up' }, 'it is up'))
    assert.equal(careless.failure, undefined)
  })

  it('N17 of an object that is gone is a conflict: look again', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const { failure } = await execute(status(Widget, aStoredWidget('a'), { phase: 'Up' }, 'it is up'))
    assert.equal(failure?.isConflict, true)
  })
})

describe('patch', () => {
  it('N17 is sent when it changes something, as far as the cache knows', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a', { replicas: 1, color: 'red' }))
    cache.put(Widget, stored)
    cluster.sent()
    const ref = { namespace: 'default', name: 'a' }
    await execute(patch(Widget, ref, { spec: { replicas: 1, note: null } }, 'it must be so'))
    assert.deepEqual(cluster.sent(), [])
    await execute(patch(Widget, ref, { spec: { color: null } }, 'no colors'))
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`])
    assert.deepEqual((await cluster.client.get(Widget, ref)).spec, { replicas: 1 })
  })

  it('N17 of an object that was observed fails with a conflict when that has changed', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    const ref = { namespace: 'default', name: 'a' }
    await cluster.client.patch(Widget, ref, { spec: { replicas: 2 } })
    const { failure } = await execute(patch(Widget, ref, { spec: { color: 'red' } }, 'red', { ifStill: stored }))
    assert.equal(failure?.isConflict, true)
  })

  it('N17 of an object that was deleted meanwhile is a conflict: look again', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    cache.put(Widget, aStoredWidget('a'))
    const patched = await execute(patch(Widget, { namespace: 'default', name: 'a' }, { spec: { color: 'red' } }, 'red'))
    assert.equal(patched.failure?.isConflict, true)
    const ensured = await execute(ensure(Widget, widgetDraft('a', { color: 'red' }), 'red'))
    assert.equal(ensured.failure?.isConflict, true)
  })

  it('N17 of an object that was never there is an error', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const { failure } = await execute(patch(Widget, { namespace: 'default', name: 'a' }, { spec: { color: 'red' } }, 'red'))
    assert.equal(failure?.isConflict, false)
  })
})

describe('delete', () => {
  it('N17 deletes the object that was observed, and the next pass must see that', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a'))
    cache.put(Widget, stored)
    const { marks } = await execute(remove(Widget, stored, 'nobody wants it'))
    assert.deepEqual(marks, [{ kind: Widget, ref: { namespace: 'default', name: 'a' }, deletedUid: stored.metadata.uid }])
    assert.equal(await cluster.client.find(Widget, { namespace: 'default', name: 'a' }), undefined)
  })

  it('N17 spares another object of the same name', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    cache.put(Widget, aStoredWidget('a'))
    await cluster.client.create(Widget, widgetDraft('a'))
    const { results, failure } = await execute(remove(Widget, aStoredWidget('a'), 'nobody wants it'))
    assert.equal(failure, undefined)
    assert.equal(results[0]?.detail, 'it is gone already')
    assert.ok(await cluster.client.find(Widget, { namespace: 'default', name: 'a' }))
  })

  it('N17 asks once: while finalizers hold the object, nothing is sent', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const stored = await cluster.client.create(Widget, widgetDraft('a', {}, { finalizers: ['test.windlass.dev/hold'] }))
    cache.put(Widget, stored)
    cluster.sent()
    await execute(remove(Widget, stored, 'nobody wants it'))
    const again = await execute(remove(Widget, stored, 'nobody wants it'))
    assert.equal(again.results[0]?.detail, 'it is being deleted already')
    assert.deepEqual(cluster.sent(), [`DELETE ${widgetUrl}/a`])
  })

  it('N17 shortens the time that a Pod has to end, once', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster, { handles: [Pod] })
    const spec = { nodeName: 'a', containers: [{ name: 'a', image: 'a' }] }
    const pod = await cluster.client.create(Pod, {
      metadata: { namespace: 'default', name: 'a', finalizers: ['test.windlass.dev/hold'] },
      spec,
    })
    cache.put(Pod, pod)
    await execute(remove(Pod, pod, 'nobody wants it'))
    const ask = (gracePeriodSeconds: number) => execute(remove(Pod, pod, 'it has ended', { gracePeriodSeconds }))
    const outcomes = [await ask(30), await ask(5), await ask(0), await ask(0)].map(({ results }) => results[0]?.outcome)
    assert.deepEqual(outcomes, ['skipped', 'sent', 'sent', 'skipped'])
    assert.equal((await cluster.client.get(Pod, { namespace: 'default', name: 'a' })).metadata.deletionGracePeriodSeconds, 0)
  })

  it('N17 of an object that is gone is no error', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster, { handles: [] })
    const { failure, results } = await execute(remove(Widget, aStoredWidget('a'), 'nobody wants it'))
    assert.equal(failure, undefined)
    assert.equal(results[0]?.outcome, 'skipped')
  })
})
