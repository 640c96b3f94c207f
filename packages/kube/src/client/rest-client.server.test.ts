import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, HostedCluster, Namespace, NodePool, toCrd } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import type { JsonObject } from '@windlass/apiserver'
import { admin, aConfigMap, startTestServer, type TestServer, type TestServerOptions, urls, userNamed } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { inProcessTransport, type InProcessUser } from '../transport/in-process.ts'
import type { WatchOptions } from './client.ts'
import * as is from './errors.ts'
import { ApiError } from './errors.ts'
import { createClient, type RestClient } from './rest-client.ts'
import { gather } from './testing.ts'

// A definition is JSON by its nature; its type only knows more about it than the server asks for.
const nodePools = { ...toCrd(NodePool) } as Record<string, unknown> as JsonObject

function clientAs(server: TestServer, user: InProcessUser = admin): RestClient {
  const transport = inProcessTransport((request) => server.api.handle(request), { user })
  return createClient({ transport, clock: server.clock, random: seededRandom('client'), userAgent: 'test/1.0', fieldManager: 'test' })
}

const startWithPools = (options: TestServerOptions = {}): Promise<TestServer> => startTestServer({ definitions: [nodePools], ...options })

const ref = { namespace: 'default', name: 'workers' }
const draft = { metadata: ref, spec: aNodePool().spec }
const aMap = (name: string, more: object = {}) => ({ metadata: { namespace: 'default', name, ...more } })

/** The error that a call must end with. */
async function refusedBy(call: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await call.then(
    () => assert.fail('it was not refused'),
    (problem: unknown) => problem,
  )
  assert.ok(error instanceof ApiError, String(error))
  return error
}

describe('objects on the embedded server', () => {
  it('N2 are created, read, replaced, patched, applied and deleted', async () => {
    await using server = await startWithPools()
    const client = clientAs(server)
    const created = await client.create(NodePool, draft)
    assert.deepEqual([created.apiVersion, created.kind, created.metadata.generation], [NodePool.apiVersion, 'NodePool', 1])
    assert.deepEqual(await client.get(NodePool, ref), created)

    const updated = await client.update(NodePool, { ...created, spec: { ...created.spec, replicas: 5 } })
    assert.equal(updated.spec.replicas, 5)
    assert.equal((await client.patch(NodePool, ref, { spec: { replicas: 6 } })).spec.replicas, 6)
    const operations = [
      { op: 'test', path: '/spec/replicas', value: 6 },
      { op: 'replace', path: '/spec/replicas', value: 7 },
    ] as const
    assert.equal((await client.patch(NodePool, ref, operations)).spec.replicas, 7)
    const applied = await client.apply(NodePool, { metadata: ref, spec: { replicas: 8 } }, { force: true, fieldManager: 'scaler' })
    assert.equal(applied.spec.replicas, 8)
    assert.ok(applied.metadata.managedFields?.some((entry) => entry['manager'] === 'scaler' && entry['operation'] === 'Apply'))
    assert.ok(applied.metadata.managedFields?.some((entry) => entry['manager'] === 'test' && entry['operation'] === 'Update'))

    assert.equal(await client.delete(NodePool, ref), undefined)
    assert.equal(await client.find(NodePool, ref), undefined)
  })

  it('N2 have a status that is written apart from the rest', async () => {
    await using server = await startWithPools()
    const client = clientAs(server)
    const created = await client.create(NodePool, draft)
    const status = { replicas: 2 }
    const updated = await client.updateStatus(NodePool, { ...created, spec: { ...created.spec, replicas: 99 }, status })
    assert.deepEqual([updated.spec.replicas, updated.status?.replicas], [3, 2])
    const patched = await client.patchStatus(NodePool, ref, { status: { replicas: 1 }, spec: { replicas: 99 } })
    assert.deepEqual([patched.spec.replicas, patched.status?.replicas], [3, 1])
    const applied = await client.applyStatus(NodePool, { metadata: ref, status: { replicas: 3 } }, { force: true })
    assert.deepEqual([applied.spec.replicas, applied.status?.replicas, applied.metadata.generation], [3, 3, 1])
  })

  it('N2 have subresources', async () => {
    await using server = await startWithPools()
    const client = clientAs(server)
    await client.create(NodePool, draft)
    const scale = await client.getSubresource<{ kind: string; spec: { replicas: number } }>(NodePool, ref, 'scale')
    assert.deepEqual([scale.kind, scale.spec.replicas], ['Scale', 3])
    await client.patchSubresource(NodePool, ref, 'scale', { spec: { replicas: 4 } })
    assert.equal((await client.get(NodePool, ref)).spec.replicas, 4)
  })

  it('N2 are left as they are by a dry run', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    const before = server.revision
    assert.ok((await client.create(ConfigMap, aMap('a'), { dryRun: true })).metadata.uid !== undefined)
    assert.equal(await client.find(ConfigMap, { namespace: 'default', name: 'a' }), undefined)
    assert.equal(server.revision, before)
    await client.create(ConfigMap, aMap('a'))
    assert.equal(await client.delete(ConfigMap, { namespace: 'default', name: 'a' }, { dryRun: true }), undefined)
    assert.ok((await client.find(ConfigMap, { namespace: 'default', name: 'a' })) !== undefined)
  })

  it('N2 that have finalizers are given back by DELETE, and are gone when the last finalizer is', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    const held = { namespace: 'default', name: 'held' }
    await client.create(ConfigMap, aMap('held', { finalizers: ['windlass.dev/test'] }))
    const marked = await client.delete(ConfigMap, held, { propagation: 'Background' })
    assert.ok(marked?.metadata.deletionTimestamp !== undefined)
    await client.patch(ConfigMap, held, { metadata: { finalizers: null } })
    assert.equal(await client.find(ConfigMap, held), undefined)
    const namespace = await client.create(Namespace, { metadata: { name: 'a' } })
    assert.ok((await client.delete(Namespace, { name: 'a' }, { preconditions: { uid: namespace.metadata.uid ?? '' } })) !== undefined)
  })

  it('N2 can be deleted by a selector', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    for (const [name, color] of Object.entries({ a: 'red', b: 'blue', c: 'red' }))
      await client.create(ConfigMap, aMap(name, { labels: { color } }))
    await client.deleteCollection(ConfigMap, { namespace: 'default', labelSelector: 'color in (red)' }, { propagation: 'Background' })
    assert.deepEqual(await server.names(urls.configMaps()), ['b'])
  })
})

