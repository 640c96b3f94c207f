import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { aConfigMap, aWidget, type Seen, startTestServer, urls } from '../testing/index.ts'

const modified = 'the object has been modified; please apply your changes to the latest version and try again'

/** An object that was read, with something else in its spec. */
const withSpec = (object: Seen, spec: JsonObject): object => ({ ...object, spec })
const withMetadata = (object: Seen, metadata: JsonObject): object => ({ ...object, metadata: { ...object.metadata, ...metadata } })

test('X2 a replace with a stale resourceVersion is 409 Conflict', async () => {
  await using server = await startTestServer()
  const stale = await server.create(urls.widgets(), aWidget('a'))
  await server.replace(urls.widget('a'), withSpec(stale, { replicas: 2 }))
  const status = await server.refused('PUT', urls.widget('a'), withSpec(stale, { replicas: 3 }))
  assert.equal(status.code, 409)
  assert.equal(status.reason, 'Conflict')
  assert.equal(status.message, `Operation cannot be fulfilled on widgets.test.windlass.dev "a": ${modified}`)
  assert.deepEqual(status.details, { name: 'a', group: 'test.windlass.dev', kind: 'widgets' })
})

test('X2 of many replaces with one resourceVersion exactly one wins', async () => {
  await using server = await startTestServer()
  const read = await server.create(urls.widgets(), aWidget('a'))
  const writers = Array.from({ length: 10 }, (_, index) => server.send('PUT', urls.widget('a'), withSpec(read, { replicas: index + 2 })))
  const codes = (await Promise.all(writers)).map(({ status }) => status)
  assert.equal(codes.filter((code) => code === 200).length, 1)
  assert.equal(codes.filter((code) => code === 409).length, 9)
})

test('X3 a replace of a missing object is 404 for custom resources and ConfigMaps', async () => {
  await using server = await startTestServer()
  assert.equal((await server.refused('PUT', urls.widget('a'), aWidget('a', {}, { resourceVersion: '5' }))).code, 404)
  assert.equal((await server.refused('PUT', urls.configMap('a'), aConfigMap('a'))).code, 404)
})

test('X3 a replace of a missing Lease or Role creates it, even with a resourceVersion', async () => {
  await using server = await startTestServer()
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a', resourceVersion: '5' }, spec: {} }
  const made = await server.send('PUT', '/apis/coordination.k8s.io/v1/namespaces/default/leases/a', lease)
  assert.equal(made.status, 201)
  const role = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name: 'a' }, rules: [] }
  assert.equal((await server.send('PUT', '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles/a', role)).status, 201)
})

test('O1 a replace with another uid is 409', async () => {
  await using server = await startTestServer()
  const read = await server.create(urls.widgets(), aWidget('a'))
  const uid = '11111111-2222-4333-8444-555555555555'
  const status = await server.refused('PUT', urls.widget('a'), withMetadata(read, { uid }))
  assert.equal(status.code, 409)
  assert.match(status.message, new RegExp(`Precondition failed: UID in precondition: ${uid}, UID in object meta: ${read.metadata.uid}$`))
})

test('O1 a patch to another uid is 422', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const uid = '11111111-2222-4333-8444-555555555555'
  const status = await server.refused('PATCH', urls.widget('a'), { metadata: { uid } })
  assert.equal(status.code, 422)
  assert.equal(status.message, `Widget.test.windlass.dev "a" is invalid: metadata.uid: Invalid value: "${uid}": field is immutable`)
})

test('O3 a replace of a custom resource or a Lease without a resourceVersion is 422, naming the plural', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const status = await server.refused('PUT', urls.widget('a'), aWidget('a', { replicas: 2 }))
  assert.equal(status.code, 422)
  assert.equal(
    status.message,
    'widgets.test.windlass.dev "a" is invalid: metadata.resourceVersion: Invalid value: 0x0: must be specified for an update',
  )
  assert.equal(status.details?.kind, 'widgets')
  const leases = '/apis/coordination.k8s.io/v1/namespaces/default/leases'
  const lease = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'a' }, spec: {} }
  await server.create(leases, lease)
  assert.equal((await server.refused('PUT', `${leases}/a`, lease)).code, 422)
})

test('O3 a replace of a ConfigMap without a resourceVersion overwrites', async () => {
  await using server = await startTestServer()
  await server.create(urls.configMaps(), aConfigMap('a', { k: '1' }))
  assert.deepEqual((await server.replace(urls.configMap('a'), aConfigMap('a', { k: '2' }))).data, { k: '2' })
})

test('O4 labels, annotations and status leave the generation alone, the spec raises it', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const generationAfter = async (url: string, patch: JsonObject): Promise<number> => (await server.merge(url, patch)).metadata.generation
  assert.equal(await generationAfter(urls.widget('a'), { metadata: { labels: { a: 'b' }, annotations: { a: 'b' } } }), 1)
  assert.equal(await generationAfter(`${urls.widget('a')}/status`, { status: { phase: 'Done' } }), 1)
  assert.equal(await generationAfter(urls.widget('a'), { spec: { replicas: 2 } }), 2)
  assert.equal(await generationAfter(urls.widget('a'), { metadata: { generation: 9 } }), 2)
})

test('O4 without a status subresource a change of status raises the generation', async () => {
  await using server = await startTestServer()
  await server.create(urls.gadgets, { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'a' } })
  assert.equal((await server.merge(`${urls.gadgets}/a`, { status: { phase: 'Done' } })).metadata.generation, 2)
})

