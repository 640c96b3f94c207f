import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aWidget, startTestServer, urls } from '../testing/index.ts'

test('D10 metrics have the names that dashboards for Kubernetes know', async () => {
  await using server = await startTestServer()
  await server.get(urls.widgets())
  const { text, headers } = await server.send('GET', '/metrics')
  assert.match(String(headers['content-type']), /^text\/plain/)
  for (const name of [
    'apiserver_request_total',
    'apiserver_request_duration_seconds',
    'apiserver_current_inflight_requests',
    'apiserver_longrunning_requests',
    'apiserver_storage_objects',
    'apiserver_watch_events_total',
  ]) {
    assert.match(text, new RegExp(`^# TYPE ${name} `, 'm'))
  }
})

test('D10 requests are counted by what they did and how they ended', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  await server.get(urls.widget('a'))
  await server.send('GET', urls.widget('missing'))
  const { text } = await server.send('GET', '/metrics')
  const line = (verb: string, code: number, scope: string): string =>
    `apiserver_request_total{verb="${verb}",group="test.windlass.dev",version="v1",resource="widgets",subresource="",scope="${scope}",code="${code}"} 1`
  assert.ok(text.includes(line('GET', 200, 'resource')), text)
  assert.ok(text.includes(line('GET', 404, 'resource')))
  assert.ok(text.includes(line('CREATE', 201, 'namespace')) || text.includes(line('POST', 201, 'namespace')))
})

test('D10 objects, open watches and delivered events are shown as they are', async () => {
  await using server = await startTestServer()
  await server.watch(`${urls.widgets()}?resourceVersion=${server.revision}`)
  await server.create(urls.widgets(), aWidget('a'))
  const { text } = await server.send('GET', '/metrics')
  assert.match(text, /^apiserver_storage_objects\{resource="widgets.test.windlass.dev"\} 1$/m)
  assert.match(text, /^apiserver_longrunning_requests(\{.*\})? 1$/m)
  assert.match(text, /^apiserver_watch_events_total(\{.*\})? 1$/m)
})
