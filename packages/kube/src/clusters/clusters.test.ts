import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, LogicalCluster, Secret } from '@windlass/api'
import { admin, createCluster, inCluster, startWithClusters, type TestServer, urls } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { cached, createSharedCache } from '../cache/index.ts'
import { silentLog } from '../log.ts'
import { createManager, type Manager, type Runnable } from '../manager/index.ts'
import { untilAborted } from '../manager/until-aborted.ts'
import { createMetrics, type Metrics } from '../metrics/index.ts'
import { Network } from './testing/network.ts'
import { type Cluster, type ClusterSet, type ClustersOptions, createClusters } from './index.ts'

const maps = cached(ConfigMap, { namespaces: ['default'] })

interface Fleet {
  readonly server: TestServer
  readonly network: Network
  readonly clusters: ClusterSet<LogicalCluster>
  readonly manager: Manager
  readonly metrics: Metrics
  /** What happened in the clusters, in order. */
  readonly steps: string[]
  readonly fail: Map<string, (error: Error) => void>
  readonly phases: () => Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

type Choice = Partial<ClustersOptions<LogicalCluster>> & { readonly election?: { readonly identity: string } }

async function startFleet(server: TestServer, { election, ...choice }: Choice = {}): Promise<Fleet> {
  const { clock } = server
  const random = seededRandom('fleet')
  const metrics = createMetrics()
  const network = new Network(server, admin)
  const client = network.client()
  const cache = createSharedCache({ client, clock, random, freezes: true })
  const steps: string[] = []
  const fail = new Map<string, (error: Error) => void>()
  const runnableOf = ({ name, cache: own }: Cluster<LogicalCluster>, needsLeadership: boolean): Runnable => ({
    name: needsLeadership ? 'leads' : 'reads',
    needsLeadership,
    async run(signal) {
      const failed = Promise.withResolvers<never>()
      failed.promise.catch(() => {})
      fail.set(name, failed.reject)
      steps.push(
        `${name}: ${this.name}, sees ${own
          .list(maps)
          .map(({ metadata }) => metadata.name)
          .join(' ')}`.trim(),
      )
      await Promise.race([untilAborted(signal), failed.promise])
      steps.push(`${name}: ${this.name} no more`)
    },
  })
  const clusters = createClusters({
    of: cached(LogicalCluster),
    secretOf: ({ status }) => status?.kubeconfigSecretRef,
    connect: (kubeconfig) => network.connect(kubeconfig),
    start: (cluster) => {
      cluster.cache.declare(maps)
      return [runnableOf(cluster, false), runnableOf(cluster, true)]
    },
    cache,
    client,
    clock,
    random,
    log: silentLog,
    metrics,
    freezes: true,
    ...choice,
  })
  const lease = { namespace: 'default', name: 'windlass' }
  const manager = createManager({
    client,
    cache,
    clock,
    random,
    log: silentLog,
    metrics,
    ...(election === undefined ? {} : { election: { lease, ...election } }),
  })
  manager.add(clusters)
  const stop = new AbortController()
  const ended = manager.run(stop.signal)
  await clock.advance(1000)
  return {
    server,
    network,
    clusters,
    manager,
    metrics,
    steps,
    fail,
    phases: () => Object.fromEntries(clusters.statuses().map(({ name, phase }) => [name, phase])),
    async stop() {
      stop.abort(new Error('stop'))
      await clock.settle()
      await clock.advance(1000)
      await ended
    },
  }
}

async function withFleet(names: readonly string[], choice: Choice, use: (fleet: Fleet) => Promise<void>): Promise<void> {
  await using server = await startWithClusters()
  for (const name of names) {
    await createCluster(server, name)
    await server.create(urls.configMaps('default', inCluster(name)), {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: `of-${name}` },
    })
  }
  const fleet = await startFleet(server, choice)
  await use(fleet)
  await fleet.stop()
}