test('O5 a write on the main URL keeps the stored status', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const read = await server.merge(`${urls.widget('a')}/status`, { status: { phase: 'Done' } })
  const replaced = await server.replace(urls.widget('a'), { ...read, status: { phase: 'Undone' }, spec: { replicas: 2 } })
  assert.deepEqual([replaced.status, replaced.spec], [{ phase: 'Done' }, { replicas: 2 }])
  const patched = await server.merge(urls.widget('a'), { status: null, spec: { replicas: 3 } })
  assert.deepEqual([patched.status, patched.spec], [{ phase: 'Done' }, { replicas: 3 }])
})

test('O5 a write on /status changes status alone', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', { replicas: 1 }, { labels: { keep: 'me' } }))
  const patch = { status: { phase: 'Done' }, spec: { replicas: 9 }, metadata: { labels: { keep: 'not' } } }
  const { status, spec, metadata } = await server.merge(`${urls.widget('a')}/status`, patch)
  assert.deepEqual([status, spec, metadata.labels], [{ phase: 'Done' }, { replicas: 1 }, { keep: 'me' }])
})

test('O5 a write on /status is judged', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const status = await server.refused('PATCH', `${urls.widget('a')}/status`, { status: { phase: 7 } })
  assert.equal(status.code, 422)
})

test('O10 deletionTimestamp and deletionGracePeriodSeconds cannot be patched', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const time = await server.refused('PATCH', urls.widget('a'), { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } })
  assert.equal(
    time.message,
    'Widget.test.windlass.dev "a" is invalid: metadata.deletionTimestamp: Invalid value: 2030-01-01 00:00:00 +0000 UTC: field is immutable',
  )
  const grace = await server.refused('PATCH', urls.widget('a'), { metadata: { deletionGracePeriodSeconds: 5 } })
  assert.equal(
    grace.message,
    'Widget.test.windlass.dev "a" is invalid: metadata.deletionGracePeriodSeconds: Invalid value: 5: field is immutable',
  )
})

test('O10 another creationTimestamp, or another deletionTimestamp while deleting, is silently the stored one', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a', {}, { finalizers: ['test.windlass.dev/hold'] }))
  const touched = await server.merge(urls.widget('a'), { metadata: { creationTimestamp: '2001-01-01T00:00:00Z' } })
  assert.equal(touched.metadata.creationTimestamp, metadata.creationTimestamp)
  const { metadata: marked } = await server.remove(urls.widget('a'))
  const again = await server.merge(urls.widget('a'), { metadata: { deletionTimestamp: '2030-01-01T00:00:00Z' } })
  assert.equal(again.metadata.deletionTimestamp, marked.deletionTimestamp)
})

test('a write that changes nothing keeps resourceVersion and times, and nobody hears of it', async () => {
  await using server = await startTestServer()
  const widget = await server.create(urls.widgets(), aWidget('a'))
  const map = await server.create(urls.configMaps(), aConfigMap('a', { k: 'v' }))
  const watch = await server.watch(`${urls.widgets()}?resourceVersion=${server.revision}`)
  const { revision } = server
  await server.clock.advance(5_000)
  assert.deepEqual(await server.replace(urls.widget('a'), widget), widget)
  assert.deepEqual(await server.merge(urls.widget('a'), { spec: { replicas: 1 } }), widget)
  assert.deepEqual(await server.merge(`${urls.widget('a')}/status`, {}), widget)
  assert.deepEqual(await server.replace(urls.configMap('a'), aConfigMap('a', { k: 'v' })), map)
  assert.equal(server.revision, revision)
  assert.deepEqual(watch.summary, [])
})

test('L3 the update that removes the last finalizer deletes: one DELETED, no MODIFIED', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, { finalizers: ['test.windlass.dev/hold'] }))
  await server.remove(urls.widget('a'))
  const watch = await server.watch(`${urls.widgets()}?resourceVersion=${server.revision}`)
  const answer = await server.merge(urls.widget('a'), { metadata: { finalizers: null } })
  assert.equal(answer.metadata.finalizers, undefined)
  assert.deepEqual(watch.summary, ['DELETED a'])
  assert.equal(watch.revisions[0], server.revision)
  assert.equal((await server.refused('GET', urls.widget('a'))).code, 404)
})

test('L3 removing a finalizer of an object that is not being deleted deletes nothing', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, { finalizers: ['test.windlass.dev/hold'] }))
  await server.merge(urls.widget('a'), { metadata: { finalizers: null } })
  assert.deepEqual(await server.names(urls.widgets()), ['a'])
})

test('L4 while deleting, no new finalizers; spec, labels and status may change', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, { finalizers: ['test.windlass.dev/hold'] }))
  await server.remove(urls.widget('a'))
  const finalizers = ['test.windlass.dev/hold', 'test.windlass.dev/new']
  const status = await server.refused('PATCH', urls.widget('a'), { metadata: { finalizers } })
  assert.equal(status.code, 422)
  assert.match(
    status.message,
    /metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers/,
  )
  const changed = await server.merge(urls.widget('a'), { spec: { replicas: 5 }, metadata: { labels: { a: 'b' } } })
  assert.deepEqual([changed.spec, changed.metadata.labels], [{ replicas: 5 }, { a: 'b' }])
})

test('X8 a dry run of an update answers the new state and keeps the old one', async () => {
  await using server = await startTestServer()
  const read = await server.create(urls.widgets(), aWidget('a'))
  const { spec, metadata } = await server.replace(`${urls.widget('a')}?dryRun=All`, withSpec(read, { replicas: 2 }))
  assert.deepEqual([spec, metadata.generation], [{ replicas: 2 }, 2])
  assert.deepEqual(await server.get(urls.widget('a')), read)
})
