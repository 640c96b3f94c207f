import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aNamespace, aWidget, startTestServer, urls } from '../testing/index.ts'

const hold = { finalizers: ['test.windlass.dev/hold'] }

test('L1 without finalizers an object is removed at once, and the answer is a Status that names it', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a'))
  const answer = await server.send('DELETE', urls.widget('a'))
  assert.equal(answer.status, 200)
  assert.deepEqual(JSON.parse(answer.text), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'a', group: 'test.windlass.dev', kind: 'widgets', uid: metadata.uid },
  })
  assert.equal((await server.refused('GET', urls.widget('a'))).code, 404)
})

test('L1 the deletion of a ServiceAccount answers the object', async () => {
  await using server = await startTestServer()
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await server.create(accounts, { metadata: { name: 'a' } })
  assert.equal((await server.remove(`${accounts}/a`)).kind, 'ServiceAccount')
})

test('L1 the deletion of a missing object is 404', async () => {
  await using server = await startTestServer()
  const status = await server.refused('DELETE', urls.widget('a'))
  assert.equal(status.code, 404)
  assert.equal(status.message, 'widgets.test.windlass.dev "a" not found')
})

test('L2 with a finalizer the object is marked and stays', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, hold))
  await server.clock.advance(5_000)
  const { kind, metadata } = await server.remove(urls.widget('a'))
  assert.equal(kind, 'Widget')
  assert.equal(metadata.deletionTimestamp, '2026-01-01T01:00:05Z')
  assert.equal(metadata.deletionGracePeriodSeconds, 0)
  assert.equal(metadata.generation, 2)
  assert.deepEqual(await server.names(urls.widgets()), ['a'])
})

test('L2 a second DELETE changes nothing', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, hold))
  const marked = await server.remove(urls.widget('a'))
  await server.clock.advance(5_000)
  assert.deepEqual(await server.remove(urls.widget('a')), marked)
  assert.equal(String(server.revision), marked.metadata.resourceVersion)
})

test('L4 a create under a name that is still being deleted is 409', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, hold))
  await server.remove(urls.widget('a'))
  const status = await server.refused('POST', urls.widgets(), aWidget('a'))
  assert.equal(status.code, 409)
  assert.equal(status.message, 'object is being deleted: widgets.test.windlass.dev "a" already exists')
})

test('L5 a uid or resourceVersion that is not the object’s is 409, naming the Kind', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a'))
  const byUid = await server.refused('DELETE', urls.widget('a'), { preconditions: { uid: 'other' } })
  assert.equal(byUid.code, 409)
  assert.equal(
    byUid.message,
    `Operation cannot be fulfilled on Widget.test.windlass.dev "a": the UID in the precondition (other) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
  )
  assert.equal(byUid.details?.kind, 'Widget')
  const byRevision = await server.refused('DELETE', urls.widget('a'), { preconditions: { resourceVersion: '7' } })
  assert.equal(byRevision.code, 409)
  await server.remove(urls.widget('a'), { preconditions: { uid: metadata.uid, resourceVersion: metadata.resourceVersion } })
})

test('L5 X8 a dry run deletes nothing', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a'))
  const { revision } = server
  await server.remove(`${urls.widget('a')}?dryRun=All`)
  await server.remove(urls.widget('a'), { dryRun: ['All'] })
  assert.equal(server.revision, revision)
})

test('L6 Foreground and Orphan leave their finalizer, Background takes both away', async () => {
  await using server = await startTestServer()
  for (const [name, policy, finalizers] of [
    ['a', 'Foreground', [...hold.finalizers, 'foregroundDeletion']],
    ['b', 'Orphan', [...hold.finalizers, 'orphan']],
    ['c', 'Background', hold.finalizers],
  ] as const) {
    await server.create(urls.widgets(), aWidget(name, {}, hold))
    const { metadata } = await server.remove(urls.widget(name), { propagationPolicy: policy })
    assert.deepEqual(metadata.finalizers, finalizers)
  }
  await server.create(urls.widgets(), aWidget('d', {}, { finalizers: [...hold.finalizers, 'foregroundDeletion'] }))
  const { metadata } = await server.remove(urls.widget('d'), { propagationPolicy: 'Background' })
  assert.deepEqual(metadata.finalizers, hold.finalizers)
})

test('L7 the deletion of a collection deletes what it lists and answers that list', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('other'))
  await server.create(urls.widgets(), aWidget('a', {}, { labels: { go: '1' } }))
  await server.create(urls.widgets(), aWidget('b'))
  await server.create(urls.widgets(), aWidget('c', {}, { ...hold, labels: { go: '1' } }))
  await server.create(urls.widgets('other'), aWidget('a', {}, { labels: { go: '1' } }))
  const list = await server.remove(`${urls.widgets()}?labelSelector=go`)
  assert.equal(list.kind, 'WidgetList')
  assert.deepEqual(
    list.items.map(({ metadata }) => metadata.name),
    ['a', 'c'],
  )
  assert.deepEqual(await server.names(urls.widgets()), ['b', 'c'])
  assert.ok((await server.get(urls.widget('c'))).metadata.deletionTimestamp !== undefined)
  assert.deepEqual(await server.names(urls.widgets('other')), ['a'])
})

test('L7 the deletion of a collection across namespaces is not offered', async () => {
  await using server = await startTestServer()
  assert.equal((await server.send('DELETE', '/api/v1/configmaps')).status, 405)
  assert.equal((await server.send('DELETE', urls.allWidgets)).status, 404)
})

test('L7 W1 a watch sees a collection go object by object', async () => {
  await using server = await startTestServer()
  for (const name of ['a', 'b']) await server.create(urls.configMaps(), aConfigMap(name))
  const watch = await server.watch(`${urls.configMaps()}?resourceVersion=${server.revision}`)
  await server.remove(urls.configMaps())
  assert.deepEqual(watch.summary, ['DELETED a', 'DELETED b'])
  assert.equal(new Set(watch.revisions).size, 2)
})
