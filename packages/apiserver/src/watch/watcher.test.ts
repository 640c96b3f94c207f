import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aDefinition, aWidget, Inbox, startTestServer, type TestServer, urls } from '../testing/index.ts'

const minute = 60_000
const bookmarked = `${urls.widgets()}?allowWatchBookmarks=true`

/** A watch of widgets from now on. */
const follow = (server: TestServer, query = '', inbox = new Inbox()): Promise<Inbox> =>
  server.watch(`${bookmarked}&resourceVersion=${server.revision}${query}`, { inbox })

/** Moves the revision without touching widgets. */
const changeElsewhere = (server: TestServer, name: string): Promise<unknown> => server.create(urls.configMaps(), aConfigMap(name))

/** A ConfigMap of just less than 1 MiB, put where ConfigMaps are: nobody has to judge it. */
function storeLarge({ api }: TestServer, name: string): Promise<unknown> {
  const data = { big: 'x'.repeat(1024 * 1024 - 4096) }
  return api.store.write((transaction) =>
    transaction.put(`root/~/configmaps/default/${name}`, (revision) =>
      Buffer.from(JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name, resourceVersion: String(revision) }, data })),
    ),
  )
}

test('W4 an idle watch hears every minute how far the world has moved', async () => {
  await using server = await startTestServer()
  const watch = await follow(server)
  await changeElsewhere(server, 'a')
  await server.clock.advance(minute - 1)
  assert.deepEqual(watch.summary, [])
  await server.clock.advance(1)
  await changeElsewhere(server, 'b')
  await server.clock.advance(minute)
  assert.deepEqual(watch.summary, ['BOOKMARK', 'BOOKMARK'])
  assert.deepEqual(watch.revisions, [server.revision - 1, server.revision])
})

test('W4 a bookmark has the kind of the watch and a revision, so that informers take it', async () => {
  await using server = await startTestServer()
  const watch = await follow(server)
  await changeElsewhere(server, 'a')
  await server.clock.advance(minute)
  const [event] = watch.events
  assert.equal(event?.object.apiVersion, 'test.windlass.dev/v1')
  assert.equal(event?.object.kind, 'Widget')
  assert.equal(event?.object.metadata.annotations, undefined)
})

test('W4 nothing new, no bookmark', async () => {
  await using server = await startTestServer()
  const watch = await follow(server)
  await server.create(urls.widgets(), aWidget('a'))
  await server.clock.advance(3 * minute)
  assert.deepEqual(watch.summary, ['ADDED a'])
})

test('W4 a client that does not ask for bookmarks gets none', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(`${urls.widgets()}?resourceVersion=${server.revision}&timeoutSeconds=120`)
  await changeElsewhere(server, 'a')
  await server.clock.advance(2 * minute)
  assert.deepEqual(watch.summary, [])
})

test('W4 W8 two seconds before its end a watch gets a last bookmark', async () => {
  await using server = await startTestServer()
  const watch = await follow(server, '&timeoutSeconds=30')
  await changeElsewhere(server, 'a')
  await server.clock.advance(27_999)
  assert.deepEqual(watch.summary, [])
  await server.clock.advance(1)
  assert.deepEqual(watch.summary, ['BOOKMARK'])
  assert.deepEqual(watch.revisions, [server.revision])
})

test('W4 every watch keeps its own time', async () => {
  await using server = await startTestServer()
  const first = await follow(server)
  await server.clock.advance(minute / 2)
  const second = await follow(server)
  await changeElsewhere(server, 'a')
  await server.clock.advance(minute / 2)
  assert.deepEqual([first.lines.length, second.lines.length], [1, 0])
  await server.clock.advance(minute / 2)
  assert.deepEqual([first.lines.length, second.lines.length], [1, 1])
})

test('W8 a watch whose time is over ends plainly: no error, the last line complete', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(`${urls.widgets()}?resourceVersion=${server.revision}&timeoutSeconds=5`)
  await server.create(urls.widgets(), aWidget('a'))
  await server.clock.advance(4_999)
  assert.equal(watch.isEnded, false)
  await server.clock.advance(1)
  assert.equal(watch.isEnded, true)
  assert.deepEqual(watch.summary, ['ADDED a'])
  assert.ok(watch.text.endsWith('}\n'))
})

test('T7 a watch without timeoutSeconds lasts between half an hour and a whole one', async () => {
  await using server = await startTestServer()
  const watches = await Promise.all(Array.from({ length: 8 }, () => server.watch(`${urls.widgets()}?resourceVersion=${server.revision}`)))
  await server.clock.advance(30 * minute - 1)
  assert.ok(watches.every(({ isEnded }) => !isEnded))
  const ends = new Set<number>()
  for (let elapsed = 0; elapsed <= 30; elapsed++) {
    ends.add(watches.filter(({ isEnded }) => isEnded).length)
    await server.clock.advance(minute)
  }
  assert.ok(watches.every(({ isEnded }) => isEnded))
  assert.ok(ends.size > 3, 'they all end at once')
})

test('W8 a watch that has ended is forgotten', async () => {
  await using server = await startTestServer()
  await follow(server, '&timeoutSeconds=5')
  assert.equal(server.api.hub.size, 1)
  await server.clock.advance(5_000)
  assert.equal(server.api.hub.size, 0)
})