describe('many clusters', () => {
  it('N22 each cluster is started with its object, with caches of its own', () =>
    withFleet(['a', 'b'], {}, async ({ server, clusters, steps, phases }) => {
      assert.deepEqual(phases(), { a: 'connected', b: 'connected' })
      assert.deepEqual(steps.toSorted(), ['a: leads, sees of-a', 'a: reads, sees of-a', 'b: leads, sees of-b', 'b: reads, sees of-b'])
      await createCluster(server, 'c')
      await server.clock.advance(1000)
      assert.equal(phases().c, 'connected')
      const found = clusters.get({ name: 'c' })
      assert.deepEqual([found?.name, found?.object.metadata.name], ['c', 'c'])
      assert.equal(clusters.connected().length, 3)
    }))

  it('N22 a cluster is stopped with its object, and waited for', () =>
    withFleet(['a', 'b'], {}, async ({ server, clusters, steps, phases }) => {
      const cluster = clusters.get({ name: 'a' })
      steps.length = 0
      await server.remove(urls.logicalCluster('a'))
      await server.clock.advance(5000)
      assert.deepEqual(steps, ['a: leads no more', 'a: reads no more'])
      assert.deepEqual(phases(), { b: 'connected' })
      await assert.rejects(async () => cluster?.client.get(ConfigMap, { namespace: 'default', name: 'of-a' }), /closed/)
    }))

  it('N22 a changed kubeconfig starts the cluster anew, the same one does not', () =>
    withFleet(['a', 'b'], { secrets: Secret }, async ({ server, network, steps, phases }) => {
      const ref = (await server.get(urls.logicalCluster('a'))).status.kubeconfigSecretRef as {
        namespace: string
        name: string
        key: string
      }
      const url = `/api/v1/namespaces/${ref.namespace}/secrets/${ref.name}`
      const rewrite = async (text: string): Promise<void> => {
        await server.merge(url, { data: { [ref.key]: Buffer.from(text).toString('base64') } })
        await server.clock.advance(1000)
      }
      steps.length = 0
      await server.merge(url, { metadata: { labels: { touched: 'yes' } } })
      await server.clock.advance(1000)
      assert.deepEqual(steps, [])
      await rewrite(`server: https://test.example.com${inCluster('a')}\ntoken: another\n`)
      assert.deepEqual(steps.slice(0, 2), ['a: leads no more', 'a: reads no more'])
      assert.deepEqual(new Set(steps.slice(2)), new Set(['a: leads, sees of-a', 'a: reads, sees of-a']))
      assert.match(network.kubeconfigs.at(-1) ?? '', /token: another/)
      assert.deepEqual(phases(), { a: 'connected', b: 'connected' })
    }))

  it('N22 where Secrets are not cached a changed kubeconfig is found after some minutes', () =>
    withFleet(['a'], { recheck: 60_000 }, async ({ server, network }) => {
      const ref = (await server.get(urls.logicalCluster('a'))).status.kubeconfigSecretRef as {
        namespace: string
        name: string
        key: string
      }
      const text = `server: https://test.example.com${inCluster('a')}\ntoken: another\n`
      await server.merge(`/api/v1/namespaces/${ref.namespace}/secrets/${ref.name}`, {
        data: { [ref.key]: Buffer.from(text).toString('base64') },
      })
      await server.clock.advance(80_000)
      assert.equal(network.kubeconfigs.length, 2)
    }))

  it('N22 a cluster that cannot be reached is reported, tried again later, and bothers nobody else', () =>
    withFleet(['a', 'b'], {}, async ({ server, network, clusters, phases }) => {
      network.cut.add(inCluster('c'))
      await createCluster(server, 'c')
      await server.clock.advance(15_000)
      assert.equal(phases().c, 'unreachable')
      const status = clusters.statuses().find(({ name }) => name === 'c')
      assert.match(status?.reason ?? '', /configmaps.*refuses the connection/)
      const tries = network.kubeconfigs.length
      await server.clock.advance(600_000)
      assert.ok(network.kubeconfigs.length - tries < 15, 'it is left alone longer and longer')
      assert.deepEqual([phases().a, phases().b], ['connected', 'connected'])
      network.cut.clear()
      await server.clock.advance(310_000)
      assert.equal(phases().c, 'connected')
    }))

  it('N22 a cluster whose object goes while it is being connected to is given up at once', () =>
    withFleet([], {}, async ({ server, network, phases }) => {
      network.cut.add(inCluster('a'))
      await createCluster(server, 'a')
      await server.clock.advance(2000)
      assert.equal(phases().a, 'connecting')
      await server.remove(urls.logicalCluster('a'))
      await server.settle()
      await server.clock.advance(500)
      assert.deepEqual(phases(), {})
    }))

  it('N22 a cluster that is out of reach after it was connected says so, and is not torn down', () =>
    withFleet(['a'], {}, async ({ server, network, clusters, steps, phases }) => {
      network.cut.add(inCluster('a'))
      await server.clock.advance(700_000)
      assert.equal(phases().a, 'unreachable')
      assert.match(clusters.statuses()[0]?.reason ?? '', /refuses the connection/)
      network.cut.clear()
      await server.clock.advance(60_000)
      assert.equal(phases().a, 'connected')
      assert.equal(steps.length, 2)
    }))

  it('N22 something that fails in one cluster starts that one again', () =>
    withFleet(['a', 'b'], {}, async ({ server, fail, steps, phases }) => {
      steps.length = 0
      fail.get('a')?.(new Error('broken'))
      await server.settle()
      assert.deepEqual(phases(), { a: 'failed', b: 'connected' })
      await server.clock.advance(2000)
      assert.deepEqual(phases(), { a: 'connected', b: 'connected' })
      assert.ok(steps.every((step) => step.startsWith('a: ')))
    }))

  it('N22 a kubeconfig that is none is a problem of its cluster', () =>
    withFleet(
      ['a'],
      { secrets: Secret, secretOf: () => ({ namespace: 'default', name: 'mine' }) },
      async ({ server, clusters, phases }) => {
        assert.deepEqual(clusters.statuses()[0], {
          name: 'a',
          phase: 'waiting',
          since: clusters.statuses()[0]?.since,
          reason: 'there is no Secret default/mine',
        })
        await server.create('/api/v1/namespaces/default/secrets', { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'mine' } })
        await server.clock.advance(100)
        assert.match(clusters.statuses()[0]?.reason ?? '', /has no kubeconfig under kubeconfig or value/)
        await server.merge('/api/v1/namespaces/default/secrets/mine', { data: { value: Buffer.from('nonsense').toString('base64') } })
        await server.clock.advance(100)
        assert.equal(phases().a, 'unreachable')
        assert.equal(clusters.statuses()[0]?.reason, 'this is no kubeconfig')
      },
    ))

  it('N22 no more than so many are connected to at once', async () => {
    let [open, most] = [0, 0]
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    await withFleet(
      names,
      {
        concurrency: 2,
        onStatus: ({ phase }) => {
          if (phase === 'connecting') most = Math.max(most, ++open)
          if (phase === 'connected') open--
        },
      },
      async ({ phases }) => {
        assert.deepEqual(
          Object.values(phases()),
          names.map(() => 'connected'),
        )
      },
    )
    assert.equal(most, 2)
  })

  it('N15 N22 a replica that does not lead has warm caches, and begins at once when it does', async () => {
    await using server = await startWithClusters()
    await createCluster(server, 'a')
    const first = await startFleet(server, { election: { identity: 'first' } })
    const second = await startFleet(server, { election: { identity: 'second' } })
    assert.deepEqual([first.manager.isLeader, second.manager.isLeader], [true, false])
    assert.deepEqual([first.steps.length, second.steps], [2, ['a: reads, sees']])
    assert.equal(second.phases().a, 'connected')
    await first.stop()
    assert.deepEqual(second.steps, ['a: reads, sees', 'a: leads, sees'])
    await second.stop()
    assert.equal(second.steps.at(-2), 'a: leads no more')
  })

  it('N21 N22 metrics of all clusters are one', () =>
    withFleet(['a', 'b'], {}, async ({ server, metrics }) => {
      const value = async (name: string): Promise<string | undefined> =>
        new RegExp(`^${name}\\{cache="configmaps \\(namespaces default\\)"\\} (\\d+)$`, 'm').exec(await metrics.text())?.[1]
      assert.equal(await value('windlass_cache_objects'), '2')
      assert.equal(await value('windlass_watch_restarts_total'), '0')
      await server.remove(urls.logicalCluster('a'))
      await server.clock.advance(5000)
      assert.equal(await value('windlass_cache_objects'), '1')
    }))
})
