import assert from 'node:assert/strict'
import { get } from 'node:http'
import { describe, it } from 'node:test'
import { ConfigMap, Event, Lease } from '@windlass/api'
import { admin, startTestServer, type TestServer, until } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { cached, createSharedCache } from '../cache/index.ts'
import { type Client, createClient } from '../client/index.ts'
import { type ControllerDefinition, createController } from '../controller/index.ts'
import { LeadershipLost } from '../election/index.ts'
import { createEventRecorder } from '../events/index.ts'
import { silentLog } from '../log.ts'
import { createMetrics, type Metrics } from '../metrics/index.ts'
import { done, event, patch, plan } from '../plan/index.ts'
import { Dice, noFaults } from '../simulation/faults/dice.ts'
import { FaultyTransport } from '../simulation/faults/faulty-transport.ts'
import { inProcessTransport } from '../transport/index.ts'
import { createManager, type Manager, type ManagerOptions } from './index.ts'

const lease = { namespace: 'default', name: 'windlass' }
const maps = cached(ConfigMap, { namespaces: ['default'] })

/** Marks every ConfigMap with who has seen it. */
function marker(identity: string): ControllerDefinition<ConfigMap, ConfigMap> {
  return {
    name: 'marker',
    for: maps,
    maxConcurrent: 50,
    observe: (ref, cache) => cache.get(maps, ref),
    decide: (map) => {
      const { namespace, name = '' } = map.metadata
      if (map.data?.['seen'] !== undefined || namespace === undefined) return done
      const mark = patch(ConfigMap, { namespace, name }, { data: { seen: identity } }, 'nobody has seen it')
      return plan(mark, event(map, 'Normal', 'Seen', `${identity} has seen it`))
    },
  }
}

interface Process {
  readonly manager: Manager
  readonly network: FaultyTransport
  readonly client: Client
  readonly metrics: Metrics
  readonly ended: Promise<unknown>
  readonly stop: () => Promise<unknown>
}

/** A whole process on the real client, caches, controller and recorder. */
function startProcess(server: TestServer, identity: string, more: Partial<ManagerOptions> = {}): Process {
  const { clock } = server
  const random = seededRandom(identity)
  const dice = new Dice({ seed: identity, faults: {}, clock, calmAt: 0, counts: noFaults() })
  const inner = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const network = new FaultyTransport({ inner, clock, dice })
  const client = createClient({ transport: network, clock, random, fieldManager: 'test', userAgent: 'test' })
  // The test's own questions take no virtual time: it asks while the clock stands still.
  const asking = createClient({ transport: inner, clock, random, fieldManager: 'test', userAgent: 'test' })
  const metrics = createMetrics()
  const log = silentLog
  const cache = createSharedCache({ client, clock, random, log, metrics })
  const events = createEventRecorder({ client, clock, random, log, controller: 'windlass.dev/marker', instance: identity })
  const manager = createManager({ client, cache, clock, random, log, metrics, election: { lease, identity }, ...more })
  manager.add(events)
  manager.add(createController(marker(identity), { client, cache, clock, random, log, metrics, events }))
  const abort = new AbortController()
  const ended = manager.run(abort.signal).catch((error: unknown) => error)
  const stop = async (): Promise<unknown> => {
    abort.abort(new Error('stop'))
    await clock.advance(100)
    return ended
  }
  return { manager, network, client: asking, metrics, ended, stop }
}

