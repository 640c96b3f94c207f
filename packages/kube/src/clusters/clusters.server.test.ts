import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, LogicalCluster, toCrd } from '@windlass/api'
import { type JsonObject, startEmbedded } from '@windlass/apiserver'
import { until } from '@windlass/apiserver/testing'
import { systemClock, systemRandom } from '@windlass/core'
import { cached, createSharedCache } from '../cache/index.ts'
import { silentLog } from '../log.ts'
import { createManager } from '../manager/index.ts'
import { untilAborted } from '../manager/until-aborted.ts'
import { createMetrics } from '../metrics/index.ts'
import { connector, createClusters } from './index.ts'

const definition = { ...toCrd(LogicalCluster) } as Record<string, unknown> as JsonObject

describe('many clusters over HTTPS', () => {
  it('N22 kubeconfigs from Secrets lead to clusters, which come and go with their objects', async () => {
    const embedded = await startEmbedded({ definitions: [definition] })
    const [clock, random, metrics, log] = [systemClock, systemRandom, createMetrics(), silentLog]
    const connect = connector({ clock, random, metrics, log, fieldManager: 'test', userAgent: 'test' })
    const client = await connect(embedded.kubeconfig, 'the management cluster')
    const cache = createSharedCache({ client, clock, random, log, metrics })
    const running = new Set<string>()
    const clusters = createClusters({
      of: cached(LogicalCluster),
      secretOf: ({ status }) => status?.kubeconfigSecretRef,
      connect,
      start: (cluster) => {
        cluster.cache.declare(cached(ConfigMap))
        const run = async (signal: AbortSignal): Promise<void> => {
          running.add(cluster.name)
          await cluster.client.create(ConfigMap, { metadata: { namespace: 'default', name: 'been-here' } }, { signal })
          await untilAborted(signal)
          running.delete(cluster.name)
        }
        return [{ name: 'visitor', needsLeadership: true, run }]
      },
      cache,
      client,
      clock,
      random,
      log,
      metrics,
    })
    const manager = createManager({ client, cache, clock, random, log, metrics })
    manager.add(clusters)
    const stop = new AbortController()
    const ended = manager.run(stop.signal)
    try {
      for (const name of ['east', 'west']) await client.create(LogicalCluster, { metadata: { name }, spec: {} })
      await until(() => running.size === 2)
      const east = clusters.get({ name: 'east' })
      assert.ok(east !== undefined)
      await until(() => east.cache.get(ConfigMap, { namespace: 'default', name: 'been-here' }) !== undefined)
      assert.equal(await client.find(ConfigMap, { namespace: 'default', name: 'been-here' }), undefined, 'each cluster has its own')
      await client.delete(LogicalCluster, { name: 'east' })
      await until(() => clusters.statuses().length === 1)
      assert.deepEqual([...running], ['west'])
      assert.deepEqual(
        clusters.statuses().map(({ name, phase }) => [name, phase]),
        [['west', 'connected']],
      )
    } finally {
      stop.abort(new Error('stop'))
      await ended
      await client.close()
      await embedded.close()
    }
    assert.equal(running.size, 0)
  })
})
