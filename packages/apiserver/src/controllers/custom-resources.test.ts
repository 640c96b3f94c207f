import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { aDefinition, type Seen, startTestServer, urls } from '../testing/index.ts'

const goners = '/apis/test.windlass.dev/v1/namespaces/default/goners'
const definition = urls.definition('goners.test.windlass.dev')
const aGoner = (name: string, metadata: JsonObject = {}): JsonObject => ({
  apiVersion: 'test.windlass.dev/v1',
  kind: 'Goner',
  metadata: { name, ...metadata },
})

function conditionsOf({ status }: Partial<Seen>): Readonly<Record<string, string>> {
  const conditions = (status?.['conditions'] ?? []) as readonly { type: string; status: string }[]
  return Object.fromEntries(conditions.map((condition) => [condition.type, condition.status]))
}

test('V1 D4 a definition is established after 250 ms, and served from then on', async () => {
  await using server = await startTestServer()
  const created = await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  assert.equal(conditionsOf(created)['Established'], undefined)
  await server.clock.advance(249)
  assert.equal((await server.send('GET', goners)).status, 404)
  await server.clock.advance(1)
  assert.deepEqual(conditionsOf(await server.get(definition)), { NamesAccepted: 'True', Established: 'True' })
  assert.equal((await server.send('GET', goners)).status, 200)
})

test('D4 whoever sees a definition established finds it served and described', async () => {
  await using server = await startTestServer()
  const found: Promise<boolean>[] = []
  const look = async (): Promise<boolean> => {
    const [objects, resources] = await Promise.all([server.send('GET', goners), server.send('GET', '/apis/test.windlass.dev/v1')])
    return objects.status === 200 && resources.text.includes('"goners"')
  }
  server.api.store.subscribe((changes) => {
    for (const { key, bytes } of changes) {
      if (!key.endsWith('/goners.test.windlass.dev')) continue
      if (conditionsOf(JSON.parse(bytes.toString('utf8')) as Seen)['Established'] === 'True') found.push(look())
    }
  })
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  assert.deepEqual(await Promise.all(found), [true])
})

test('V1 a definition whose names are taken waits, and gets them when they are free', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  const rival = aDefinition({ kind: 'Goner' })
  const names = { plural: 'rivals', singular: 'rival', kind: 'Goner', listKind: 'RivalList' }
  const competing = { ...rival, metadata: { name: 'rivals.test.windlass.dev' }, spec: { ...(rival['spec'] as object), names } }
  await server.create(urls.definitions, competing)
  await server.clock.advance(1_000)
  assert.equal(conditionsOf(await server.get(urls.definition('rivals.test.windlass.dev')))['NamesAccepted'], 'False')
  await server.remove(definition)
  await server.clock.advance(1_000)
  assert.deepEqual(conditionsOf(await server.get(urls.definition('rivals.test.windlass.dev'))), {
    NamesAccepted: 'True',
    Established: 'True',
  })
})

test('V2 the objects of a definition go before it', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  await server.create(goners, aGoner('a'))
  const marked = await server.remove(definition)
  assert.deepEqual(marked.metadata.finalizers, ['customresourcecleanup.apiextensions.k8s.io'])
  await server.settle()
  assert.equal((await server.refused('GET', definition)).code, 404)
  assert.deepEqual([...server.api.store.scan('root/test.windlass.dev/goners/')], [])
})

test('V2 more objects than one step takes go with their definition', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  await server.createAll(
    goners,
    Array.from({ length: 600 }, (_, index) => aGoner(`g-${index}`)),
  )
  await server.remove(definition)
  await server.settle()
  assert.equal((await server.refused('GET', definition)).code, 404)
})

test('V2 an object with a finalizer holds its definition until the finalizer goes', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  await server.create(goners, aGoner('held', { finalizers: ['test.windlass.dev/hold'] }))
  await server.remove(definition)
  await server.settle()
  assert.equal(conditionsOf(await server.get(definition))['Terminating'], 'True')
  await server.merge(`${goners}/held`, { metadata: { finalizers: null } })
  await server.clock.advance(1_000)
  assert.equal((await server.refused('GET', definition)).code, 404)
})

test('V2 nothing new is created of a kind that is on its way out', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  await server.create(goners, aGoner('held', { finalizers: ['test.windlass.dev/hold'] }))
  await server.remove(definition)
  await server.settle()
  const status = await server.refused('POST', goners, aGoner('late'))
  assert.equal(status.code, 405)
  assert.equal(status.message, 'create not allowed while custom resource definition is terminating')
})

test('V2 a definition can be made again, without the objects of before', async () => {
  await using server = await startTestServer()
  for (const name of ['a', 'b']) {
    await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
    await server.clock.advance(1_000)
    assert.deepEqual(await server.names(goners), [])
    await server.create(goners, aGoner(name))
    await server.remove(definition)
    await server.settle()
  }
})

test('V17 a new schema holds for the next request, and stored objects are read as it says', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner', spec: { size: { type: 'integer' }, old: { type: 'string' } } }))
  await server.clock.advance(1_000)
  await server.create(goners, { ...aGoner('a'), spec: { size: 1, old: 'yes' } })
  const read = await server.get(definition)
  const { revision } = server
  const spec = aDefinition({ kind: 'Goner', spec: { size: { type: 'integer', maximum: 5 }, color: { type: 'string', default: 'red' } } })[
    'spec'
  ]
  await server.replace(definition, { ...read, spec })
  assert.deepEqual((await server.get(`${goners}/a`)).spec, { size: 1, color: 'red' })
  assert.deepEqual((await server.get(goners)).items[0]?.spec, { size: 1, color: 'red' })
  assert.equal((await server.refused('POST', goners, { ...aGoner('b'), spec: { size: 6 } })).code, 422)
  assert.equal((await server.get(`${goners}/a`)).metadata.resourceVersion <= String(revision), true)
})

test('a server that stops while a definition settles stops at once, and the next one goes on', async () => {
  const server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.api.stop()
})
