import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore, type ScanOptions, type Store } from '../storage/index.ts'
import { aConfigMap, anEvent, MortalStore, startTestServer, urls } from '../testing/index.ts'

const hour = 3_600_000
const minute = 60_000

test('L12 an Event goes an hour after its last write', async () => {
  await using server = await startTestServer()
  await server.create(urls.events(), anEvent('a'))
  await server.clock.advance(30 * minute)
  await server.create(urls.events(), anEvent('b'))
  await server.clock.advance(30 * minute - 1)
  assert.deepEqual(await server.names(urls.events()), ['a', 'b'])
  await server.clock.advance(1)
  assert.deepEqual(await server.names(urls.events()), ['b'])
  await server.clock.advance(30 * minute)
  assert.deepEqual(await server.names(urls.events()), [])
})

test('L12 an Event that is written again lives for another hour', async () => {
  await using server = await startTestServer()
  await server.create(urls.events(), anEvent('a'))
  await server.clock.advance(59 * minute)
  await server.merge(urls.events() + '/a', { count: 2 })
  await server.clock.advance(59 * minute)
  assert.deepEqual(await server.names(urls.events()), ['a'])
  await server.clock.advance(minute)
  assert.deepEqual(await server.names(urls.events()), [])
})

test('L12 an Event that was written between two milliseconds goes with the second one', async () => {
  await using server = await startTestServer()
  await server.clock.advance(0.3)
  await server.create(urls.events(), anEvent('a'))
  await server.clock.advance(hour - 0.5)
  assert.deepEqual(await server.names(urls.events()), ['a'])
  await server.clock.advance(1.5)
  assert.deepEqual(await server.names(urls.events()), [])
})

test('L12 W1 the end of an Event is seen by those who watch', async () => {
  await using server = await startTestServer()
  await server.create(urls.events(), anEvent('a'))
  const watch = await server.watch(`${urls.events()}?resourceVersion=${server.revision}&timeoutSeconds=7200`)
  await server.clock.advance(hour)
  assert.deepEqual(watch.summary, ['DELETED a'])
})

test('L12 nothing else expires', async () => {
  await using server = await startTestServer()
  await server.create(urls.configMaps(), aConfigMap('a'))
  await server.clock.advance(3 * hour)
  assert.deepEqual(await server.names(urls.configMaps()), ['a'])
})

test('L12 Events of the group events.k8s.io expire alike', async () => {
  await using server = await startTestServer()
  const events = '/apis/events.k8s.io/v1/namespaces/default/events'
  await server.create(events, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'a' },
    eventTime: '2026-01-01T01:00:00.000000Z',
    action: 'Testing',
    reason: 'Tested',
    type: 'Normal',
    reportingController: 'test.windlass.dev/tester',
    reportingInstance: 'tester-1',
    regarding: { kind: 'Namespace', name: 'default' },
  })
  await server.clock.advance(hour)
  assert.deepEqual(await server.names(events), [])
})

test('L12 an Event with a finalizer goes too: nobody waits for an Event', async () => {
  await using server = await startTestServer()
  await server.create(urls.events(), anEvent('a', { finalizers: ['test.windlass.dev/hold'] }))
  await server.clock.advance(2 * hour + minute)
  assert.deepEqual(await server.names(urls.events()), [])
})

/** Counts scans of Events while it is told to. */
class WatchedStore extends MortalStore {
  scans = 0

  override scan(prefix: string, options?: ScanOptions): ReturnType<Store['scan']> {
    if (prefix.includes('/events/') || !prefix.includes('/')) this.scans++
    return super.scan(prefix, options)
  }
}

test('L12 what is due is found by its time, without a scan of the Events', async () => {
  const store = new WatchedStore(openMemoryStore())
  await using server = await startTestServer({ store })
  await server.createAll(
    urls.events(),
    Array.from({ length: 600 }, (_, index) => anEvent(`e-${index}`)),
  )
  await server.clock.advance(minute)
  await server.create(urls.events(), anEvent('young'))
  store.scans = 0
  await server.clock.advance(hour - minute)
  assert.equal(store.scans, 0)
  assert.deepEqual(await server.names(urls.events()), ['young'])
})

test('L12 a server that starts removes what expired while it was away', async () => {
  const store = openMemoryStore()
  const mortal = new MortalStore(store)
  const before = await startTestServer({ store: mortal })
  await before.create(urls.events(), anEvent('a'))
  await before.api.stop()
  await before.clock.advance(2 * hour)
  await using after = await startTestServer({ store, clock: before.clock })
  await after.clock.advance(0)
  assert.deepEqual(await after.names(urls.events()), [])
})
