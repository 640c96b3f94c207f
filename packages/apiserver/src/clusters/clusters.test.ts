import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import {
  aConfigMap,
  aDefinition,
  aNamespace,
  aWidget,
  createCluster,
  inCluster,
  startWithClusters,
  type TestServer,
  urls,
  userNamed,
  widgets,
} from '../testing/index.ts'

const a = inCluster('a')
const b = inCluster('b')
const goners = (cluster: string): string => `${cluster}/apis/test.windlass.dev/v1/namespaces/default/goners`

async function withTwoClusters(template?: string): Promise<TestServer> {
  const server = await startWithClusters()
  await createCluster(server, 'a', template)
  await createCluster(server, 'b', template)
  return server
}

test('G1 G5 objects of one cluster are neither read nor listed in another', async () => {
  await using server = await withTwoClusters()
  await server.create(urls.configMaps('default', a), aConfigMap('same', { where: 'a' }))
  await server.create(urls.configMaps('default', b), aConfigMap('same', { where: 'b' }))
  await server.create(urls.configMaps('default', b), aConfigMap('other'))
  assert.deepEqual((await server.get(urls.configMap('same', 'default', a))).data, { where: 'a' })
  assert.deepEqual(await server.names(urls.configMaps('default', b)), ['other', 'same'])
  assert.deepEqual(await server.names(`${a}/api/v1/configmaps`), ['same'])
  assert.deepEqual(await server.names('/api/v1/configmaps'), [])
})

test('G1 each cluster has its own namespaces, with the usual ones from the start', async () => {
  await using server = await withTwoClusters()
  await server.create(`${a}${urls.namespaces}`, aNamespace('only-in-a'))
  assert.deepEqual(await server.names(`${a}${urls.namespaces}`), ['default', 'kube-node-lease', 'kube-public', 'kube-system', 'only-in-a'])
  assert.equal((await server.refused('POST', urls.configMaps('only-in-a', b), aConfigMap('x'))).code, 404)
  assert.deepEqual(await server.names(`${a}/api/v1/namespaces/only-in-a/serviceaccounts`), ['default'])
})

test('G1 G4 a watch of one cluster hears nothing of another', async () => {
  await using server = await withTwoClusters()
  const watches = await Promise.all(
    ['', a, b].map((cluster) => server.watch(`${urls.configMaps('default', cluster)}?resourceVersion=${server.revision}`)),
  )
  await server.create(urls.configMaps('default', a), aConfigMap('in-a'))
  await server.create(urls.configMaps(), aConfigMap('in-root'))
  assert.deepEqual(
    watches.map(({ summary }) => summary),
    [['ADDED in-root'], ['ADDED in-a'], []],
  )
})

test('G1 a CustomResourceDefinition of one cluster serves that cluster alone', async () => {
  await using server = await withTwoClusters()
  await server.create(`${a}${urls.definitions}`, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  assert.equal((await server.send('GET', goners(a))).status, 200)
  assert.equal((await server.send('GET', goners(b))).status, 404)
  assert.equal((await server.send('GET', goners(''))).status, 404)
  assert.equal((await server.send('GET', urls.widgets('default', a))).status, 404, 'kinds of the root are its own')
})

test('G1 discovery and OpenAPI describe one cluster', async () => {
  await using server = await withTwoClusters()
  await server.create(`${a}${urls.definitions}`, aDefinition({ kind: 'Goner', group: 'only.example.com' }))
  await server.clock.advance(1_000)
  const knows = async (cluster: string): Promise<readonly boolean[]> =>
    Promise.all(['/apis', '/openapi/v3'].map(async (path) => (await server.send('GET', cluster + path)).text.includes('only.example.com')))
  assert.deepEqual(await knows(a), [true, true])
  assert.deepEqual(await knows(b), [false, false])
  assert.deepEqual(await knows(''), [false, false])
})

test('G1 a right in one cluster is none in another', async () => {
  await using server = await withTwoClusters()
  const rbac = 'rbac.authorization.k8s.io'
  const binding = (cluster: string): Promise<unknown> =>
    server.create(`${cluster}/apis/${rbac}/v1/clusterrolebindings`, {
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name: 'dev' },
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
      subjects: [{ apiGroup: rbac, kind: 'User', name: 'dev' }],
    })
  await binding(a)
  const dev = server.as(userNamed('dev'))
  assert.equal((await dev.send('GET', urls.configMaps('default', a))).status, 200)
  assert.equal((await dev.send('GET', urls.configMaps('default', b))).status, 403)
  assert.equal((await dev.send('GET', urls.configMaps())).status, 403)
  await binding('')
  assert.equal((await dev.send('GET', urls.configMaps('default', b))).status, 403, 'nor does a right in the root count elsewhere')
})

test('G1 a cluster that does not exist is 404', async () => {
  await using server = await startWithClusters()
  const status = await server.refused('GET', urls.configMaps('default', inCluster('nowhere')))
  assert.equal(status.code, 404)
  assert.equal(status.message, 'logicalclusters.windlass.dev "nowhere" not found')
})

