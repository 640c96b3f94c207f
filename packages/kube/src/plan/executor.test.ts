import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { ConfigMap, type KubernetesObject, type Resource } from '@windlass/api'
import type { CachedKind } from '../cache/cache.ts'
import { cached, isDeclaration } from '../cache/declaration.ts'
import { setControllerReference } from '../helpers/index.ts'
import { type Action, apply, create, ensure, event, patch, plan, PlanExecutor, remove, status } from './index.ts'
import { aStoredWidget, type Cluster, clusterOn, FakeCache, Gadget, Widget, widgetDraft } from './testing/index.ts'

const startCluster = async (): Promise<Cluster> => clusterOn(await startTestServer(), admin)

type Handle = Resource | CachedKind<KubernetesObject, string>

interface Setup {
  readonly handles?: readonly Handle[]
  readonly allows?: (action: Action) => boolean
}

/** An executor on the real server, with a cache that the test fills. */
function anExecutor({ client, events }: Cluster, { handles = [Widget, Gadget, ConfigMap], allows }: Setup = {}) {
  const cache = new FakeCache()
  for (const handle of handles) cache.declare(isDeclaration(handle) ? handle : cached(handle))
  const executor = new PlanExecutor({ client, cache, events, handles, ...(allows === undefined ? {} : { allows }) })
  return { cache, executor, execute: (...actions: readonly Action[]) => executor.execute(plan(...actions)) }
}

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
    const stored = await cluster.client.get(Widget, { namespace: 'default', name: 'a' })
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
    assert.deepEqual(other.results[0], { action: wanted(2), outcome: 'sent', patch: { spec: { replicas: 2 } } })
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

  it('N17 of an object that is gone is no error', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster, { handles: [] })
    const { failure, results } = await execute(remove(Widget, aStoredWidget('a'), 'nobody wants it'))
    assert.equal(failure, undefined)
    assert.equal(results[0]?.outcome, 'skipped')
  })
})

