import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore, type ScanOptions, type Store } from '../storage/index.ts'
import { aNamespace, aWidget, MortalStore, startTestServer, urls } from '../testing/index.ts'

/** Counts the entries that scans of widgets read. */
class CountingStore extends MortalStore {
  scanned = 0

  override snapshot(revision: number): ReturnType<Store['snapshot']> {
    const snapshot = super.snapshot(revision)
    return {
      revision: snapshot.revision,
      get: (key) => snapshot.get(key),
      scan: (prefix, options) => this.#counted(snapshot.scan(prefix, options)),
      close: () => snapshot.close(),
    }
  }

  override scan(prefix: string, options?: ScanOptions): ReturnType<Store['scan']> {
    return this.#counted(super.scan(prefix, options))
  }

  *#counted(entries: ReturnType<Store['scan']>): ReturnType<Store['scan']> {
    for (const entry of entries) {
      if (entry.key.includes('/widgets/')) this.scanned++
      yield entry
    }
  }
}

const query = (parameter: string, text: string): string => `?${parameter}=${encodeURIComponent(text)}`
const byLabel = (selector: string): string => urls.widgets() + query('labelSelector', selector)
const byField = (selector: string): string => urls.widgets() + query('fieldSelector', selector)

test('R8 label selectors pick by value, set, existence and order', async () => {
  await using server = await startTestServer()
  await server.create(urls.widgets(), aWidget('a', {}, { labels: { zone: 'a', rank: '1' } }))
  await server.create(urls.widgets(), aWidget('b', {}, { labels: { zone: 'b', rank: '2', old: 'yes' } }))
  await server.create(urls.widgets(), aWidget('c', {}, { labels: { rank: '3' } }))
  const cases: readonly [selector: string, names: readonly string[]][] = [
    ['zone=a', ['a']],
    ['zone==b', ['b']],
    ['zone!=a', ['b', 'c']],
    ['zone in (a,b)', ['a', 'b']],
    ['zone notin (a)', ['b', 'c']],
    ['zone', ['a', 'b']],
    ['!zone', ['c']],
    ['rank>1', ['b', 'c']],
    ['rank<2', ['a']],
    ['zone in (a,b),!old', ['a']],
  ]
  for (const [selector, names] of cases) assert.deepEqual(await server.names(byLabel(selector)), names, selector)
})

test('R8 an unreadable label selector is 400', async () => {
  await using server = await startTestServer()
  const status = await server.refused('GET', byLabel('zone in (a'))
  assert.equal(status.code, 400)
  assert.match(status.message, /^unable to parse requirement: /)
})

test('R9 field selectors pick by name, namespace and the selectable fields of the kind', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('other'))
  await server.create(urls.widgets(), aWidget('a', { color: 'red' }))
  await server.create(urls.widgets(), aWidget('b', { color: 'blue' }))
  await server.create(urls.widgets('other'), aWidget('a', { color: 'red' }))
  assert.deepEqual(await server.names(byField('metadata.name=a')), ['a'])
  assert.deepEqual(await server.names(byField('metadata.name!=a')), ['b'])
  assert.deepEqual(await server.names(byField('spec.color=red')), ['a'])
  assert.deepEqual(await server.names(byField('spec.color=red,metadata.name=b')), [])
  assert.deepEqual(await server.names(byField('metadata.namespace=other')), [])
  const everywhere = (selector: string): Promise<readonly string[]> => server.names(urls.allWidgets + query('fieldSelector', selector))
  assert.deepEqual(await everywhere('metadata.namespace=other'), ['a'])
  assert.deepEqual(await everywhere('metadata.name=a'), ['a', 'a'])
})

test('R9 a field that nobody may select by is 400', async () => {
  await using server = await startTestServer()
  const custom = await server.refused('GET', byField('spec.replicas=1'))
  assert.equal(custom.code, 400)
  assert.equal(custom.message, 'field label not supported: spec.replicas')
  const builtin = await server.refused('GET', urls.configMaps() + query('fieldSelector', 'data.x=1'))
  assert.equal(builtin.message, '"data.x" is not a known field selector: only "metadata.name", "metadata.namespace"')
})

test('R10 a list of one name reads its key and scans nothing', async () => {
  const store = new CountingStore(openMemoryStore())
  await using server = await startTestServer({ store })
  for (let index = 0; index < 50; index++) await server.create(urls.widgets(), aWidget(`w-${index}`))
  store.scanned = 0
  assert.deepEqual(await server.names(byField('metadata.name=w-7')), ['w-7'])
  assert.equal(store.scanned, 0)
})

test('R10 a list of one name in all namespaces reads one key per namespace', async () => {
  const store = new CountingStore(openMemoryStore())
  await using server = await startTestServer({ store })
  await server.create(urls.namespaces, aNamespace('other'))
  for (let index = 0; index < 50; index++) await server.create(urls.widgets(), aWidget(`w-${index}`))
  await server.create(urls.widgets('other'), aWidget('w-7'))
  store.scanned = 0
  assert.deepEqual(await server.names(urls.allWidgets + query('fieldSelector', 'metadata.name=w-7')), ['w-7', 'w-7'])
  assert.equal(store.scanned, 0)
})

test('R10 a list of one namespace by selector reads that namespace only', async () => {
  const store = new CountingStore(openMemoryStore())
  await using server = await startTestServer({ store })
  await server.create(urls.namespaces, aNamespace('other'))
  for (let index = 0; index < 50; index++) await server.create(urls.widgets(), aWidget(`w-${index}`))
  await server.create(urls.widgets('other'), aWidget('x'))
  store.scanned = 0
  assert.deepEqual(await server.names(urls.allWidgets + query('fieldSelector', 'metadata.namespace=other')), ['x'])
  assert.equal(store.scanned, 1)
})