describe('refusals of the embedded server', () => {
  it('N2 are errors by reason', async () => {
    await using server = await startWithPools()
    const client = clientAs(server)
    const created = await client.create(NodePool, draft)
    assert.ok(is.isAlreadyExists(await refusedBy(client.create(NodePool, draft))))
    await client.patch(NodePool, ref, { spec: { replicas: 4 } })
    assert.ok(is.isConflict(await refusedBy(client.update(NodePool, created))))
    assert.ok(is.isConflict(await refusedBy(client.delete(NodePool, ref, { preconditions: { uid: 'another' } }))))
    const owned = await refusedBy(client.apply(NodePool, { metadata: ref, spec: { replicas: 9 } }, { fieldManager: 'other' }))
    assert.deepEqual([is.isConflict(owned), owned.causes[0]?.field], [true, '.spec.replicas'])
    const missing = await refusedBy(client.get(NodePool, { ...ref, name: 'nothing' }))
    assert.deepEqual(
      [is.isNotFound(missing), missing.details.name, missing.message],
      [true, 'nothing', 'nodepools.hypershift.openshift.io "nothing" not found'],
    )
    const stranger = clientAs(server, userNamed('stranger'))
    assert.ok(is.isForbidden(await refusedBy(stranger.get(NodePool, ref))))
  })

  it('N2 name each field that breaks a rule', async () => {
    await using server = await startWithPools()
    const spec = { ...draft.spec, replicas: 3, autoScaling: { min: 3, max: 1 } }
    const error = await refusedBy(clientAs(server).create(NodePool, { ...draft, spec }))
    assert.ok(is.isInvalid(error))
    assert.deepEqual(new Set(error.causes.map(({ field }) => field)), new Set(['spec', 'spec.autoScaling']))
  })

  it('N1 of a kind that is not installed are not taken for "there is no such object"', async () => {
    await using server = await startWithPools()
    const client = clientAs(server)
    assert.ok(is.isUnknownKind(await refusedBy(client.find(HostedCluster, ref))))
    assert.ok(is.isUnknownKind(await refusedBy(gather(client.list(HostedCluster)))))
  })

  it('N2 for a revision that has not happened yet say so', async () => {
    await using server = await startTestServer()
    const asking = refusedBy(clientAs(server).get(ConfigMap, { namespace: 'default', name: 'a' }, { resourceVersion: '999999' }))
    await server.clock.advance(3000)
    const error = await asking
    assert.deepEqual([is.isTooLargeResourceVersion(error), is.isServerTimeout(error), error.retryAfterSeconds], [true, true, 1])
  })

  it('N2 because of too many requests are waited out', async () => {
    await using server = await startTestServer({ limits: { reads: 1, writes: 200 } })
    const client = clientAs(server)
    const start = server.clock.now()
    const reading = Promise.all(Array.from({ length: 150 }, () => client.find(ConfigMap, { namespace: 'default', name: 'a' })))
    let isDone = false
    void reading.finally(() => (isDone = true))
    assert.ok(await server.clock.advanceUntil(() => isDone, 10_000))
    assert.deepEqual(new Set(await reading), new Set([undefined]))
    // More than a hundred cannot wait at once: some had to come back a second later.
    assert.ok(server.clock.now() - start >= 1000)
  })
})

