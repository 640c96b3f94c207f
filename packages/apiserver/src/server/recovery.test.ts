import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openLmdbStore, openMemoryStore, openSqliteStore, type Store } from '../storage/index.ts'
import {
  aConfigMap,
  aDefinition,
  aNamespace,
  aWidget,
  createCluster,
  inCluster,
  MortalStore,
  startWithClusters,
  type TestServer,
  until,
  urls,
} from '../testing/index.ts'

/** Something the server does over several writes, and what is left of it when it is done. */
interface Undertaking {
  readonly name: string
  readonly prepare: (server: TestServer) => Promise<unknown>
  readonly begin: (server: TestServer) => Promise<unknown>
  /** Keys that must be gone in the end begin with or contain this. */
  readonly leftovers: string
}

const goners = '/apis/test.windlass.dev/v1/namespaces/default/goners'
const definition = 'goners.test.windlass.dev'

function isReady({ api }: TestServer, cluster: string): boolean {
  const status = api.clusters.object(cluster)?.['status'] as { readonly phase?: string } | undefined
  return status?.phase === 'Ready'
}

const undertakings: readonly Undertaking[] = [
  {
    name: 'the deletion of a namespace',
    async prepare(server) {
      await server.create(urls.namespaces, aNamespace('team'))
      for (const name of ['a', 'b']) await server.create(urls.widgets('team'), aWidget(name))
      await server.create(urls.configMaps('team'), aConfigMap('c'))
    },
    begin: (server) => server.send('DELETE', urls.namespace('team')),
    leftovers: '/team',
  },
  {
    name: 'the deletion of a CustomResourceDefinition',
    async prepare(server) {
      await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
      await server.clock.advance(1_000)
      await until(() => server.api.clusters.root.catalog.find('test.windlass.dev', 'v1', 'goners') !== undefined)
      for (const name of ['a', 'b']) {
        await server.create(goners, { apiVersion: 'test.windlass.dev/v1', kind: 'Goner', metadata: { name } })
      }
    },
    begin: (server) => server.send('DELETE', urls.definition(definition)),
    leftovers: 'goners',
  },
  {
    name: 'the deletion of a logical cluster',
    async prepare(server) {
      await createCluster(server, 'doomed')
      await until(() => isReady(server, 'doomed'))
      for (const name of ['a', 'b']) await server.create(urls.configMaps('default', inCluster('doomed')), aConfigMap(name))
    },
    begin: (server) => server.send('DELETE', urls.logicalCluster('doomed')),
    leftovers: 'doomed',
  },
  {
    name: 'the deletion of a namespace of a logical cluster',
    async prepare(server) {
      await createCluster(server, 'inner')
      await until(() => isReady(server, 'inner'))
      await server.create(`${inCluster('inner')}${urls.namespaces}`, aNamespace('team'))
      for (const name of ['a', 'b']) await server.create(urls.configMaps('team', inCluster('inner')), aConfigMap(name))
    },
    begin: (server) => server.send('DELETE', `${inCluster('inner')}${urls.namespace('team')}`),
    leftovers: '/team',
  },
]

const leftovers = (store: Store, { leftovers: mark }: Undertaking): readonly string[] =>
  [...store.scan('')].map(({ key }) => key).filter((key) => key.includes(mark))

for (const undertaking of undertakings) {
  test(`L11 V2 G4 ${undertaking.name} is ended by the next server, whichever write was the last before a crash`, async () => {
    let crashes = 0
    for (let writes = 1; ; writes++) {
      const store = openMemoryStore()
      const mortal = new MortalStore(store)
      const doomed = await startWithClusters({ store: mortal })
      await undertaking.prepare(doomed)
      await doomed.settle()
      mortal.dieAfter(writes)
      await undertaking.begin(doomed)
      await doomed.settle()
      if (!mortal.isDead) break
      crashes++
      await using next = await startWithClusters({ store })
      await next.clock.advance(1_000)
      assert.deepEqual(leftovers(store, undertaking), [], `after ${writes} writes`)
    }
    assert.ok(crashes >= 3, `only ${crashes} crashes`)
  })
}

test('V1 a definition that a crash kept from being established is established by the next server', async () => {
  const store = openMemoryStore()
  const mortal = new MortalStore(store)
  const doomed = await startWithClusters({ store: mortal })
  mortal.dieAfter(1)
  await doomed.send('POST', urls.definitions, aDefinition({ kind: 'Goner' }))
  await using next = await startWithClusters({ store })
  await next.clock.advance(1_000)
  assert.equal((await next.send('GET', goners)).status, 200)
})

test('G2 a logical cluster that a crash kept from being ready is made ready by the next server', async () => {
  for (const writes of [1, 2, 3, 4, 5, 6]) {
    const store = openMemoryStore()
    const mortal = new MortalStore(store)
    const doomed = await startWithClusters({ store: mortal })
    mortal.dieAfter(writes)
    await doomed.send('POST', urls.logicalClusters, {
      apiVersion: 'windlass.dev/v1alpha1',
      kind: 'LogicalCluster',
      metadata: { name: 'a' },
      spec: {},
    })
    await doomed.settle()
    await using next = await startWithClusters({ store })
    assert.equal((await next.get(urls.logicalCluster('a'))).status['phase'], 'Ready', `after ${writes} writes`)
    assert.deepEqual(await next.names(`${inCluster('a')}/api/v1/namespaces`), ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
  }
})

const engines: readonly [name: string, open: (directory: string) => Promise<Store> | Store][] = [
  ['LMDB', (directory) => openLmdbStore({ directory })],
  ['SQLite', (directory) => openSqliteStore({ directory })],
]

for (const [name, open] of engines) {
  for (const undertaking of undertakings) {
    test(`B5 on ${name} ${undertaking.name} that a crash broke off is ended after the next start`, async () => {
      const directory = mkdtempSync(join(tmpdir(), 'windlass-recovery-'))
      try {
        const first = await open(directory)
        const mortal = new MortalStore(first)
        const doomed = await startWithClusters({ store: mortal })
        await undertaking.prepare(doomed)
        mortal.dieAfter(2)
        await undertaking.begin(doomed)
        await until(() => mortal.isDead)
        await first.close()

        const second = await open(directory)
        assert.notDeepEqual(leftovers(second, undertaking), [])
        await using next = await startWithClusters({ store: second })
        await until(() => leftovers(next.api.store, undertaking).length === 0)
      } finally {
        rmSync(directory, { recursive: true, force: true })
      }
    })
  }

  test(`B5 T8 W3 on ${name} a restart keeps objects and revisions, and a watch goes on from its last one`, async () => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-recovery-'))
    try {
      const before = await startWithClusters({ store: await open(directory) })
      const a = await before.create(urls.widgets(), aWidget('a'))
      const watch = await before.watch(`${urls.widgets()}?resourceVersion=${a.metadata.resourceVersion}`)
      await before.create(urls.widgets(), aWidget('b'))
      const last = watch.revisions.at(-1) ?? 0
      await before.merge(urls.widget('a'), { spec: { replicas: 2 } })
      const { revision } = before
      await before.api.stop()

      await using after = await startWithClusters({ store: await open(directory) })
      assert.ok(after.revision >= revision)
      assert.deepEqual(await after.names(urls.widgets()), ['a', 'b'])
      const resumed = await after.watch(`${urls.widgets()}?resourceVersion=${last}`)
      await after.create(urls.widgets(), aWidget('c'))
      await until(() => resumed.lines.length >= 2)
      assert.deepEqual(resumed.summary, ['MODIFIED a', 'ADDED c'])
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  })
}
