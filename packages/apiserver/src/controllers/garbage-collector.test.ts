import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemoryStore } from '../storage/index.ts'
import type { JsonObject } from '../json.ts'
import {
  aConfigMap,
  aDefinition,
  aNamespace,
  aWidget,
  MortalStore,
  ownedBy,
  type Seen,
  startTestServer,
  type TestServer,
  urls,
} from '../testing/index.ts'

const hold = 'test.windlass.dev/hold'
const blocking = { blockOwnerDeletion: true }

/** A ConfigMap that these own. */
const owned = (name: string, ...ownerReferences: JsonObject[]): JsonObject => aConfigMap(name, {}, { ownerReferences })

async function anOwner(server: TestServer, name = 'owner'): Promise<Seen> {
  return server.create(urls.widgets(), aWidget(name))
}

test('L8 dependents go after their owner, and theirs after them', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  const child = await server.create(urls.configMaps(), owned('child', ownedBy(owner)))
  await server.create(urls.configMaps(), owned('grandchild', ownedBy(child)))
  await server.create(urls.configMaps(), aConfigMap('bystander'))
  await server.remove(urls.widget('owner'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['bystander'])
})

test('L8 an object that is created with an owner that does not exist goes at once', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.remove(urls.widget('owner'))
  await server.create(urls.configMaps(), owned('late', ownedBy(owner)))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L8 an object stays while one owner lives, and loses the dangling reference', async () => {
  await using server = await startTestServer()
  const [first, second] = [await anOwner(server, 'first'), await anOwner(server, 'second')]
  await server.create(urls.configMaps(), owned('shared', ownedBy(first), ownedBy(second)))
  await server.remove(urls.widget('first'))
  await server.settle()
  const { metadata } = await server.get(urls.configMap('shared'))
  assert.deepEqual(
    metadata.ownerReferences?.map(({ name }) => name),
    ['second'],
  )
  await server.remove(urls.widget('second'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L8 the right name with another uid is no owner', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.create(urls.configMaps(), owned('a', { ...ownedBy(owner), uid: '11111111-2222-4333-8444-555555555555' }))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L8 an owner that is created again under the same name does not count', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.create(urls.configMaps(), owned('a', ownedBy(owner)))
  const removing = server.remove(urls.widget('owner'))
  const creating = server.create(urls.widgets(), aWidget('owner'))
  await Promise.all([removing, creating])
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
  assert.deepEqual(await server.names(urls.widgets()), ['owner'])
})

test('L8 an owner of an unknown kind keeps its dependent', async () => {
  await using server = await startTestServer()
  const unknown = { apiVersion: 'nobody.example.com/v1', kind: 'Thing', name: 'x', uid: '11111111-2222-4333-8444-555555555555' }
  await server.create(urls.configMaps(), owned('a', unknown))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['a'])
})

test('L8 a cluster-wide owner may own what is in a namespace', async () => {
  await using server = await startTestServer()
  const gadget = await server.create(urls.gadgets, { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'g' } })
  await server.create(urls.configMaps(), owned('a', ownedBy(gadget)))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['a'])
  await server.remove(`${urls.gadgets}/g`)
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L8 an owner in another namespace counts as absent, and an event says so', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('other'))
  const owner = await server.create(urls.widgets('other'), aWidget('owner'))
  await server.create(urls.configMaps(), owned('a', ownedBy(owner)))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
  const { items } = await server.get(urls.events())
  assert.deepEqual(
    items.map((event) => event.reason),
    ['OwnerRefInvalidNamespace'],
  )
})

test('L8 a namespaced owner of a cluster-wide object counts as absent, and an event says so', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  const gadget = { apiVersion: 'test.windlass.dev/v1', kind: 'Gadget', metadata: { name: 'g', ownerReferences: [ownedBy(owner)] } }
  await server.create(urls.gadgets, gadget)
  await server.settle()
  assert.deepEqual(await server.names(urls.gadgets), [])
  const { items } = await server.get(urls.events())
  assert.equal(items[0]?.reason, 'OwnerRefInvalidNamespace')
})

