import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aWidget, startTestServer, urls } from '../testing/index.ts'

const scale = `${urls.widget('a')}/scale`

test('X7 the scale of a custom resource is read from its three paths', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a', { replicas: 3 }))
  const status = { replicas: 2, selector: 'app=a' }
  const { metadata: after } = await server.merge(`${urls.widget('a')}/status`, { status })
  assert.deepEqual(await server.get(scale), {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name: 'a',
      namespace: 'default',
      uid: metadata.uid,
      resourceVersion: after.resourceVersion,
      creationTimestamp: metadata.creationTimestamp,
    },
    spec: { replicas: 3 },
    status,
  })
})

test('X7 O4 a new scale changes the replicas of the object and raises its generation', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', { replicas: 3, color: 'red' }))
  assert.deepEqual((await server.merge(scale, { spec: { replicas: 4 } })).spec, { replicas: 4 })
  const { spec, metadata } = await server.get(urls.widget('a'))
  assert.deepEqual(spec, { replicas: 4, color: 'red' })
  assert.equal(metadata.generation, 2)
})

test('X7 X2 a PUT of /scale with a stale resourceVersion conflicts, one without overwrites', async () => {
  await using server = await startTestServer()
  const read = await server.create(urls.widgets(), aWidget('a', { replicas: 3 }))
  const body = (replicas: number, resourceVersion?: string): object => ({
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'a', namespace: 'default', resourceVersion },
    spec: { replicas },
  })
  await server.replace(scale, body(6, read.metadata.resourceVersion))
  assert.equal((await server.refused('PUT', scale, body(7, read.metadata.resourceVersion))).code, 409)
  await server.replace(scale, body(8))
  assert.deepEqual((await server.get(urls.widget('a'))).spec, { replicas: 8 })
})

test('X7 V15 a scale the schema forbids is refused, and reading one that has no replicas is 500', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}))
  const missing = await server.refused('GET', scale)
  assert.equal(missing.code, 500)
  assert.equal(missing.message, 'Internal error occurred: the spec replicas field ".spec.replicas" does not exist')
  const negative = await server.refused('PATCH', scale, { spec: { replicas: -1 } })
  assert.equal(negative.code, 422)
  assert.match(negative.message, /\.spec\.replicas: Invalid value: -1: should be a non-negative integer/)
})

test('X7 a scale that is set twice is written once', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', { replicas: 1 }))
  await server.merge(scale, { spec: { replicas: 3 } })
  const { revision } = server
  await server.merge(scale, { spec: { replicas: 3 } })
  assert.equal(server.revision, revision)
})

test('X7 a kind without scale or status has no such URL', async () => {
  await using server = await startTestServer()
  await server.create(urls.gadgets, { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'a' } })
  for (const subresource of ['scale', 'status', 'other']) {
    assert.equal((await server.send('GET', `${urls.gadgets}/a/${subresource}`)).status, 404)
  }
})

test('X7 a get of /status answers the whole object', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  assert.deepEqual(await server.get(`${urls.widget('a')}/status`), await server.get(urls.widget('a')))
})
