import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Random } from '@windlass/core'
import { seededRandom } from '@windlass/core'
import { aConfigMap, aNamespace, aWidget, startTestServer, urls } from '../testing/index.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('X1 a create answers 201 with the object, complete', async () => {
  await using server = await startTestServer()
  const answer = await server.send('POST', urls.widgets(), aWidget('a', { replicas: 3 }))
  assert.equal(answer.status, 201)
  const { metadata, spec, apiVersion, kind } = answer.body
  assert.deepEqual([apiVersion, kind, spec], ['test.windlass.dev/v1', 'Widget', { replicas: 3 }])
  assert.match(metadata.uid, uuid)
  assert.equal(metadata.namespace, 'default')
  assert.equal(metadata.creationTimestamp, '2026-01-01T01:00:00Z')
  assert.equal(metadata.generation, 1)
  assert.equal(metadata.resourceVersion, String(server.revision))
})

test('X1 what a create answers is what a get answers', async () => {
  await using server = await startTestServer()
  for (const [url, object] of [
    [urls.widgets(), aWidget('a')],
    [urls.configMaps(), aConfigMap('a', { k: 'v' })],
  ] as const) {
    const created = await server.send('POST', url, object)
    assert.equal((await server.send('GET', `${url}/a`)).text, created.text)
  }
})

test('X1 a name that is taken is 409 AlreadyExists', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const status = await server.refused('POST', urls.widgets(), aWidget('a'))
  assert.equal(status.code, 409)
  assert.equal(status.reason, 'AlreadyExists')
  assert.equal(status.message, 'widgets.test.windlass.dev "a" already exists')
  assert.deepEqual(status.details, { name: 'a', group: 'test.windlass.dev', kind: 'widgets' })
})

test('X1 of many creates of one name exactly one wins', async () => {
  await using server = await startTestServer()
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.send('POST', urls.widgets(), aWidget('a'))))
  const codes = answers.map(({ status }) => status).toSorted((a, b) => a - b)
  assert.deepEqual(codes, [201, ...Array.from({ length: 19 }, () => 409)])
})

test('O1 O2 O4 uid, creationTimestamp and generation of the client are replaced', async () => {
  await using server = await startTestServer()
  const mine = { uid: '11111111-2222-4333-8444-555555555555', creationTimestamp: '2001-01-01T00:00:00Z', generation: 7 }
  const { metadata } = await server.create(urls.widgets(), aWidget('a', {}, mine))
  assert.notEqual(metadata.uid, mine.uid)
  assert.equal(metadata.creationTimestamp, '2026-01-01T01:00:00Z')
  assert.equal(metadata.generation, 1)
})

test('O2 creationTimestamp has whole seconds', async () => {
  await using server = await startTestServer()
  await server.clock.advance(1_999)
  const { metadata } = await server.create(urls.widgets(), aWidget('a'))
  assert.equal(metadata.creationTimestamp, '2026-01-01T01:00:01Z')
})

test('O3 a create with a resourceVersion is refused, as real servers do it', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', urls.widgets(), aWidget('a', {}, { resourceVersion: '12' }))
  assert.equal(status.code, 500)
  assert.equal(status.reason, undefined)
  assert.equal(status.message, 'resourceVersion should not be set on objects to be created')
})

test('O5 a status sent with a create is dropped where status has a URL of its own, and kept where it has none', async () => {
  await using server = await startTestServer()
  const widget = await server.create(urls.widgets(), { ...aWidget('a'), status: { phase: 'Done' } })
  assert.equal(widget.status, undefined)
  const gadget = { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'a' }, spec: {}, status: { phase: 'Done' } }
  assert.deepEqual((await server.create(urls.gadgets, gadget)).status, { phase: 'Done' })
})

test('O6 generateName adds five characters that spell no words', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), { ...aWidget('a'), metadata: { generateName: 'job-' } })
  assert.match(metadata.name, /^job-[bcdfghjklmnpqrstvwxz2456789]{5}$/)
})

test('O6 a long generateName is cut to 58 characters', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), { ...aWidget('a'), metadata: { generateName: 'x'.repeat(80) } })
  assert.equal(metadata.name.length, 63)
  assert.ok(metadata.name.startsWith('x'.repeat(58)))
})

test('O6 a name wins over generateName', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('mine', {}, { generateName: 'job-' }))
  assert.equal(metadata.name, 'mine')
})

test('O6 many creates with one prefix all succeed, under different names', async () => {
  await using server = await startTestServer()
  const object = { ...aConfigMap('x'), metadata: { generateName: 'c-' } }
  await server.createAll(
    urls.configMaps(),
    Array.from({ length: 200 }, () => object),
  )
  assert.equal(new Set(await server.names(urls.configMaps())).size, 200)
})

