import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Event, Namespace } from '@windlass/api'
import { admin, startTestServer, type TestServer, urls } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { type Client, createClient } from '../client/index.ts'
import { silentLog } from '../log.ts'
import { inProcessTransport } from '../transport/in-process.ts'
import { type BackgroundRecorder, createEventRecorder } from './index.ts'

function setUp(server: TestServer): { client: Client; recorder: BackgroundRecorder; stop: () => Promise<void> } {
  const { clock } = server
  const random = seededRandom('recorder')
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock, random, fieldManager: 'test', userAgent: 'test' })
  const recorder = createEventRecorder({ client, clock, random, log: silentLog, controller: 'windlass.dev/test', instance: 'windlass-0' })
  const stop = new AbortController()
  const ended = recorder.run(stop.signal)
  return { client, recorder, stop: () => (stop.abort(new Error('stop')), ended) }
}

async function eventsIn(client: Client, namespace: string): Promise<readonly Event[]> {
  const events: Event[] = []
  for await (const event of client.list(Event, { namespace })) events.push(event)
  return events
}

describe('events on the embedded server', () => {
  it('N18 the server takes them, and kubectl finds them by the object', async () => {
    await using server = await startTestServer()
    const { client, recorder, stop } = setUp(server)
    const map = await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'settings' }, data: {} })
    const space = await client.get(Namespace, { name: 'default' })
    recorder.record({ regarding: map, related: space, type: 'Warning', reason: 'Stalled', action: 'Checking', note: '€'.repeat(1000) })
    recorder.record({ regarding: space, type: 'Normal', reason: 'Ready', action: 'Checking', note: 'all is well' })
    await server.clock.advance(10)
    const events = await eventsIn(client, 'default')
    assert.deepEqual(events.map(({ reason }) => reason).toSorted(), ['Ready', 'Stalled'])
    const described = await server.get(
      `${urls.events()}?fieldSelector=involvedObject.uid=${map.metadata.uid ?? ''},involvedObject.kind=ConfigMap`,
    )
    assert.equal(described.items.length, 1)
    assert.deepEqual(recorder.counts, { sent: 2, dropped: 0, failed: 0 })
    await stop()
  })

  it('N18 what happens again is one event with a count, until it is over', async () => {
    await using server = await startTestServer()
    const { client, recorder, stop } = setUp(server)
    const map = await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'settings' }, data: {} })
    for (let times = 0; times < 100; times++) {
      recorder.record({ regarding: map, type: 'Warning', reason: 'Stalled', note: 'waits for a node' })
      await server.clock.advance(5000)
    }
    await stop()
    const events = await eventsIn(client, 'default')
    assert.equal(events.length, 1)
    assert.equal(events[0]?.series?.count, 100)
    assert.equal(events[0]?.series?.lastObservedTime, '2026-01-01T01:08:15.000000Z')
    assert.deepEqual(recorder.counts.failed, 0)
  })

  it('N18 an event that the server has let expire comes back when it happens again', async () => {
    await using server = await startTestServer()
    const { client, recorder, stop } = setUp(server)
    const map = await client.create(ConfigMap, { metadata: { namespace: 'default', name: 'settings' }, data: {} })
    const record = (): void => recorder.record({ regarding: map, type: 'Normal', reason: 'Ticked', note: 'again' })
    record()
    await server.clock.advance(1000)
    await client.deleteCollection(Event, { namespace: 'default' })
    record()
    await server.clock.advance(10_000)
    const events = await eventsIn(client, 'default')
    assert.deepEqual(
      events.map(({ series }) => series?.count),
      [2],
    )
    await stop()
  })

  it('N18 an object in a namespace that goes away costs one refusal', async () => {
    await using server = await startTestServer()
    const { client, recorder, stop } = setUp(server)
    recorder.record({
      regarding: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'nowhere', name: 'settings' } },
      type: 'Normal',
      reason: 'Gone',
      note: 'n',
    })
    await server.clock.advance(10_000)
    assert.deepEqual(recorder.counts, { sent: 0, dropped: 0, failed: 1 })
    assert.equal((await eventsIn(client, 'default')).length, 0)
    await stop()
  })
})
