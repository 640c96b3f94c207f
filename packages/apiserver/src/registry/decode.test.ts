import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aWidget, startTestServer, urls } from '../testing/index.ts'

test('O9 the name in the body must be the one of the URL', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a'))
  const body = aWidget('b', {}, { resourceVersion: metadata.resourceVersion })
  const status = await server.refused('PUT', urls.widget('a'), body)
  assert.equal(status.code, 400)
  assert.equal(status.message, 'the name of the object (b) does not match the name on the URL (a)')
})

test('O9 the namespace in the body must be the one of the URL, and may be absent', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', urls.widgets(), aWidget('a', {}, { namespace: 'elsewhere' }))
  assert.equal(status.code, 400)
  assert.equal(status.message, 'the namespace of the provided object does not match the namespace sent on the request')
  assert.equal((await server.create(urls.widgets(), aWidget('a'))).metadata.namespace, 'default')
})

test('O9 a namespace on a cluster-wide object is dropped', async () => {
  await using server = await startTestServer()
  const gadget = { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'a', namespace: 'default' } }
  assert.equal((await server.create(urls.gadgets, gadget)).metadata.namespace, undefined)
})

test('O9 another apiVersion than the URL is 400', async () => {
  await using server = await startTestServer()
  const status = await server.refused('POST', urls.widgets(), { ...aWidget('a'), apiVersion: 'test.windlass.dev/v2' })
  assert.equal(status.code, 400)
  assert.equal(
    status.message,
    'the API version in the data (test.windlass.dev/v2) does not match the expected API version (test.windlass.dev/v1)',
  )
})

test('O9 another kind than the URL is 422 for custom resources and 400 for built-in kinds', async () => {
  await using server = await startTestServer()
  const custom = await server.refused('POST', urls.widgets(), { ...aWidget('a'), kind: 'Gadget' })
  assert.equal(custom.code, 422)
  assert.equal(custom.message, 'Gadget.test.windlass.dev "a" is invalid: kind: Invalid value: "Gadget": must be Widget')
  const builtin = await server.refused('POST', urls.configMaps(), { ...aConfigMap('a'), kind: 'Secret' })
  assert.equal(builtin.code, 400)
  assert.equal(
    builtin.message,
    'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
  )
})

test('O9 built-in kinds may leave out apiVersion and kind, custom resources may not', async () => {
  await using server = await startTestServer()
  const map = await server.create(urls.configMaps(), { metadata: { name: 'a' } })
  assert.deepEqual([map.apiVersion, map.kind], ['v1', 'ConfigMap'])
  assert.equal((await server.refused('POST', urls.widgets(), { metadata: { name: 'a' } })).code, 400)
})

test('X9 Strict refuses unknown and repeated fields, all of them at once', async () => {
  await using server = await startTestServer()
  const body = '{"apiVersion":"test.windlass.dev/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"foo":1,"replicas":1,"replicas":2}}'
  const status = await server.refused('POST', `${urls.widgets()}?fieldValidation=Strict`, body)
  assert.equal(status.code, 400)
  assert.equal(
    status.message,
    'Widget in version "v1" cannot be handled as a Widget: strict decoding error: duplicate field "spec.replicas", unknown field "spec.foo"',
  )
})

test('X9 Warn is the default: one warning each, and the field is dropped', async () => {
  await using server = await startTestServer()
  const answer = await server.send('POST', urls.widgets(), aWidget('a', { foo: 1, bar: 2 }))
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.headers['warning'], ['299 - "unknown field \\"spec.bar\\""', '299 - "unknown field \\"spec.foo\\""'])
  assert.deepEqual(answer.body.spec, {})
})

test('X9 Ignore drops the field in silence', async () => {
  await using server = await startTestServer()
  const answer = await server.send('POST', `${urls.widgets()}?fieldValidation=Ignore`, aWidget('a', { foo: 1 }))
  assert.equal(answer.headers['warning'], undefined)
  assert.deepEqual(answer.body.spec, {})
})

test('C5 a body in YAML is read as YAML 1.1', async () => {
  await using server = await startTestServer()
  const yaml = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: a\ndata:\n  answer: "yes"\n'
  const answer = await server.send('POST', urls.configMaps(), yaml, { 'content-type': 'application/yaml' })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body.data, { answer: 'yes' })
  const mistaken = await server.send('POST', urls.configMaps(), yaml.replace('"yes"', 'yes'), { 'content-type': 'application/yaml' })
  assert.equal(mistaken.status, 400)
})