test('L8 a cycle of owners goes as soon as one of them is deleted', async () => {
  await using server = await startTestServer()
  const a = await server.create(urls.configMaps(), aConfigMap('a'))
  const b = await server.create(urls.configMaps(), owned('b', ownedBy(a)))
  await server.merge(urls.configMap('a'), { metadata: { ownerReferences: [ownedBy(b)] } })
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['a', 'b'])
  await server.remove(urls.configMap('a'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L8 a cycle in the foreground does not block for ever', async () => {
  await using server = await startTestServer()
  const a = await server.create(urls.configMaps(), aConfigMap('a'))
  const b = await server.create(urls.configMaps(), owned('b', ownedBy(a, blocking)))
  await server.merge(urls.configMap('a'), { metadata: { ownerReferences: [ownedBy(b, blocking)] } })
  await server.remove(urls.configMap('a'), { propagationPolicy: 'Foreground' })
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L8 L2 a dependent with a finalizer waits, marked', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.create(urls.configMaps(), aConfigMap('a', {}, { ownerReferences: [ownedBy(owner)], finalizers: [hold] }))
  await server.remove(urls.widget('owner'))
  await server.settle()
  const { metadata } = await server.get(urls.configMap('a'))
  assert.ok(metadata.deletionTimestamp !== undefined)
  assert.deepEqual(metadata.finalizers, [hold])
})

test('L8 a reference that is removed before the owner goes keeps the dependent', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.create(urls.configMaps(), owned('a', ownedBy(owner)))
  await server.merge(urls.configMap('a'), { metadata: { ownerReferences: null } })
  await server.remove(urls.widget('owner'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['a'])
})

test('L6 L8 in the foreground an owner waits for the dependents that block it', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  const metadata = { ownerReferences: [ownedBy(owner, blocking)], finalizers: [hold] }
  await server.create(urls.configMaps(), aConfigMap('slow', {}, metadata))
  await server.create(urls.configMaps(), owned('quick', ownedBy(owner, blocking)))
  await server.remove(urls.widget('owner'), { propagationPolicy: 'Foreground' })
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['slow'])
  assert.deepEqual((await server.get(urls.widget('owner'))).metadata.finalizers, ['foregroundDeletion'])
  await server.merge(urls.configMap('slow'), { metadata: { finalizers: null } })
  await server.settle()
  assert.deepEqual(await server.names(urls.widgets()), [])
})

test('L8 in the foreground an owner does not wait for dependents that do not block it', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.create(urls.configMaps(), aConfigMap('slow', {}, { ownerReferences: [ownedBy(owner)], finalizers: [hold] }))
  await server.remove(urls.widget('owner'), { propagationPolicy: 'Foreground' })
  await server.settle()
  assert.deepEqual(await server.names(urls.widgets()), [])
  assert.ok((await server.get(urls.configMap('slow'))).metadata.deletionTimestamp !== undefined)
})

test('L8 in the foreground a whole tree goes from the leaves', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  const child = await server.create(urls.configMaps(), owned('child', ownedBy(owner, blocking)))
  await server.create(urls.configMaps(), owned('grandchild', ownedBy(child, blocking)))
  const watch = await server.watch(`${urls.configMaps()}?resourceVersion=${server.revision}`)
  await server.remove(urls.widget('owner'), { propagationPolicy: 'Foreground' })
  await server.settle()
  const gone = watch.summary.filter((event) => event.startsWith('DELETED'))
  assert.deepEqual(gone, ['DELETED grandchild', 'DELETED child'])
  assert.deepEqual(await server.names(urls.widgets()), [])
})

