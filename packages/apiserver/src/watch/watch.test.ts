import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aNamespace, aWidget, type Client, Inbox, startTestServer, urls } from '../testing/index.ts'

const since = (url: string, revision: number | string): string => `${url}${url.includes('?') ? '&' : '?'}resourceVersion=${revision}`
const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan'

async function liveACreatedChangedDeleted(client: Client): Promise<readonly number[]> {
  const created = await client.create(urls.widgets(), aWidget('a'))
  const changed = await client.merge(urls.widget('a'), { spec: { replicas: 2 } })
  await client.remove(urls.widget('a'))
  return [created, changed].map(({ metadata }) => Number(metadata.resourceVersion))
}

test('W1 create, change and delete arrive in order, each under its revision', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(since(urls.widgets(), server.revision))
  const [created = 0, changed = 0] = await liveACreatedChangedDeleted(server)
  assert.deepEqual(watch.summary, ['ADDED a', 'MODIFIED a', 'DELETED a'])
  assert.deepEqual(watch.revisions, [created, changed, server.revision])
})

test('W1 the object of a deletion is its last state under the revision of the deletion', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(since(urls.widgets(), server.revision))
  await liveACreatedChangedDeleted(server)
  const deleted = watch.events.at(-1)?.object
  assert.equal(deleted?.spec['replicas'], 2)
  assert.equal(deleted?.metadata.resourceVersion, String(server.revision))
})

test('W1 a watch of a namespace sees that namespace, one of the collection sees all', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('other'))
  const here = await server.watch(since(urls.widgets(), server.revision))
  const everywhere = await server.watch(since(urls.allWidgets, server.revision))
  await server.create(urls.widgets('other'), aWidget('b'))
  await server.create(urls.widgets(), aWidget('a'))
  assert.deepEqual(here.summary, ['ADDED a'])
  assert.deepEqual(everywhere.summary, ['ADDED b', 'ADDED a'])
})

test('W1 a namespace whose name begins like another does not see into it', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  await server.create(urls.namespaces, aNamespace('team-b'))
  const watch = await server.watch(since(urls.widgets('team'), server.revision))
  await server.create(urls.widgets('team-b'), aWidget('b'))
  assert.deepEqual(watch.summary, [])
})

test('R1 W1 without a revision, and at revision 0, the present state comes first', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  for (const url of [urls.widgets(), since(urls.widgets(), 0)]) {
    const watch = await server.watch(url)
    await server.settle()
    assert.deepEqual(watch.summary, ['ADDED a'])
    watch.leave()
  }
})

test('W2 entering a selection is ADDED, staying MODIFIED, leaving DELETED', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const watch = await server.watch(since(`${urls.widgets()}?labelSelector=on`, server.revision))
  await server.merge(urls.widget('a'), { spec: { replicas: 2 } })
  await server.merge(urls.widget('a'), { metadata: { labels: { on: '1' } } })
  await server.merge(urls.widget('a'), { spec: { replicas: 3 } })
  await server.merge(urls.widget('a'), { metadata: { labels: { on: null } }, spec: { replicas: 4 } })
  assert.deepEqual(watch.summary, ['ADDED a', 'MODIFIED a', 'DELETED a'])
})

test('W2 an object that leaves a selection is shown as it was, under the revision at which it left', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', { replicas: 3 }, { labels: { on: '1' } }))
  const watch = await server.watch(since(`${urls.widgets()}?labelSelector=on`, server.revision))
  const left = await server.merge(urls.widget('a'), { metadata: { labels: { on: null } }, spec: { replicas: 4 } })
  const [event] = watch.events
  assert.equal(event?.type, 'DELETED')
  assert.deepEqual(event?.object.metadata.labels, { on: '1' })
  assert.equal(event?.object.spec['replicas'], 3)
  assert.equal(event?.object.metadata.resourceVersion, left.metadata.resourceVersion)
})

test('W2 an object that never matches is never seen, not even its deletion', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(since(`${urls.widgets()}?labelSelector=on`, server.revision))
  await liveACreatedChangedDeleted(server)
  assert.deepEqual(watch.summary, [])
})

test('W2 selectors on fields enter and leave in the same way, also when the past is replayed', async () => {
  await using server = await startTestServer()
  const start = server.revision
  await server.create(urls.widgets(), aWidget('a', { color: 'blue' }))
  await server.merge(urls.widget('a'), { spec: { color: 'red' } })
  await server.merge(urls.widget('a'), { spec: { color: 'green' } })
  const watch = await server.watch(since(`${urls.widgets()}?fieldSelector=spec.color%3Dred`, start))
  await server.settle()
  assert.deepEqual(watch.summary, ['ADDED a', 'DELETED a'])
})

test('W3 a watch from an old revision delivers everything since, once', async () => {
  await using server = await startTestServer()
  const start = server.revision
  await liveACreatedChangedDeleted(server)
  const watch = await server.watch(since(urls.widgets(), start))
  await server.create(urls.widgets(), aWidget('b'))
  await server.settle()
  assert.deepEqual(watch.summary, ['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b'])
})