describe('lists of the embedded server', () => {
  it('N2 of 10,000 objects come in pages of one and the same moment', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    await server.createAll(
      urls.configMaps(),
      Array.from({ length: 10_000 }, (_, index) => aConfigMap(`map-${String(index).padStart(5, '0')}`)),
    )
    const sizes: number[] = []
    const revisions = new Set<string>()
    const names: string[] = []
    for await (const { items, resourceVersion, continueToken } of client.pages(ConfigMap, { namespace: 'default' })) {
      sizes.push(items.length)
      revisions.add(resourceVersion)
      assert.equal(continueToken === undefined, sizes.length === 20)
      for (const { kind, apiVersion, metadata } of items) names.push(`${apiVersion} ${kind} ${metadata.name}`)
      // What happens between two pages is not seen in the later ones.
      await client.create(ConfigMap, aMap(`late-${sizes.length}`))
    }
    assert.deepEqual([sizes, revisions.size], [Array.from({ length: 20 }, () => 500), 1])
    assert.deepEqual(
      [names.length, new Set(names).size, names[0], names.at(-1)],
      [10_000, 10_000, 'v1 ConfigMap map-00000', 'v1 ConfigMap map-09999'],
    )
    let count = 0
    for await (const { metadata } of client.list(ConfigMap, { namespace: 'default', labelSelector: '!none', pageSize: 4000 })) {
      if (metadata.name?.startsWith('late-') === true) count++
    }
    assert.equal(count, 20)
  })

  it('N2 expire when their history is forgotten between two pages', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    for (const name of ['a', 'b', 'c']) await client.create(ConfigMap, aMap(name))
    const pages = client.pages(ConfigMap, { namespace: 'default', pageSize: 1 })[Symbol.asyncIterator]()
    await pages.next()
    await client.create(ConfigMap, aMap('d'))
    await server.api.compact()
    const error = await refusedBy(pages.next())
    assert.ok(is.isExpired(error))
    assert.ok(error.continueToken !== undefined)
  })
})