test('a client that goes leaves no watcher behind', async () => {
  await using server = await startTestServer()
  const watch = await follow(server)
  assert.equal(server.api.hub.size, 1)
  watch.leave()
  await server.settle()
  assert.equal(server.api.hub.size, 0)
})

test('a client that is gone before its watch begins leaves no watcher behind', async () => {
  await using server = await startTestServer()
  for (const query of ['', `?resourceVersion=${server.revision}`]) {
    const inbox = new Inbox()
    inbox.leave()
    await server.watch(urls.widgets() + query, { inbox })
    await server.settle()
    assert.equal(server.api.hub.size, 0, query)
  }
})

test('W9 a watcher that leaves more than 8 MiB unread is ended without an error', async () => {
  await using server = await startTestServer()
  const inbox = new Inbox()
  const watch = await server.watch(`${urls.configMaps()}?resourceVersion=${server.revision}`, { inbox })
  inbox.stopReading()
  for (let index = 0; index < 8; index++) await storeLarge(server, `c-${index}`)
  assert.equal(watch.isEnded, false)
  await storeLarge(server, 'c-8')
  assert.equal(watch.isEnded, true)
  assert.ok(watch.events.every(({ type }) => type === 'ADDED'))
  await server.settle()
  assert.equal(server.api.hub.size, 0)
})

test('W9 a watcher that leaves more than 10,000 events unread is ended', async () => {
  await using server = await startTestServer()
  const inbox = new Inbox()
  const watch = await server.watch(`${urls.configMaps()}?resourceVersion=${server.revision}`, { inbox })
  inbox.stopReading()
  const { api } = server
  const put = (count: number): Promise<void> =>
    api.store.write((transaction) => {
      for (let index = 0; index < count; index++)
        transaction.put('root/~/configmaps/default/c', (revision) => Buffer.from(`{"r":${revision}}`))
    })
  await put(9_999)
  await put(1)
  assert.equal(watch.isEnded, false)
  await put(1)
  assert.equal(watch.isEnded, true)
})

test('W9 T3 a watcher that reads again in time goes on, and the others never notice', async () => {
  await using server = await startTestServer()
  const slow = await follow(server)
  const quick = await follow(server)
  slow.stopReading()
  await server.create(urls.widgets(), aWidget('a'))
  assert.deepEqual(quick.summary, ['ADDED a'])
  slow.readOn()
  await server.create(urls.widgets(), aWidget('b'))
  assert.equal(slow.isEnded, false)
  assert.deepEqual(slow.summary, ['ADDED a', 'ADDED b'])
})

test('W9 a watcher that was ended comes back from its last revision and misses nothing', async () => {
  await using server = await startTestServer()
  const inbox = new Inbox()
  const first = await server.watch(`${urls.configMaps()}?resourceVersion=${server.revision}`, { inbox })
  inbox.stopReading()
  for (let index = 0; index < 10; index++) await storeLarge(server, `c-${index}`)
  assert.equal(first.isEnded, true)
  const second = await server.watch(`${urls.configMaps()}?resourceVersion=${first.revisions.at(-1)}`)
  await server.settle()
  assert.deepEqual(
    [...first.summary, ...second.summary],
    Array.from({ length: 10 }, (_, index) => `ADDED c-${index}`),
  )
})

test('W10 deleting a CustomResourceDefinition ends its watches, and only those', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  const goners = '/apis/test.windlass.dev/v1/namespaces/default/goners'
  const gone = await server.watch(`${goners}?resourceVersion=${server.revision}`)
  const widgets = await follow(server)
  await server.create(goners, { apiVersion: 'test.windlass.dev/v1', kind: 'Goner', metadata: { name: 'a' } })
  await server.remove(urls.definition('goners.test.windlass.dev'))
  await server.settle()
  assert.deepEqual(gone.summary, ['ADDED a', 'DELETED a'])
  assert.equal(gone.isEnded, true)
  assert.equal(widgets.isEnded, false)
  assert.equal((await server.send('GET', `${goners}?watch=true`)).status, 404)
})

test('W12 one event is encoded once, and the same bytes go to all who want that form', async () => {
  await using server = await startTestServer()
  const partial = { headers: { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' } }
  const url = `${urls.widgets()}?resourceVersion=${server.revision}`
  const plain = [await server.watch(url), await server.watch(url), await server.watch(`${url}&labelSelector=on`)]
  const partials = [await server.watch(url, partial), await server.watch(url, partial)]
  await server.create(urls.widgets(), aWidget('a', {}, { labels: { on: '1' } }))
  const [first] = plain
  for (const { chunks } of plain) assert.equal(chunks[0], first?.chunks[0], 'not the same buffer')
  assert.equal(partials[1]?.chunks[0], partials[0]?.chunks[0])
  assert.notEqual(partials[0]?.chunks[0], first?.chunks[0])
})

test('W12 the events of one write group go out in one piece', async () => {
  await using server = await startTestServer()
  const watch = await follow(server)
  await Promise.all(['a', 'b', 'c'].map((name) => server.create(urls.widgets(), aWidget(name))))
  assert.equal(watch.chunks.length, 1)
  assert.equal(watch.lines.length, 3)
})

test('T8 a graceful stop ends all watches at a whole line', async () => {
  const server = await startTestServer()
  const watch = await follow(server)
  await server.create(urls.widgets(), aWidget('a'))
  server.api.drain()
  assert.equal(watch.isEnded, true)
  assert.ok(watch.text.endsWith('}\n'))
  await server.api.stop()
})