test('W3 a watch that is resumed after every event misses and repeats nothing', async () => {
  await using server = await startTestServer()
  const whole = await server.watch(since(urls.allWidgets, server.revision))
  let last = server.revision
  const seen: string[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    await server.create(urls.widgets(), aWidget(name))
    await server.merge(urls.widget(name), { spec: { replicas: 5 } })
    const part = await server.watch(since(urls.allWidgets, last))
    await server.settle()
    part.leave()
    seen.push(...part.summary)
    last = part.revisions.at(-1) ?? last
  }
  assert.deepEqual(seen, whole.summary)
})

test('W3 all watches see the same order, however the writes came in', async () => {
  await using server = await startTestServer()
  const early = await server.watch(since(urls.widgets(), server.revision))
  await Promise.all(['c', 'a', 'b'].map((name) => server.create(urls.widgets(), aWidget(name))))
  const late = await server.watch(since(urls.widgets(), Number(early.revisions[0]) - 1))
  await Promise.all(['b', 'c', 'a'].map((name) => server.merge(urls.widget(name), { spec: { replicas: 7 } })))
  await server.settle()
  assert.deepEqual(late.lines, early.lines)
  assert.deepEqual(
    early.revisions,
    early.revisions.toSorted((a, b) => a - b),
  )
  assert.equal(early.lines.length, 6)
})

test('W5 sendInitialEvents: the state, then a marked bookmark with its revision, then what happens', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  await server.create(urls.widgets(), aWidget('b'))
  const watch = await server.watch(`${urls.widgets()}?${initial}&allowWatchBookmarks=true`)
  await server.settle()
  const { revision } = server
  await server.create(urls.widgets(), aWidget('c'))
  assert.deepEqual(watch.summary, ['ADDED a', 'ADDED b', 'BOOKMARK', 'ADDED c'])
  const bookmark = watch.events[2]?.object
  assert.equal(bookmark?.kind, 'Widget')
  assert.equal(bookmark?.apiVersion, 'test.windlass.dev/v1')
  assert.equal(bookmark?.metadata.resourceVersion, String(revision))
  assert.deepEqual(bookmark?.metadata.annotations, { 'k8s.io/initial-events-end': 'true' })
})

test('W5 without bookmarks allowed there is no mark', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const watch = await server.watch(`${urls.widgets()}?${initial}`)
  await server.settle()
  assert.deepEqual(watch.summary, ['ADDED a'])
})

test('W5 a plain watch from no revision or 0 that allows bookmarks gets the mark too', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  for (const revision of ['', '&resourceVersion=0']) {
    const watch = await server.watch(`${urls.widgets()}?allowWatchBookmarks=true${revision}`)
    await server.settle()
    assert.deepEqual(watch.summary, ['ADDED a', 'BOOKMARK'])
    assert.deepEqual(watch.events[1]?.object.metadata.annotations, { 'k8s.io/initial-events-end': 'true' })
  }
})

test('W5 sendInitialEvents shows only what a selector picks', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, { labels: { on: '1' } }))
  await server.create(urls.widgets(), aWidget('b'))
  const watch = await server.watch(`${urls.widgets()}?${initial}&labelSelector=on`)
  await server.settle()
  assert.deepEqual(watch.summary, ['ADDED a'])
})

test('W5 sendInitialEvents=false starts from now, or from the revision it names', async () => {
  await using server = await startTestServer()
  const start = server.revision
  await server.create(urls.widgets(), aWidget('a'))
  const quiet = 'sendInitialEvents=false&resourceVersionMatch=NotOlderThan'
  const fromNow = await server.watch(`${urls.widgets()}?${quiet}`)
  const fromZero = await server.watch(`${urls.widgets()}?${quiet}&resourceVersion=0`)
  const fromThen = await server.watch(`${urls.widgets()}?${quiet}&resourceVersion=${start}`)
  await server.create(urls.widgets(), aWidget('b'))
  await server.settle()
  assert.deepEqual(fromNow.summary, ['ADDED b'])
  assert.deepEqual(fromZero.summary, ['ADDED b'])
  assert.deepEqual(fromThen.summary, ['ADDED a', 'ADDED b'])
})

test('W5 a large state arrives whole and in order, also at a client that reads slowly', async () => {
  await using server = await startTestServer()
  const objects = Array.from({ length: 600 }, (_, index) => aConfigMap(`c-${String(index).padStart(4, '0')}`))
  await server.createAll(urls.configMaps(), objects)
  const inbox = new Inbox()
  inbox.stopReading()
  const watch = await server.watch(`${urls.configMaps()}?${initial}&allowWatchBookmarks=true`, { inbox })
  await server.settle()
  assert.ok(watch.lines.length < 600, 'it did not wait for the client')
  await server.create(urls.configMaps(), aConfigMap('c-0500a'))
  inbox.readOn()
  await server.settle()
  assert.equal(watch.lines.length, 602)
  assert.equal(watch.summary[600], 'BOOKMARK')
  assert.equal(watch.summary[601], 'ADDED c-0500a')
})

