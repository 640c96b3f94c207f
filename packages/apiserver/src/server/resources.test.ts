import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aWidget, startTestServer, urls } from '../testing/index.ts'

test('12 an unknown resource of a built-in group is a Status, of a group of custom resources or of none a page', async () => {
  await using server = await startTestServer()
  const builtin = await server.refused('GET', '/api/v1/namespaces/default/nothings')
  assert.equal(builtin.code, 404)
  assert.equal(builtin.message, 'the server could not find the requested resource')
  for (const url of ['/apis/test.windlass.dev/v1/nothings', '/apis/nobody.example.com/v1/things', '/nowhere']) {
    const answer = await server.send('GET', url)
    assert.equal(answer.status, 404, url)
    assert.equal(answer.text, '404 page not found\n', url)
  }
})

test('12 a version that is not served is 404', async () => {
  await using server = await startTestServer()
  assert.equal((await server.send('GET', '/apis/test.windlass.dev/v9/widgets')).status, 404)
})

test('12 a cluster-wide kind has no objects in namespaces, and a namespaced one none outside', async () => {
  await using server = await startTestServer()
  assert.equal((await server.send('GET', '/apis/test.windlass.dev/v1/namespaces/default/gadgets')).status, 404)
  assert.equal((await server.send('GET', `${urls.allWidgets}/a`)).status, 404)
  assert.equal((await server.send('POST', urls.allWidgets, aWidget('a'))).status, 404)
})

test('12 a method that a URL does not have is 405, a write of a whole collection 400', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const post = await server.refused('POST', urls.configMap('a'), {})
  assert.equal(post.code, 405)
  assert.equal(post.message, 'the server does not allow this method on the requested resource')
  const put = await server.refused('PUT', urls.widgets(), aWidget('a'))
  assert.equal(put.code, 400)
  assert.equal(put.message, 'name must be provided')
  assert.equal((await server.refused('PUT', urls.configMaps(), {})).code, 405)
  assert.equal((await server.refused('DELETE', `${urls.widget('a')}/status`)).code, 405)
})

test('HEAD is GET to the server: the transport drops the body', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  assert.equal((await server.send('HEAD', urls.widget('a'))).status, 200)
  assert.equal((await server.send('HEAD', urls.widget('b'))).status, 404)
})
