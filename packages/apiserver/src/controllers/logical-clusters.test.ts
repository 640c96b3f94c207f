import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import {
  aConfigMap,
  createCluster,
  inCluster,
  type Seen,
  startTestServer,
  startWithClusters,
  type TestServer,
  urls,
  logicalClusters,
  aLogicalCluster,
} from '../testing/index.ts'

const secret = (cluster: string): string => `/api/v1/namespaces/kube-system/secrets/${cluster}-kubeconfig`
const a = inCluster('a')

/** The token in the kubeconfig of a cluster. */
async function tokenOf(server: TestServer, cluster: string): Promise<string> {
  const { data } = await server.get(secret(cluster))
  const kubeconfig = Buffer.from(data['kubeconfig'] ?? '', 'base64').toString('utf8')
  return /token: (\S+)/.exec(kubeconfig)?.[1] ?? ''
}

const conditionOf = ({ status }: Seen): unknown => (status['conditions'] as readonly { type: string; status: string }[])[0]?.status

test('G2 a LogicalCluster becomes Ready, with its address and the Secret that lets people in', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  const cluster = await server.get(urls.logicalCluster('a'))
  assert.equal(cluster.status['phase'], 'Ready')
  assert.equal(cluster.status['url'], 'https://test.example.com/clusters/a')
  assert.deepEqual(cluster.status['kubeconfigSecretRef'], { namespace: 'kube-system', name: 'a-kubeconfig', key: 'kubeconfig' })
  assert.equal(conditionOf(cluster), 'True')
  const { metadata } = await server.get(secret('a'))
  assert.deepEqual(
    metadata.ownerReferences?.map(({ name }) => name),
    ['a'],
  )
})

test('G2 without an address a cluster works, and gets its kubeconfig when there is one', async () => {
  let isReachable = false
  const access = (cluster: string): { url: string; kubeconfig: string } | undefined =>
    isReachable ? { url: `https://test/clusters/${cluster}`, kubeconfig: `server: https://test/clusters/${cluster}\n` } : undefined
  await using server = await startTestServer({ definitions: [logicalClusters], access })
  await server.create(urls.logicalClusters, aLogicalCluster('a'))
  await server.settle()
  assert.equal((await server.get(urls.logicalCluster('a'))).status['phase'], 'Ready')
  assert.equal((await server.refused('GET', secret('a'))).code, 404)
  isReachable = true
  server.api.reachable()
  await server.settle()
  await server.get(secret('a'))
  assert.equal((await server.get(urls.logicalCluster('a'))).status['url'], 'https://test/clusters/a')
})

test('G2 conditions that others set on a LogicalCluster stay when it becomes reachable', async () => {
  let isReachable = false
  const access = (): { url: string; kubeconfig: string } | undefined =>
    isReachable ? { url: 'https://test/clusters/a', kubeconfig: '' } : undefined
  await using server = await startTestServer({ definitions: [logicalClusters], access })
  await server.create(urls.logicalClusters, aLogicalCluster('a'))
  await server.settle()
  const { status } = await server.get(urls.logicalCluster('a'))
  const before = status['conditions'] as readonly JsonObject[]
  const foreign = { type: 'Rehearsed', status: 'True', reason: 'Done', message: '', lastTransitionTime: '2026-01-01T00:00:00Z' }
  await server.merge(`${urls.logicalCluster('a')}/status`, { status: { conditions: [...before, foreign] } })
  isReachable = true
  server.api.reachable()
  await server.settle()
  assert.deepEqual((await server.get(urls.logicalCluster('a'))).status['conditions'], [...before, foreign])
})

test('G2 the credentials of a cluster are good there and nowhere else', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  await createCluster(server, 'b')
  const bearer = { authorization: `Bearer ${await tokenOf(server, 'a')}` }
  const stranger = server.as(undefined)
  const statusIn = async (cluster: string): Promise<number> =>
    (await stranger.send('GET', urls.configMaps('default', cluster), undefined, bearer)).status
  assert.equal(await statusIn(a), 200)
  assert.equal(await statusIn(inCluster('b')), 401)
  assert.equal(await statusIn(''), 401)
})

