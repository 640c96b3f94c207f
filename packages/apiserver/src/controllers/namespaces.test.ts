import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aConfigMap, aNamespace, aWidget, type Seen, startTestServer, urls } from '../testing/index.ts'

const hold = { finalizers: ['test.windlass.dev/hold'] }

/** `type=status` of a namespace's conditions, with their messages. */
function conditionsOf({ status }: Seen): Readonly<Record<string, string>> {
  const conditions = (status['conditions'] ?? []) as readonly { type: string; status: string; message: string }[]
  return Object.fromEntries(conditions.map(({ type, status: value, message }) => [`${type}=${value}`, message]))
}

test('L10 a new server has four namespaces, each with a default ServiceAccount', async () => {
  await using server = await startTestServer()
  assert.deepEqual(await server.names(urls.namespaces), ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
  const { items } = await server.get('/api/v1/serviceaccounts')
  assert.deepEqual(
    items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
    ['default/default', 'kube-node-lease/default', 'kube-public/default', 'kube-system/default'],
  )
})

test('L11 a namespace that is deleted is Terminating at once, and goes when it is empty', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  const watch = await server.watch(`${urls.namespaces}?fieldSelector=metadata.name%3Dteam&resourceVersion=${server.revision}`)
  const { kind, status, spec } = await server.remove(urls.namespace('team'))
  assert.equal(kind, 'Namespace')
  assert.deepEqual(status, { phase: 'Terminating' })
  assert.deepEqual(spec, { finalizers: ['kubernetes'] })
  await server.settle()
  assert.equal(watch.summary.at(-1), 'DELETED team')
  assert.equal((await server.refused('GET', urls.namespace('team'))).code, 404)
})

test('L11 contents of all kinds go with their namespace, and no others', async () => {
  await using server = await startTestServer()
  for (const namespace of ['team', 'team-b']) {
    await server.create(urls.namespaces, aNamespace(namespace))
    await server.create(urls.widgets(namespace), aWidget('a'))
    await server.create(urls.configMaps(namespace), aConfigMap('a'))
    await server.create(`/api/v1/namespaces/${namespace}/secrets`, { metadata: { name: 'a' } })
    await server.create(`/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, { metadata: { name: 'a' }, spec: {} })
  }
  await server.remove(urls.namespace('team'))
  await server.settle()
  const left = [...server.api.store.scan('root/')].map(({ key }) => key).filter((key) => key.includes('/team/'))
  assert.deepEqual(left, [])
  assert.deepEqual(await server.names(urls.widgets('team-b')), ['a'])
  assert.deepEqual(await server.names(urls.configMaps('team-b')), ['a'])
})

test('L11 a finalizer on content holds the namespace, and its conditions say what and how many', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  for (const name of ['a', 'b']) await server.create(urls.widgets('team'), aWidget(name, {}, hold))
  await server.remove(urls.namespace('team'))
  await server.settle()
  const held = conditionsOf(await server.get(urls.namespace('team')))
  assert.equal(held['NamespaceContentRemaining=True'], 'Some resources are remaining: widgets.test.windlass.dev has 2 resource instances')
  assert.equal(
    held['NamespaceFinalizersRemaining=True'],
    'Some content in the namespace has finalizers remaining: test.windlass.dev/hold in 2 resource instances',
  )
  await server.merge(urls.widget('a', 'team'), { metadata: { finalizers: null } })
  await server.settle()
  const less = conditionsOf(await server.get(urls.namespace('team')))
  assert.equal(less['NamespaceContentRemaining=True'], 'Some resources are remaining: widgets.test.windlass.dev has 1 resource instances')
  await server.merge(urls.widget('b', 'team'), { metadata: { finalizers: null } })
  await server.settle()
  assert.equal((await server.refused('GET', urls.namespace('team'))).code, 404)
})

test('L11 a condition keeps the time of its last change while its message moves on', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  for (const name of ['a', 'b']) await server.create(urls.widgets('team'), aWidget(name, {}, hold))
  await server.remove(urls.namespace('team'))
  await server.settle()
  await server.clock.advance(60_000)
  await server.merge(urls.widget('a', 'team'), { metadata: { finalizers: null } })
  await server.settle()
  const { status } = await server.get(urls.namespace('team'))
  const times = (status['conditions'] as readonly { lastTransitionTime: string }[]).map((each) => each.lastTransitionTime)
  assert.deepEqual([...new Set(times)], ['2026-01-01T01:00:00Z'])
})

test('L11 many hundred objects go with their namespace', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  await server.createAll(
    urls.configMaps('team'),
    Array.from({ length: 600 }, (_, index) => aConfigMap(`c-${index}`)),
  )
  await server.remove(urls.namespace('team'))
  await server.settle()
  assert.equal((await server.refused('GET', urls.namespace('team'))).code, 404)
  assert.deepEqual(await server.names('/api/v1/configmaps'), [])
})

test('L11 X7 a further spec finalizer holds the namespace until /finalize takes it away', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, { ...aNamespace('team'), spec: { finalizers: hold.finalizers } })
  await server.remove(urls.namespace('team'))
  await server.settle()
  const { spec } = await server.get(urls.namespace('team'))
  assert.deepEqual(spec, { finalizers: hold.finalizers })
  await server.replace(`${urls.namespace('team')}/finalize`, { ...aNamespace('team'), spec: { finalizers: [] } })
  await server.settle()
  assert.equal((await server.refused('GET', urls.namespace('team'))).code, 404)
})

test('L11 a namespace can be made again under the same name, empty', async () => {
  await using server = await startTestServer()
  const first = await server.create(urls.namespaces, aNamespace('team'))
  await server.create(urls.configMaps('team'), aConfigMap('a'))
  await server.remove(urls.namespace('team'))
  await server.settle()
  const second = await server.create(urls.namespaces, aNamespace('team'))
  await server.settle()
  assert.notEqual(second.metadata.uid, first.metadata.uid)
  assert.deepEqual(await server.names(urls.configMaps('team')), [])
  assert.deepEqual(await server.names('/api/v1/namespaces/team/serviceaccounts'), ['default'])
})

test('a default ServiceAccount that is deleted comes back, but not in a namespace that goes', async () => {
  await using server = await startTestServer()
  await server.create(urls.namespaces, aNamespace('team'))
  await server.settle()
  await server.remove('/api/v1/namespaces/team/serviceaccounts/default')
  await server.settle()
  assert.deepEqual(await server.names('/api/v1/namespaces/team/serviceaccounts'), ['default'])
  await server.create(urls.widgets('team'), aWidget('a', {}, hold))
  await server.remove(urls.namespace('team'))
  await server.settle()
  assert.deepEqual(await server.names('/api/v1/namespaces/team/serviceaccounts'), [])
})
