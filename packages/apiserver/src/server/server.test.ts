import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AdmissionPlugin } from '../registry/admission.ts'
import { aConfigMap, anEvent, aWidget, startTestServer, urls, userNamed } from '../testing/index.ts'

test('T5 every answer has an Audit-Id, is not to be cached, and says what it is', async () => {
  await using server = await startTestServer()
  for (const url of [urls.widgets(), urls.widget('missing'), '/version']) {
    const { headers } = await server.send('GET', url)
    assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/)
    assert.equal(headers['cache-control'], 'no-cache, private')
    assert.equal(headers['content-type'], 'application/json')
  }
})

test('T5 the Audit-Id of the client is kept', async () => {
  await using server = await startTestServer()
  const { headers } = await server.send('GET', urls.widgets(), undefined, { 'audit-id': 'mine' })
  assert.equal(headers['audit-id'], 'mine')
})

test('T7 a timeout that is no duration is 400, any other is accepted', async () => {
  await using server = await startTestServer()
  const status = await server.refused('GET', `${urls.namespaces}?timeout=xyz`)
  assert.equal(status.code, 400)
  assert.match(status.message, /^invalid timeout specified in the request URL/)
  for (const timeout of ['32s', '90s', '-5s', '1h30m'])
    assert.equal((await server.send('GET', `${urls.namespaces}?timeout=${timeout}`)).status, 200)
})

test('T8 a server that drains says so in /readyz and ends its watches, while running writes finish', async () => {
  const server = await startTestServer()
  const watch = await server.watch(urls.widgets())
  assert.equal((await server.send('GET', '/readyz')).text, 'ok')
  const writing = server.send('POST', urls.widgets(), aWidget('a'))
  server.api.drain()
  const ready = await server.send('GET', '/readyz')
  assert.equal(ready.status, 500)
  assert.match(ready.text, /\[-\]shutdown failed: the server is stopping/)
  assert.equal((await server.send('GET', '/livez')).status, 200)
  assert.equal(watch.isEnded, true)
  assert.equal((await writing).status, 201)
  await server.api.stop()
})

test('T8 a server that drains takes no new requests for objects: 503 with Retry-After', async () => {
  const server = await startTestServer()
  server.api.drain()
  for (const [method, url] of [
    ['GET', urls.widgets()],
    ['GET', `${urls.widgets()}?watch=true`],
    ['DELETE', urls.widget('a')],
  ] as const) {
    const answer = await server.send(method, url)
    assert.equal(answer.status, 503, `${method} ${url}`)
    assert.equal(answer.body.reason, 'ServiceUnavailable')
    assert.equal(answer.headers['retry-after'], '1')
  }
  await server.api.stop()
})

test('T8 a server that has stopped answers 503 and never throws', async () => {
  const server = await startTestServer()
  await server.api.stop()
  assert.equal((await server.send('GET', urls.widgets())).status, 503)
})

test('T8 a server that is stopped leaves no timer behind', async () => {
  const server = await startTestServer()
  await server.watch(urls.widgets())
  await server.create(urls.events(), anEvent('a'))
  await server.api.stop()
  assert.equal(server.clock.pending, 0)
})

test('X10 warnings are headers, each once', async () => {
  await using server = await startTestServer()
  const { headers } = await server.send('POST', urls.widgets(), aWidget('a', { foo: 1 }))
  assert.deepEqual(headers['warning'], ['299 - "unknown field \\"spec.foo\\""'])
})

test('X10 when warnings pass 4,096 characters in all, each is cut to 256', async () => {
  await using server = await startTestServer()
  const spec = Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`unknown-${index}-${'x'.repeat(500)}`, 1]))
  const { headers } = await server.send('POST', urls.widgets(), aWidget('a', spec))
  const warnings = headers['warning'] ?? []
  assert.equal(warnings.length, 10)
  for (const warning of warnings) assert.ok(warning.length < 300, `${warning.length}`)
})

test('12 what nobody foresaw is 500 with an id that is also in the log, and never a stack', async () => {
  const broken: AdmissionPlugin = {
    name: 'Broken',
    validate: ({ name }) => {
      if (name === 'trap') throw new TypeError('cannot read the secret thing')
    },
  }
  await using server = await startTestServer({ admission: [broken] })
  const answer = await server.send('POST', urls.configMaps(), aConfigMap('trap'))
  assert.equal(answer.status, 500)
  assert.equal(answer.body.reason, 'InternalError')
  const id = String(answer.headers['audit-id'])
  assert.equal(answer.body.message, `Internal error occurred: see the server's log for ${id}`)
  assert.deepEqual(server.problems.splice(0), [`request ${id} failed: cannot read the secret thing`])
})

test('S1 without credentials only health and version are shown', async () => {
  await using server = await startTestServer()
  const anonymous = server.as(undefined)
  for (const url of ['/livez', '/readyz', '/healthz', '/version']) assert.equal((await anonymous.send('GET', url)).status, 200, url)
  assert.equal((await anonymous.send('GET', urls.widgets())).status, 403)
})

test('S1 wrong credentials are 401 even where none would do', async () => {
  await using server = await startTestServer()
  const answer = await server.as(undefined).send('GET', '/version', undefined, { authorization: 'Bearer wrong' })
  assert.equal(answer.status, 401)
  assert.equal(answer.body.message, 'Unauthorized')
})

test('S2 who has no right is 403, with words that say which is missing', async () => {
  await using server = await startTestServer()
  const status = await server.as(userNamed('dev')).refused('GET', urls.widget('a'))
  assert.equal(status.code, 403)
  assert.equal(
    status.message,
    'widgets.test.windlass.dev "a" is forbidden: User "dev" cannot get resource "widgets" in API group "test.windlass.dev" in the namespace "default"',
  )
})

test('S4 an admin may act as somebody else, and has their rights', async () => {
  await using server = await startTestServer()
  const answer = await server.send('GET', urls.widgets(), undefined, { 'impersonate-user': 'dev' })
  assert.equal(answer.status, 403)
  assert.match(answer.body.message, /User "dev" cannot list resource "widgets"/)
})

test('S4 a user may not act as another', async () => {
  await using server = await startTestServer()
  const status = await server.as(userNamed('dev')).refused('GET', urls.widgets(), undefined, { 'impersonate-user': 'admin' })
  assert.equal(status.code, 403)
  assert.match(status.message, /cannot impersonate resource "users"/)
})

test('S3 reviews are answered and stored nowhere', async () => {
  await using server = await startTestServer()
  const { revision } = server
  const review = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SelfSubjectAccessReview',
    spec: { resourceAttributes: { verb: 'list', group: 'test.windlass.dev', resource: 'widgets' } },
  }
  const allowed = await server.create('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', review)
  assert.equal(allowed.status['allowed'], true)
  assert.equal(server.revision, revision)
  assert.equal((await server.send('GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews')).status, 405)
})

test('T10 people get indented answers', async () => {
  await using server = await startTestServer()
  const { text } = await server.send('GET', `${urls.widgets()}?pretty=true`)
  assert.match(text, /\n {2}"kind": "WidgetList"/)
})

test('W7 history can be compacted from outside, by who may do it in the root', async () => {
  await using server = await startTestServer()
  assert.equal((await server.as(userNamed('dev')).send('POST', '/windlass/compact')).status, 403)
  assert.equal((await server.send('POST', '/windlass/compact')).status, 200)
  assert.equal(server.api.store.compacted(), server.revision)
})