test('G3 a cluster made from a template has its kinds, and objects of its own', async () => {
  await using server = await withTwoClusters('root')
  await server.create(urls.widgets('default', a), aWidget('in-a'))
  assert.deepEqual(await server.names(urls.widgets('default', a)), ['in-a'])
  assert.deepEqual(await server.names(urls.widgets('default', b)), [])
  assert.deepEqual(await server.names(urls.widgets()), [])
  assert.deepEqual(await server.names(`${a}${urls.definitions}`), [], 'the definition itself is not copied')
})

test('G3 a kind that comes to the template later is there too, and goes with it', async () => {
  await using server = await withTwoClusters('root')
  await server.create(urls.definitions, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  assert.equal((await server.send('GET', goners(a))).status, 200)
  assert.ok((await server.send('GET', `${a}/apis/test.windlass.dev/v1`)).text.includes('"goners"'))
  await server.remove(urls.definition('goners.test.windlass.dev'))
  await server.settle()
  assert.equal((await server.send('GET', goners(a))).status, 404)
})

test('G3 clusters of one template share its compiled schemas', async () => {
  await using server = await withTwoClusters('root')
  const { clusters } = server.api
  const found = ['root', 'a', 'b'].map((name) => clusters.get(name)?.catalog.find('test.windlass.dev', 'v1', 'widgets'))
  assert.ok(found[0] !== undefined)
  assert.equal(found[1], found[0])
  assert.equal(found[2], found[0])
})

test('G3 a logical cluster costs less than 20 KB at rest', async () => {
  await using server = await withTwoClusters('root')
  const stored = [...server.api.store.scan('a/')]
  assert.ok(stored.reduce((bytes, entry) => bytes + entry.bytes.length, 0) < 20_000)
})

test('G3 a template of a template is one too', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'middle', 'root')
  await server.create(`${inCluster('middle')}${urls.definitions}`, aDefinition({ kind: 'Goner' }))
  await server.clock.advance(1_000)
  await createCluster(server, 'a', 'middle')
  assert.equal((await server.send('GET', goners(a))).status, 200)
  assert.equal((await server.send('GET', urls.widgets('default', a))).status, 200)
})

test('G3 clusters that name each other, or themselves, as templates still work', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'self', 'self')
  await createCluster(server, 'a', 'b')
  await createCluster(server, 'b', 'a')
  for (const name of ['self', 'a', 'b']) assert.equal((await server.send('GET', urls.configMaps('default', inCluster(name)))).status, 200)
})

test('G3 a definition of its own goes before that of the template', async () => {
  await using server = await withTwoClusters('root')
  const own = { ...widgets, spec: { ...(widgets['spec'] as JsonObject), scope: 'Cluster' } }
  await server.create(`${a}${urls.definitions}`, own)
  await server.clock.advance(1_000)
  await server.create(`${a}${urls.allWidgets}`, aWidget('wide'))
  assert.equal((await server.send('GET', urls.widgets('default', b))).status, 200)
})

test('G4 one counter gives the revisions of all clusters', async () => {
  await using server = await withTwoClusters()
  const revisions: number[] = []
  for (const cluster of [a, '', b, a]) {
    const { metadata } = await server.create(urls.configMaps('default', cluster), { metadata: { generateName: 'c-' } })
    revisions.push(Number(metadata.resourceVersion))
  }
  const [first = 0] = revisions
  assert.deepEqual(revisions, [first, first + 1, first + 2, first + 3])
})

test('G4 L8 an owner in one cluster owns nothing in another', async () => {
  await using server = await withTwoClusters()
  const { metadata } = await server.create(urls.configMaps('default', a), aConfigMap('owner'))
  const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: metadata.uid }]
  await server.create(urls.configMaps('default', a), aConfigMap('here', {}, { ownerReferences }))
  await server.create(urls.configMaps('default', b), aConfigMap('there', {}, { ownerReferences }))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps('default', a)), ['here', 'owner'])
  assert.deepEqual(await server.names(urls.configMaps('default', b)), [])
})

test('L11 L12 namespaces and Events live and die in logical clusters as in the root', async () => {
  await using server = await withTwoClusters()
  await server.create(`${a}${urls.namespaces}`, aNamespace('team'))
  await server.create(urls.configMaps('team', a), aConfigMap('x'))
  await server.remove(`${a}${urls.namespace('team')}`)
  await server.create(urls.events('default', a), {
    metadata: { name: 'e' },
    involvedObject: { kind: 'Namespace', name: 'default', namespace: 'default' },
  })
  await server.settle()
  assert.equal((await server.refused('GET', `${a}${urls.namespace('team')}`)).code, 404)
  await server.clock.advance(3_600_000)
  assert.deepEqual(await server.names(urls.events('default', a)), [])
})
