import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aWidget, startTestServer, urls } from '../testing/index.ts'

const as = (type: string): { readonly 'content-type': string } => ({ 'content-type': `application/${type}` })
const json = as('json-patch+json')
const merge = as('merge-patch+json')
const strategic = as('strategic-merge-patch+json')

test('X4 JSON, merge and apply patches work on custom resources, strategic ones on built-in kinds', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  await server.create(urls.configMaps(), aConfigMap('a', { k: 'v' }))
  const operations = [{ op: 'replace', path: '/spec/replicas', value: 2 }]
  assert.equal((await server.send('PATCH', urls.widget('a'), operations, json)).body.spec['replicas'], 2)
  assert.equal((await server.send('PATCH', urls.widget('a'), { spec: { replicas: 3 } }, merge)).body.spec['replicas'], 3)
  const applied = await server.send('PATCH', `${urls.widget('a')}?fieldManager=me`, aWidget('a', { color: 'red' }), as('apply-patch+yaml'))
  assert.deepEqual(applied.body.spec, { replicas: 3, color: 'red' })
  const data = await server.send('PATCH', urls.configMap('a'), { data: { k: null, l: 'w' } }, strategic)
  assert.deepEqual(data.body.data, { l: 'w' })
})

test('X4 a strategic patch of a custom resource, and an unknown type, are 415 with the types that work', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  for (const type of [strategic, as('x-patch')]) {
    const status = await server.refused('PATCH', urls.widget('a'), {}, type)
    assert.equal(status.code, 415)
    assert.equal(status.reason, 'UnsupportedMediaType')
    assert.match(
      status.message,
      /accepted media types include: application\/json-patch\+json, application\/merge-patch\+json, application\/apply-patch\+yaml/,
    )
  }
})

test('X4 a failed test and a bad path are 422', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  for (const operation of [
    { op: 'test', path: '/spec/replicas', value: 7 },
    { op: 'replace', path: '/spec/nothing/here', value: 7 },
  ]) {
    const status = await server.refused('PATCH', urls.widget('a'), [operation], json)
    assert.equal(status.code, 422)
    assert.equal(status.message, 'the server rejected our request due to an error in our request')
  }
})

test('X4 more than 10,000 operations are 413', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const operations = (count: number): unknown => Array.from({ length: count }, () => ({ op: 'test', path: '/spec/replicas', value: 1 }))
  const status = await server.refused('PATCH', urls.widget('a'), operations(10_001), json)
  assert.equal(status.code, 413)
  assert.equal(status.reason, 'RequestEntityTooLarge')
  assert.equal((await server.send('PATCH', urls.widget('a'), operations(10_000), json)).status, 200)
})

test('X4 a patch of a missing object is 404', async () => {
  await using server = await startTestServer()
  assert.equal((await server.refused('PATCH', urls.widget('a'), {})).code, 404)
})

test('X5 fifty patches of different keys at once all land', async () => {
  await using server = await startTestServer()
  await server.create(urls.configMaps(), aConfigMap('a'))
  const keys = Array.from({ length: 50 }, (_, index) => `k${index}`)
  await Promise.all(keys.map((key) => server.merge(urls.configMap('a'), { data: { [key]: 'v' } })))
  const { data } = await server.get(urls.configMap('a'))
  assert.deepEqual(Object.keys(data).toSorted(), keys.toSorted())
})

test('X5 a patch with a stale resourceVersion conflicts, one with the current passes', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a'))
  const patch = { metadata: { resourceVersion: metadata.resourceVersion }, spec: { replicas: 2 } }
  assert.equal((await server.merge(urls.widget('a'), patch)).spec['replicas'], 2)
  const status = await server.refused('PATCH', urls.widget('a'), { ...patch, spec: { replicas: 3 } })
  assert.equal(status.code, 409)
  assert.equal(status.reason, 'Conflict')
})

test('O9 a patch cannot change apiVersion or kind', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  for (const patch of [{ kind: 'Gadget' }, { apiVersion: 'test.windlass.dev/v2' }]) {
    assert.equal((await server.refused('PATCH', urls.widget('a'), patch)).code, 422)
  }
})

test('O13 an integer beyond 2^53 survives a patch elsewhere', async () => {
  await using server = await startTestServer()
  const body = '{"apiVersion":"test.windlass.dev/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"big":9007199254740993}}'
  assert.equal((await server.send('POST', urls.widgets(), body)).status, 201)
  const patched = await server.send('PATCH', urls.widget('a'), { spec: { replicas: 2 } }, merge)
  assert.match(patched.text, /"big":9007199254740993[,}]/)
})

test('X9 an unknown field in a patch is 422 when asked to be strict, a warning otherwise', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const status = await server.refused('PATCH', `${urls.widget('a')}?fieldValidation=Strict`, { spec: { foo: 1 } })
  assert.equal(status.code, 422)
  assert.match(status.message, /^ "" is invalid: patch: Invalid value: .*: strict decoding error: unknown field "spec.foo"$/)
  const warned = await server.send('PATCH', urls.widget('a'), { spec: { foo: 1 } }, merge)
  assert.deepEqual(warned.headers['warning'], ['299 - "unknown field \\"spec.foo\\""'])
})