async function fill(server: TestServer, count: number, prefix: string): Promise<void> {
  const objects = Array.from({ length: count }, (_, number) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${prefix}-${number}` },
  }))
  await server.createAll('/api/v1/namespaces/default/configmaps', objects)
}

async function seenBy(client: Client, identity: string): Promise<number> {
  let count = 0
  for await (const { data } of client.list(ConfigMap, { namespace: 'default' })) if (data?.['seen'] === identity) count++
  return count
}

describe('a process on the embedded server', () => {
  it('N19 starts, works, tells what it did, and leaves nothing behind when it stops', async () => {
    await using server = await startTestServer()
    await fill(server, 20, 'map')
    const { manager, client, metrics, stop } = startProcess(server, 'a')
    await server.clock.advance(1000)
    assert.equal(await seenBy(client, 'a'), 20)
    assert.deepEqual([manager.isReady, manager.isLeader], [true, true])
    assert.match(await metrics.text(), /controller_runtime_reconcile_total\{controller="marker",result="success"\} [1-9]/)
    assert.match(await metrics.text(), /windlass_cache_objects\{cache="configmaps \(namespaces default\)"\} 20/)
    assert.equal(await stop(), undefined)
    assert.equal((await client.get(Lease, lease)).spec?.holderIdentity ?? '', '')
    let events = 0
    for await (const each of client.list(Event, { namespace: 'default' })) if (each.reportingInstance === 'a') events++
    assert.equal(events, 20)
    const requests = server.revision
    await server.clock.advance(600_000)
    assert.equal(server.revision, requests, 'nothing writes any more')
  })

  it('N15 a warm replica takes over from one that stops in much less than two seconds', async () => {
    await using server = await startTestServer()
    await fill(server, 2000, 'map')
    const first = startProcess(server, 'a')
    await server.clock.advance(5000)
    const second = startProcess(server, 'b')
    await server.clock.advance(20_000)
    assert.deepEqual([first.manager.isLeader, second.manager.isLeader, second.manager.isReady], [true, false, true])
    assert.equal(await seenBy(first.client, 'a'), 2000)
    const listed = second.manager.inspect().caches[0]
    assert.deepEqual([listed?.objects, listed?.lists], [2000, 1])
    const begun = server.clock.now()
    await first.stop()
    await fill(server, 1, 'later')
    const isDone = await server.clock.advanceUntil(() => second.manager.isLeader, 2000)
    await server.clock.advance(100)
    assert.ok(isDone && server.clock.now() - begun < 500, `${server.clock.now() - begun} ms`)
    assert.equal(await seenBy(second.client, 'b'), 1)
    assert.equal(second.manager.inspect().caches[0]?.lists, 1, 'nothing was listed again')
    await second.stop()
  })

  it('N14 N19 a process that is cut off exits before another acts', async () => {
    await using server = await startTestServer()
    const first = startProcess(server, 'a')
    await server.clock.advance(5000)
    const second = startProcess(server, 'b')
    await server.clock.advance(5000)
    first.network.cutOff(true)
    assert.equal(await server.clock.advanceUntil(() => second.manager.isLeader, 60_000), true)
    assert.ok((await first.ended) instanceof LeadershipLost)
    await fill(server, 3, 'map')
    await server.clock.advance(100)
    assert.equal(await seenBy(second.client, 'b'), 3)
    first.network.reconnect()
    await second.stop()
  })

  it('N20 what was decided about an object can be asked for over HTTP', async () => {
    await using server = await startTestServer()
    await fill(server, 1, 'map')
    const { manager, stop } = startProcess(server, 'a', { health: { port: 0 }, metricsEndpoint: { port: 0 } })
    await until(() => manager.urls.length > 0)
    await server.clock.advance(1000)
    const [url = ''] = manager.urls
    const seen = JSON.parse(await textAt(`${url}/debug/reconcile/ConfigMap/default/map-0`)) as {
      controllers: { controller: string; passes: { actions: { do: string; because: string; outcome: string }[] }[] }[]
    }
    const [marked] = seen.controllers
    const first = marked?.passes.at(-1)
    assert.equal(marked?.controller, 'marker')
    assert.deepEqual(
      first?.actions.map((action) => [action.do, action.because, action.outcome]),
      [
        ['patch', 'nobody has seen it', 'sent'],
        ['event', 'a has seen it', 'sent'],
      ],
    )
    assert.match(await textAt(`${url}/debug/cache`), /"name": "configmaps \(namespaces default\)"/)
    assert.match(await textAt(`${url}/debug/queue`), /"name": "marker"/)
    assert.equal(await textAt(`${url}/readyz`), 'ok')
    assert.match(await textAt(`${url}/metrics`), /leader_election_master_status\{name="windlass"\} 1/)
    await stop()
  })
})

function textAt(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve(text))
    }).on('error', reject)
  })
}