/** Gives the characters of one name over and over, then those of others. */
function stuckRandom(repeats: number): Random {
  const random = seededRandom('names')
  let drawn = 0
  return { ...random, below: (bound) => (bound === 27 && drawn++ < repeats * 5 ? 0 : random.below(bound)) }
}

test('O6 a generated name that is taken is drawn again, eight times in all', async () => {
  const object = { ...aWidget('x'), metadata: { generateName: 'job-' } }
  await using lucky = await startTestServer({ random: stuckRandom(8) })
  await lucky.create(urls.widgets(), aWidget('job-bbbbb'))
  // Seven clashes, then the eighth draw is another name.
  await using patient = await startTestServer({ random: stuckRandom(7) })
  await patient.create(urls.widgets(), aWidget('job-bbbbb'))
  assert.notEqual((await patient.create(urls.widgets(), object)).metadata.name, 'job-bbbbb')
  const status = await lucky.refused('POST', urls.widgets(), object)
  assert.equal(status.code, 409)
  assert.equal(status.reason, 'AlreadyExists')
})

test('O7 neither name nor generateName is 422', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', urls.widgets(), { ...aWidget('a'), metadata: {} })
  assert.equal(status.code, 422)
  assert.equal(status.message, 'Widget.test.windlass.dev "" is invalid: metadata.name: Required value: name or generateName is required')
})

test('O12 a namespace carries its name as a label', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.namespaces, aNamespace('team'))
  assert.deepEqual(metadata.labels, { 'kubernetes.io/metadata.name': 'team' })
})

test('L10 a create in a missing namespace is 404', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', urls.widgets('nope'), aWidget('a'))
  assert.equal(status.code, 404)
  assert.equal(status.message, 'namespaces "nope" not found')
})

test('L10 a create in a terminating namespace is 403 with a cause', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  await server.create(urls.widgets('team'), aWidget('hold', {}, { finalizers: ['test.windlass.dev/hold'] }))
  await server.remove(urls.namespace('team'))
  const status = await server.refused('POST', urls.widgets('team'), aWidget('a'))
  assert.equal(status.code, 403)
  assert.equal(
    status.message,
    'widgets.test.windlass.dev "a" is forbidden: unable to create new content in namespace team because it is being terminated',
  )
  assert.deepEqual(status.details?.causes, [
    { reason: 'NamespaceTerminating', message: 'namespace team is being terminated', field: 'metadata.namespace' },
  ])
})

test('T6 an object that is too large to store is 413, one that just fits is stored', async () => {
  await using server = await startTestServer()
  const limit = 1_572_864
  const empty = (await server.send('POST', urls.widgets(), aWidget('a', { note: '' }))).text.length
  const fits = limit - empty
  const status = await server.refused('POST', urls.widgets(), aWidget('b', { note: 'x'.repeat(fits + 1) }))
  assert.equal(status.code, 413)
  assert.equal(status.reason, 'RequestEntityTooLarge')
  assert.equal(status.message, `Request entity too large: limit is ${limit}`)
  const answer = await server.send('POST', urls.widgets(), aWidget('c', { note: 'x'.repeat(fits) }))
  assert.equal(answer.status, 201)
  assert.equal(answer.text.length, limit)
})

test('T6 an update that makes an object too large is 413 and changes nothing', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const { revision } = server
  const status = await server.refused('PATCH', urls.widget('a'), { spec: { note: 'x'.repeat(1_572_864) } })
  assert.equal(status.code, 413)
  assert.equal(server.revision, revision)
})

test('T6 ConfigMap data beyond 1 MiB is 422', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', urls.configMaps(), aConfigMap('a', { k: 'x'.repeat(1_048_577) }))
  assert.equal(status.code, 422)
  assert.match(status.message, /Too long: may not be more than 1048576 bytes/)
})

test('X8 a dry run answers as if, and stores and announces nothing', async () => {
  await using server = await startTestServer()
  const { revision } = server
  const watch = await server.watch(`${urls.widgets()}?resourceVersion=${revision}`)
  const answer = await server.send('POST', `${urls.widgets()}?dryRun=All`, { ...aWidget('a'), metadata: { generateName: 'job-' } })
  assert.equal(answer.status, 201)
  assert.match(answer.body.metadata.name, /^job-.{5}$/)
  assert.match(answer.body.metadata.uid, uuid)
  assert.equal(server.revision, revision)
  assert.deepEqual(await server.names(urls.widgets()), [])
  assert.deepEqual(watch.summary, [])
})

test('X8 a dry run is judged like a write', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', `${urls.widgets()}?dryRun=All`, aWidget('a', { replicas: -1 }))
  assert.equal(status.code, 422)
})