test('G2 the credentials of a cluster that is gone are refused by the next of its name', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  const old = { authorization: `Bearer ${await tokenOf(server, 'a')}` }
  await server.remove(urls.logicalCluster('a'))
  await server.settle()
  await createCluster(server, 'a')
  assert.equal((await server.as(undefined).send('GET', urls.configMaps('default', a), undefined, old)).status, 401)
  const fresh = { authorization: `Bearer ${await tokenOf(server, 'a')}` }
  assert.equal((await server.as(undefined).send('GET', urls.configMaps('default', a), undefined, fresh)).status, 200)
})

test('G4 the deletion of a cluster removes everything in it, its Secret and itself', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  await server.create(urls.configMaps('default', a), aConfigMap('x', {}, { finalizers: ['test.windlass.dev/hold'] }))
  await server.remove(urls.logicalCluster('a'))
  await server.settle()
  assert.equal((await server.refused('GET', urls.logicalCluster('a'))).code, 404)
  assert.equal((await server.refused('GET', secret('a'))).code, 404)
  assert.deepEqual([...server.api.store.scan('a/')], [])
})

test('G4 a cluster whose name begins like another keeps its objects', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  await createCluster(server, 'a-b')
  await server.create(urls.configMaps('default', inCluster('a-b')), aConfigMap('x'))
  await server.remove(urls.logicalCluster('a'))
  await server.settle()
  assert.deepEqual(await server.names(urls.configMaps('default', inCluster('a-b'))), ['x'])
})

test('G4 a large cluster is emptied in bounded steps', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  await server.createAll(
    urls.configMaps('default', a),
    Array.from({ length: 700 }, (_, index) => aConfigMap(`c-${index}`)),
  )
  const steps: number[] = []
  server.api.store.subscribe((changes) => {
    steps.push(changes.filter(({ key, type }) => key.startsWith('a/') && type === 'deleted').length)
  })
  await server.remove(urls.logicalCluster('a'))
  await server.settle()
  assert.equal(steps.reduce((sum, count) => sum + count, 0) >= 700, true)
  assert.ok(Math.max(...steps) <= 500, `${Math.max(...steps)} at once`)
})

test('G4 a cluster that is being deleted answers nobody, and its watches end', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  const watch = await server.watch(`${urls.configMaps('default', a)}?resourceVersion=${server.revision}`)
  const elsewhere = await server.watch(`${urls.configMaps()}?resourceVersion=${server.revision}`)
  await server.merge(urls.logicalCluster('a'), { metadata: { finalizers: ['windlass.dev/contents', 'test.windlass.dev/hold'] } })
  await server.remove(urls.logicalCluster('a'))
  await server.settle()
  assert.equal(watch.isEnded, true)
  assert.equal(elsewhere.isEnded, false)
  assert.equal((await server.refused('GET', urls.configMaps('default', a))).code, 404)
  assert.equal((await server.get(urls.logicalCluster('a'))).status['phase'], 'Deleting')
})

test('G2 a cluster that is made again starts empty', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  await server.create(urls.configMaps('default', a), aConfigMap('x'))
  await server.remove(urls.logicalCluster('a'))
  await server.settle()
  await createCluster(server, 'a')
  assert.deepEqual(await server.names(urls.configMaps('default', a)), [])
  assert.deepEqual(await server.names(`${a}/api/v1/namespaces`), ['default', 'kube-node-lease', 'kube-public', 'kube-system'])
})

test('G4 nothing that happens after the deletion is written below the name of the cluster', async () => {
  await using server = await startWithClusters()
  await createCluster(server, 'a')
  await server.create(urls.configMaps('default', a), aConfigMap('x'))
  await server.remove(urls.logicalCluster('a'))
  await server.clock.advance(7_200_000)
  assert.deepEqual([...server.api.store.scan('a/')], [])
})