describe('watches of the embedded server', () => {
  /** Events in short, collected in the background. */
  function follow(source: AsyncIterable<readonly { type: string; object: { metadata: { name?: string } } }[]>): {
    seen: string[]
    end: Promise<unknown>
  } {
    const seen: string[] = []
    const read = async (): Promise<void> => {
      for await (const events of source)
        seen.push(events.map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`.trim()).join(', '))
    }
    return {
      seen,
      end: read().then(
        () => 'ended',
        (error: unknown) => error,
      ),
    }
  }

  it('N3 begin with the present, go on with what happens and end when the server ends them', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    await client.create(ConfigMap, aMap('a'))
    await client.create(ConfigMap, aMap('b'))
    const options = { namespace: 'default', sendInitialEvents: true, allowBookmarks: true, timeoutSeconds: 300 } as const
    const { seen, end } = follow(await client.watch(ConfigMap, { ...options, resourceVersionMatch: 'NotOlderThan' }))
    await server.settle()
    assert.deepEqual(seen.join(', '), 'ADDED a, ADDED b, BOOKMARK')
    await client.delete(ConfigMap, { namespace: 'default', name: 'a' })
    await client.create(Namespace, { metadata: { name: 'elsewhere' } })
    await server.clock.advance(60_000)
    await server.clock.advance(240_000)
    assert.equal(await end, 'ended')
    assert.deepEqual(seen.slice(-2), ['DELETED a', 'BOOKMARK'])
  })

  it('N5 bring objects whole, or without managedFields', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    const { metadata, ...rest } = await client.create(ConfigMap, aMap('a', { labels: { app: 'web' } }))
    const { managedFields, ...others } = metadata
    assert.ok(managedFields !== undefined)
    const firstOf = async (options: WatchOptions): Promise<unknown> => {
      for await (const [event] of await client.watch(ConfigMap, { namespace: 'default', ...options })) return event?.object
      return undefined
    }
    assert.deepEqual(await firstOf({}), { ...rest, metadata })
    assert.deepEqual(await firstOf({ omitsManagedFields: true }), { ...rest, metadata: others })
  })

  it('N5 answers bring objects whole, or without managedFields', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    await client.create(ConfigMap, aMap('a', { labels: { app: 'web' } }))
    const ref = { namespace: 'default', name: 'a' }
    const options = { omitsManagedFields: true }
    const whole = await client.get(ConfigMap, ref)
    const { managedFields, ...metadata } = whole.metadata
    assert.ok(managedFields !== undefined)
    const cut = { ...whole, metadata }
    assert.deepEqual(await client.get(ConfigMap, ref, options), cut)
    assert.deepEqual(await client.patch(ConfigMap, ref, { metadata: { labels: { app: 'web' } } }, options), cut)
    assert.deepEqual(await client.update(ConfigMap, whole, options), cut)
    assert.equal((await client.create(ConfigMap, aMap('b', { labels: { app: 'web' } }), options)).metadata.managedFields, undefined)
  })

  it('N3 tell by an Expired error that they begin too far in the past', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    const { revision } = server
    await client.create(ConfigMap, aMap('a'))
    await client.create(ConfigMap, aMap('b'))
    await server.api.compact()
    const { seen, end } = follow(await client.watch(ConfigMap, { resourceVersion: String(revision) }))
    const error = await end
    assert.ok(is.isExpired(error))
    assert.deepEqual([seen, error.request], [[], 'GET /api/v1/configmaps'])
  })

  it('N2 are left by closing them, by leaving the loop and by an abort', async () => {
    await using server = await startTestServer()
    const client = clientAs(server)
    const closed = await client.watch(ConfigMap, { resourceVersion: '0' })
    const following = follow(closed)
    await server.settle()
    assert.equal(server.api.hub.size, 1)
    closed.close()
    assert.equal(await following.end, 'ended')

    const stop = new AbortController()
    const aborted = follow(await client.watch(ConfigMap, { signal: stop.signal }))
    stop.abort(new Error('stopped'))
    assert.equal(String(await aborted.end), 'Error: stopped')

    await client.create(ConfigMap, aMap('a'))
    for await (const [event] of await client.watch(ConfigMap)) {
      assert.equal(event?.type, 'ADDED')
      break
    }
    await server.settle()
    assert.equal(server.api.hub.size, 0)
  })

  it('N2 that cannot begin are refused like any other call', async () => {
    await using server = await startTestServer()
    assert.ok(is.isForbidden(await refusedBy(clientAs(server, userNamed('stranger')).watch(ConfigMap))))
    assert.ok(is.isUnknownKind(await refusedBy(clientAs(server).watch(NodePool))))
  })
})
