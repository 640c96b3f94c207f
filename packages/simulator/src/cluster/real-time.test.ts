import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, Node } from '@windlass/api'
import { type JsonObject, startEmbedded } from '@windlass/apiserver'
import { systemClock, systemRandom } from '@windlass/core'
import { type Client, connector, createMetrics, createOperator, silentLog } from '@windlass/kube'
import { clusterControllers, place, standaloneCluster } from './index.ts'
import { aRelease, definitions, updates, versionName } from './testing/index.ts'

async function isUpdated(client: Client): Promise<boolean> {
  const [newest] = (await client.get(ClusterVersion, versionName)).status?.history ?? []
  if (newest?.version !== '4.18.16' || newest.state !== 'Completed') return false
  for await (const { status } of client.list(Node)) if (status?.nodeInfo?.kubeletVersion !== 'v1.31.16') return false
  return true
}

describe('a cluster in real time', () => {
  it('is updated over HTTPS, an hour and a half in a few seconds', { timeout: 120_000 }, async () => {
    const [clock, random, log, metrics] = [systemClock, systemRandom, silentLog, createMetrics()]
    const embedded = await startEmbedded({
      definitions: definitions.map((definition) => ({ ...definition }) as Record<string, unknown> as JsonObject),
    })
    const client = await connector({ clock, random, metrics, log, fieldManager: 'test', userAgent: 'test' })(
      embedded.kubeconfig,
      'the cluster',
    )
    await place(client, standaloneCluster({ release: aRelease('4.18.15'), installed: clock.now() }))
    const stop = new AbortController()
    const controllers = clusterControllers({ seed: 1, speed: 2_000, updates })
    const ended = createOperator({ client, controllers, clock, random, log, metrics, instance: 'test' }).run(stop.signal)
    try {
      await client.patch(ClusterVersion, versionName, { spec: { desiredUpdate: aRelease('4.18.16') } })
      const deadline = clock.monotonic() + 60_000
      while (!(await isUpdated(client))) {
        assert.ok(clock.monotonic() < deadline, 'it was not updated in time')
        await clock.sleep(100)
      }
    } finally {
      stop.abort(new Error('stop'))
      await ended
      await client.close()
      await embedded.close()
    }
  })
})