test('R2 a plain watch from a revision in the future opens and waits for it', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(since(urls.widgets(), server.revision + 2))
  await server.create(urls.widgets(), aWidget('a'))
  await server.create(urls.widgets(), aWidget('b'))
  await server.create(urls.widgets(), aWidget('c'))
  assert.deepEqual(watch.summary, ['ADDED c'])
  assert.equal(watch.isEnded, false)
})

test('R2 W5 sendInitialEvents from a revision that never comes ends after three seconds with the error as an event', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(`${urls.widgets()}?${initial}&resourceVersion=9999999`)
  await server.clock.advance(2_999)
  assert.equal(watch.isEnded, false)
  await server.clock.advance(1)
  assert.deepEqual(
    watch.events.map(({ type, object }) => [type, object.code, object.reason]),
    [['ERROR', 504, 'Timeout']],
  )
  assert.equal(watch.isEnded, true)
})

test('W6 a start that history no longer reaches is an ERROR event with a 410, and the end', async () => {
  await using server = await startTestServer()
  const start = server.revision
  await liveACreatedChangedDeleted(server)
  await server.api.compact()
  const watch = await server.watch(since(urls.widgets(), start))
  await server.settle()
  const [event, ...rest] = watch.events
  assert.equal(event?.type, 'ERROR')
  assert.equal(event?.object.kind, 'Status')
  assert.equal(event?.object.code, 410)
  assert.equal(event?.object.reason, 'Expired')
  assert.equal(event?.object.message, `too old resource version: ${start} (${server.api.store.compacted()})`)
  assert.deepEqual(rest, [])
  assert.equal(watch.isEnded, true)
})

test('W6 a watch from the compacted revision itself goes on: nothing behind it is forgotten', async () => {
  await using server = await startTestServer()
  await server.api.compact()
  const watch = await server.watch(since(urls.widgets(), server.api.store.compacted()))
  await server.create(urls.widgets(), aWidget('a'))
  assert.deepEqual(watch.summary, ['ADDED a'])
})

test('W6 an open watch is not disturbed by compaction', async () => {
  await using server = await startTestServer()
  const watch = await server.watch(since(urls.widgets(), server.revision))
  await server.create(urls.widgets(), aWidget('a'))
  await server.api.compact()
  await server.create(urls.widgets(), aWidget('b'))
  assert.deepEqual(watch.summary, ['ADDED a', 'ADDED b'])
})

test('W11 a watch of one name sees that name alone', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const watch = await server.watch(since(`${urls.widgets()}?fieldSelector=metadata.name%3Da`, server.revision))
  await server.create(urls.widgets(), aWidget('aa'))
  await server.create(urls.widgets(), aWidget('x.a'))
  await server.remove(urls.widget('a'))
  assert.deepEqual(watch.summary, ['DELETED a'])
})

test('W11 watch=true on the URL of one object is a plain get', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const widget = await server.get(`${urls.widget('a')}?watch=true`)
  assert.equal(widget.metadata.name, 'a')
})

test('W11 the old /watch/ paths watch a collection or one name', async () => {
  await using server = await startTestServer()
  const url = '/api/v1/watch/namespaces/default/configmaps'
  const all = await server.watch(since(url, server.revision))
  const one = await server.watch(since(`${url}/b`, server.revision))
  await server.create(urls.configMaps(), aConfigMap('a'))
  await server.create(urls.configMaps(), aConfigMap('b'))
  assert.deepEqual(all.summary, ['ADDED a', 'ADDED b'])
  assert.deepEqual(one.summary, ['ADDED b'])
})

test('P3 a watch of Tables names the columns in its first row only', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  await server.create(urls.widgets(), aWidget('b'))
  const watch = await server.watch(urls.widgets(), { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })
  await server.settle()
  const tables = watch.lines.map(
    (line) => JSON.parse(line).object as { kind: string; columnDefinitions: unknown[] | null; rows: unknown[] },
  )
  assert.deepEqual(
    tables.map(({ kind, rows }) => [kind, rows.length]),
    [
      ['Table', 1],
      ['Table', 1],
    ],
  )
  assert.ok((tables[0]?.columnDefinitions?.length ?? 0) > 0)
  assert.ok((tables[1]?.columnDefinitions ?? []).length === 0)
})

test('C7 a watch of metadata only sends PartialObjectMetadata', async () => {
  await using server = await startTestServer()
  const accept = { accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io' }
  const watch = await server.watch(since(urls.widgets(), server.revision), { headers: accept })
  await server.create(urls.widgets(), aWidget('a'))
  const [event] = watch.events
  assert.equal(event?.object.kind, 'PartialObjectMetadata')
  assert.equal(event?.object.metadata.name, 'a')
  assert.equal(event?.object.spec, undefined)
})