describe('apply', () => {
  const colored = (color: string) => apply(Widget, { metadata: { namespace: 'default', name: 'a' }, spec: { color } }, 'it is ours')

  it('N17 is sent once, and again when we want something else', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    for (const color of ['red', 'red', 'blue', 'blue']) await execute(colored(color))
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`, `PATCH ${widgetUrl}/a`])
    assert.equal((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).spec.color, 'blue')
  })

  it('N17 is sent again when somebody has changed what is ours, not when they changed something else', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    await execute(colored('red'))
    const ref = { namespace: 'default', name: 'a' }
    cache.put(Widget, await cluster.client.patch(Widget, ref, { spec: { replicas: 3 } }))
    cluster.sent()
    await execute(colored('red'))
    assert.deepEqual(cluster.sent(), [])
    cache.put(Widget, await cluster.client.patch(Widget, ref, { spec: { color: 'green' } }))
    cluster.sent()
    await execute(apply(Widget, { metadata: ref, spec: { color: 'red' } }, 'it is ours', { force: true }))
    assert.deepEqual(cluster.sent(), [`PATCH ${widgetUrl}/a`])
  })

  it('N17 gives up fields that it no longer mentions, though the object has all it mentions', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await execute(apply(Widget, { metadata: { namespace: 'default', name: 'a' }, spec: { color: 'red', replicas: 1 } }, 'it is ours'))
    await execute(colored('red'))
    assert.deepEqual((await cluster.client.get(Widget, { namespace: 'default', name: 'a' })).spec, { color: 'red' })
  })

  it('N17 is sent to an object that was made anew', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const ref = { namespace: 'default', name: 'a' }
    await execute(colored('red'))
    await cluster.client.delete(Widget, ref)
    cache.put(Widget, await cluster.client.create(Widget, widgetDraft('a', { color: 'red' })))
    cluster.sent()
    await execute(colored('red'))
    assert.equal(cluster.sent().length, 1)
  })

  it("N17 somebody else's field is an error to be seen, not a conflict to be tried again quietly", async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    await cluster.client.apply(
      Widget,
      { metadata: { namespace: 'default', name: 'a' }, spec: { color: 'green' } },
      { fieldManager: 'other' },
    )
    const { failure } = await execute(colored('red'))
    assert.equal(failure?.isConflict, false)
    assert.match(String(failure?.error), /conflict/)
  })
})

describe('a plan', () => {
  it('N12 is carried out in order, and ends with the first action that fails', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const stored = aStoredWidget('a')
    const { results, marks, failure } = await execute(
      create(Widget, widgetDraft('a'), 'first'),
      create(Widget, widgetDraft('b', { replicas: -1 }), 'it breaks a rule'),
      event(stored, 'Normal', 'Created', 'two were created'),
    )
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['sent', 'failed'],
    )
    assert.equal(marks.length, 1)
    assert.equal(failure?.isConflict, false)
    assert.match(results[1]?.detail ?? '', /spec.replicas/)
    assert.deepEqual(cluster.occurrences, [])
  })

  it('N18 tells people by events', async () => {
    await using cluster = await startCluster()
    const { execute } = anExecutor(cluster)
    const regarding = aStoredWidget('a')
    await execute(event(regarding, 'Warning', 'Stuck', 'it does not move', 'somebody should know'))
    assert.deepEqual(cluster.occurrences, [{ regarding, type: 'Warning', reason: 'Stuck', note: 'it does not move' }])
  })

  it('N12 sends nothing after its signal was aborted', async () => {
    await using cluster = await startCluster()
    const { executor } = anExecutor(cluster)
    const signal = AbortSignal.abort(new Error('leadership was lost'))
    const { failure, marks } = await executor.execute(plan(create(Widget, widgetDraft('a'), 'first')), signal)
    assert.match(String(failure?.error), /leadership was lost/)
    assert.deepEqual(marks, [])
    assert.deepEqual(cluster.sent(), [])
  })

  it('N12 where writing is not allowed, says what it would do and does nothing', async () => {
    await using cluster = await startCluster()
    const own = (action: Action): boolean => action.do !== 'event' && action.kind !== Widget
    const { execute, cache } = anExecutor(cluster, { allows: own })
    cache.put(Widget, aStoredWidget('a', { spec: { replicas: 1 } }))
    const { results } = await execute(
      ensure(Widget, widgetDraft('a', { replicas: 1 }), 'it is so'),
      ensure(Widget, widgetDraft('a', { replicas: 2 }), 'two'),
      remove(Widget, aStoredWidget('a'), 'nobody wants it'),
      event(aStoredWidget('a'), 'Normal', 'Removed', 'it was removed'),
      create(ConfigMap, { metadata: { namespace: 'default', name: 'a' } }, 'our own kind'),
    )
    assert.deepEqual(
      results.map(({ outcome, patch }) => [outcome, patch]),
      [
        ['skipped', undefined],
        ['refused', { spec: { replicas: 2 } }],
        ['refused', undefined],
        ['refused', undefined],
        ['sent', undefined],
      ],
    )
    assert.deepEqual(cluster.sent(), ['POST /api/v1/namespaces/default/configmaps'])
    assert.deepEqual(cluster.occurrences, [])
  })

  it('N17 that made everything so sends nothing the second time', async () => {
    await using cluster = await startCluster()
    const { execute, cache } = anExecutor(cluster)
    const owner = await cluster.client.create(Widget, widgetDraft('owner'))
    cache.put(Widget, owner)
    const actions = (): readonly Action[] => {
      const seen = cache.get(Widget, { namespace: 'default', name: 'owner' }) ?? owner
      const child = setControllerReference({ metadata: { namespace: 'default', name: 'child' }, data: { a: '1' } }, owner)
      return [ensure(ConfigMap, child, 'it needs one'), status(Widget, seen, { phase: 'Up' }, 'it is up')]
    }
    await execute(...actions())
    assert.equal(cluster.sent().length, 3)
    const { results } = await execute(...actions())
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['skipped', 'skipped'],
    )
    assert.deepEqual(cluster.sent(), [])
  })
})