test('L8 a dependent that another owner keeps is let go by one in foreground deletion', async () => {
  await using server = await startTestServer()
  const [first, second] = [await anOwner(server, 'first'), await anOwner(server, 'second')]
  await server.create(urls.configMaps(), owned('shared', ownedBy(first, blocking), ownedBy(second, blocking)))
  await server.remove(urls.widget('first'), { propagationPolicy: 'Foreground' })
  await server.settle()
  assert.deepEqual(await server.names(urls.widgets()), ['second'])
  const { metadata } = await server.get(urls.configMap('shared'))
  assert.deepEqual(
    metadata.ownerReferences?.map(({ name }) => name),
    ['second'],
  )
})

test('L6 L8 orphaned dependents lose their reference and stay', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.create(urls.configMaps(), owned('a', ownedBy(owner)))
  await server.remove(urls.widget('owner'), { propagationPolicy: 'Orphan' })
  await server.settle()
  assert.deepEqual(await server.names(urls.widgets()), [])
  assert.equal((await server.get(urls.configMap('a'))).metadata.ownerReferences, undefined)
})

test('L8 the dependents of custom resources go with the CustomResourceDefinition', async () => {
  await using server = await startTestServer()
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  const goner = await server.create('/apis/test.windlass.dev/v1/namespaces/default/goners', {
    apiVersion: 'test.windlass.dev/v1',
    kind: 'Goner',
    metadata: { name: 'g' },
  })
  const dependents = Array.from({ length: 200 }, (_, index) => owned(`c-${index}`, ownedBy(goner)))
  await server.createAll(urls.configMaps(), dependents)
  await server.remove(urls.definition('goners.test.windlass.dev'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), [])
})

test('L9 two thousand dependents of one owner go, and the collector looks at nothing else', async () => {
  await using server = await startTestServer()
  const owner = await anOwner(server)
  await server.createAll(
    urls.configMaps(),
    Array.from({ length: 2_000 }, (_, index) => owned(`c-${index}`, ownedBy(owner))),
  )
  await server.create(urls.configMaps(), aConfigMap('bystander'))
  await server.remove(urls.widget('owner'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps()), ['bystander'])
})

/** Does something with a server that dies after so many writes, then starts another one on what is left. */
async function afterCrash(writes: number, act: (server: TestServer) => Promise<unknown>): Promise<TestServer> {
  const store = openMemoryStore()
  const mortal = new MortalStore(store)
  const server = await startTestServer({ store: mortal })
  const owner = await anOwner(server)
  for (const name of ['a', 'b', 'c']) await server.create(urls.configMaps(), owned(name, ownedBy(owner, blocking)))
  await server.settle()
  mortal.dieAfter(writes)
  await act(server)
  await server.settle()
  assert.ok(mortal.isDead)
  return startTestServer({ store })
}

for (const policy of ['Background', 'Foreground']) {
  for (const writes of [1, 2, 3, 4]) {
    test(`L8 a server that died ${writes} writes into a ${policy} deletion is followed by one that ends it`, async () => {
      const options = { propagationPolicy: policy }
      await using server = await afterCrash(writes, (doomed) => doomed.send('DELETE', urls.widget('owner'), options))
      await server.settle()
      assert.deepEqual(await server.names(urls.configMaps()), [])
      assert.deepEqual(await server.names(urls.widgets()), [])
    })
  }
}

for (const writes of [1, 2, 3, 4]) {
  test(`L8 a server that died ${writes} writes into an Orphan deletion is followed by one that ends it`, async () => {
    const options = { propagationPolicy: 'Orphan' }
    await using server = await afterCrash(writes, (doomed) => doomed.send('DELETE', urls.widget('owner'), options))
    await server.settle()
    assert.deepEqual(await server.names(urls.widgets()), [])
    const { items } = await server.get(urls.configMaps())
    assert.deepEqual(
      items.map(({ metadata }) => [metadata.name, metadata.ownerReferences]),
      ['a', 'b', 'c'].map((name) => [name, undefined]),
    )
  })
}
