import assert from 'node:assert/strict'
import { request } from 'node:http'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { NodePool } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import { until } from '@windlass/apiserver/testing'
import { seededRandom, systemClock, VirtualClock } from '@windlass/core'
import type { ControllerRunner } from '../controller/index.ts'
import { calm, LeaseApi } from '../election/testing/lease-api.ts'
import { silentLog } from '../log.ts'
import { createMetrics } from '../metrics/index.ts'
import { event, History } from '../plan/index.ts'
import { createManager, type Inspection, serveEndpoints } from './index.ts'
import { FakeCache } from './testing/fake-cache.ts'

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

function ask(url: string, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    request(url, { method, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => (text += chunk.toString()))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, type: response.headers['content-type'] ?? '', text }))
    })
      .on('error', reject)
      .end()
  })
}

function aController(name: string, history = new History()): ControllerRunner {
  return {
    name,
    kind: NodePool,
    needsLeadership: true,
    history,
    queue: (limit = 1000) => ({
      running: 0,
      waiting: 2,
      delayed: 0,
      keys: ['clusters/a', 'clusters/b']
        .slice(0, limit)
        .map((key) => ({ key, stage: 'waiting', priority: 0, since: '2026-01-01T00:00:00Z', why: 'waits for a free worker' })),
    }),
    trigger() {},
    setMaxConcurrent() {},
    run: () => Promise.resolve(),
  }
}

function inspection(more: Partial<Inspection> = {}): Inspection {
  return {
    checks: [
      { name: 'ping', of: 'liveness', problem: () => undefined },
      { name: 'caches', of: 'readiness', problem: () => 'not filled yet: nodepools' },
    ],
    caches: new FakeCache().describe(),
    controllers: [],
    clusters: [],
    metrics: createMetrics(),
    ...more,
  }
}

async function serving(more: Partial<Inspection>, use: (url: string) => Promise<void>): Promise<void> {
  const endpoints = await serveEndpoints(() => inspection(more), { clock: systemClock, health: { port: 0 }, metrics: { port: 0 } })
  try {
    await use(endpoints.urls[0] ?? '')
  } finally {
    await endpoints.close()
  }
}

describe('endpoints', () => {
  it('N20 health is ok, and in detail when asked', () =>
    serving({}, async (url) => {
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/)
      assert.deepEqual(await ask(`${url}/healthz`), { status: 200, type: 'text/plain; charset=utf-8', text: 'ok' })
      assert.equal((await ask(`${url}/livez?verbose`)).text, '[+]ping ok\nlivez check passed\n')
      assert.equal((await ask(`${url}/healthz/ping`)).status, 200)
      assert.equal((await ask(`${url}/healthz/pong`)).status, 404)
    }))

  it('N20 who is not ready says why', () =>
    serving({}, async (url) => {
      const { status, text } = await ask(`${url}/readyz`)
      assert.equal(status, 500)
      assert.equal(text, '[+]ping ok\n[-]caches failed: not filled yet: nodepools\nreadyz check failed\n')
    }))

  it('N20 N21 metrics come as Prometheus reads them', () =>
    serving({}, async (url) => {
      const { status, type, text } = await ask(`${url}/metrics`)
      assert.equal(status, 200)
      assert.equal(type, 'text/plain; version=0.0.4; charset=utf-8')
      assert.match(text, /^# TYPE workqueue_depth gauge$/m)
    }))

  const pieces = (made: () => AsyncGenerator<string>) => ({ metrics: { contentType: 'text/plain', pieces: made } })

  it('N20 N21 a long answer comes whole, piece by piece, and others have a turn meanwhile', async () => {
    const piece = `${'x'.repeat(2 ** 18 - 1)}\n`
    let turns = 0
    const ticking = setInterval(() => turns++, 1)
    await serving(
      pieces(async function* () {
        for (let count = 0; count < 200; count++) yield piece
      }),
      async (url) => assert.equal((await ask(`${url}/metrics`)).text.length, 200 * 2 ** 18),
    )
    clearInterval(ticking)
    assert.ok(turns > 0)
  })

  it('N20 N21 what fails at once is a failure, and what fails on the way does not look whole', async () => {
    await serving(
      pieces(async function* () {
        yield await Promise.reject<string>(new Error('no figures'))
      }),
      async (url) =>
        assert.deepEqual(await ask(`${url}/metrics`), { status: 500, type: 'text/plain; charset=utf-8', text: 'no figures\n' }),
    )
    await serving(
      pieces(async function* () {
        yield 'a 1\n'
        throw new Error('no more figures')
      }),
      (url) => assert.rejects(ask(`${url}/metrics`)),
    )
  })

  it('N20 caches and queues can be looked into', () =>
    serving({ controllers: [aController('node-pool'), aController('other')] }, async (url) => {
      const { caches } = JSON.parse((await ask(`${url}/debug/cache`)).text) as { caches: object[] }
      assert.deepEqual(caches, [
        { name: 'widgets.test.windlass.dev', objects: 0, hasSynced: false, resourceVersion: '1', lists: 1, watches: 1 },
      ])
      const all = JSON.parse((await ask(`${url}/debug/queue`)).text) as { controllers: { name: string; waiting: number }[] }
      assert.deepEqual(
        all.controllers.map(({ name, waiting }) => [name, waiting]),
        [
          ['node-pool', 2],
          ['other', 2],
        ],
      )
      const one = JSON.parse((await ask(`${url}/debug/queue/other?limit=1`)).text) as { controllers: { name: string; keys: object[] }[] }
      assert.deepEqual(
        one.controllers.map(({ name, keys }) => [name, keys.length]),
        [['other', 1]],
      )
      assert.equal((await ask(`${url}/debug/queue?limit=many`)).status, 400)
      assert.equal((await ask(`${url}/debug/queue/none`)).status, 404)
    }))

  it('N20 what was decided about an object, and why', () => {
    const history = new History()
    const pool = aNodePool()
    const plan = { actions: [event(pool, 'Normal', 'Waits', 'for a node', 'a node is not ready')], waitingFor: 'the node worker-1' }
    history.record('clusters/workers', { reconcileID: 'r-1', startedAt: 0, milliseconds: 3, result: 'success', plan })
    return serving({ controllers: [aController('node-pool', history), aController('other')] }, async (url) => {
      const known = JSON.parse((await ask(`${url}/debug/reconcile`)).text) as { controllers: object[] }
      assert.deepEqual(known.controllers, [
        { controller: 'node-pool', kind: 'NodePool', known: 1, objects: ['clusters/workers'] },
        { controller: 'other', kind: 'NodePool', known: 0, objects: [] },
      ])
      for (const kind of ['NodePool', 'nodepool', 'nodepools', 'nodepools.hypershift.openshift.io']) {
        const { status, text } = await ask(`${url}/debug/reconcile/${kind}/clusters/workers`)
        assert.equal(status, 200)
        const seen = JSON.parse(text) as { kind: string; controllers: { controller: string; passes: { waitingFor: string }[] }[] }
        assert.equal(seen.kind, 'NodePool')
        assert.deepEqual(
          seen.controllers.map(({ controller, passes }) => [controller, passes[0]?.waitingFor]),
          [['node-pool', 'the node worker-1']],
        )
      }
      const unknown = await ask(`${url}/debug/reconcile/NodePool/-/workers`)
      assert.equal(unknown.status, 404)
      assert.match(unknown.text, /nothing is remembered of it/)
      assert.match((await ask(`${url}/debug/reconcile/Pod/a/b`)).text, /no controller looks after Pod/)
    })
  })

  it('N20 what is not there is answered with what is', () =>
    serving({}, async (url) => {
      const { status, text } = await ask(`${url}/debug/pprof`)
      assert.equal(status, 404)
      assert.match(text, /^there is nothing at \/debug\/pprof\. These are the paths:\n {2}\/healthz/)
      for (const path of ['/readyz', '/livez', '/metrics', '/debug/queue', '/debug/cache', '/debug/reconcile'])
        assert.ok(text.includes(`  ${path}`), path)
      assert.equal((await ask(`${url}/healthz`, 'POST')).status, 405)
      assert.deepEqual((await ask(`${url}/healthz`, 'HEAD')).text, '')
    }))

  it('N20 on two ports metrics are apart, and objects are shown to this machine only', async () => {
    const shared = await serveEndpoints(() => inspection(), { clock: systemClock, health: { port: 0 }, metrics: { port: 0 } })
    assert.equal(shared.urls.length, 1)
    const port = Number(new URL(shared.urls[0] ?? '').port)
    await shared.close()
    const apart = await serveEndpoints(() => inspection(), {
      clock: systemClock,
      health: { port: 0, host: '0.0.0.0' },
      metrics: { port, host: '127.0.0.1' },
    })
    const [health = '', metrics = ''] = apart.urls.map((url) => url.replace('0.0.0.0', '127.0.0.1'))
    assert.deepEqual(
      await Promise.all(
        [`${health}/healthz`, `${health}/metrics`, `${health}/debug/cache`, `${metrics}/metrics`, `${metrics}/healthz`].map(
          async (url) => (await ask(url)).status,
        ),
      ),
      [200, 404, 404, 200, 404],
    )
    await apart.close()
  })

  it('N20 a port that is taken is named', async () => {
    const taken = await serveEndpoints(() => inspection(), { clock: systemClock, health: { port: 0 } })
    const port = Number(new URL(taken.urls[0] ?? '').port)
    await assert.rejects(
      serveEndpoints(() => inspection(), { clock: systemClock, health: { port } }),
      new RegExp(`cannot serve health, debug at 127\\.0\\.0\\.1:${port}: .*EADDRINUSE.* Choose another port`),
    )
    await taken.close()
  })

  it('N20 a client that never finishes asking does not keep the port open', async () => {
    const endpoints = await serveEndpoints(() => inspection(), { clock: systemClock, health: { port: 0 } })
    const socket = connect(Number(new URL(endpoints.urls[0] ?? '').port), '127.0.0.1', () => socket.write('GET /healthz HTTP/1.1\r\n'))
    socket.on('error', () => {})
    await until(() => socket.bytesWritten > 0)
    await endpoints.close()
  })

  it('N20 a manager serves them from the start to the end, and tells when it is ready', async () => {
    const clock = new VirtualClock()
    const random = seededRandom('endpoints')
    const cache = new FakeCache()
    const api = new LeaseApi(clock, random)
    api.trouble = { ...calm, latency: 0 }
    const manager = createManager({
      client: api.client(),
      cache,
      clock,
      random,
      log: silentLog,
      metrics: createMetrics(),
      election: { lease: { namespace: 'default', name: 'windlass' }, identity: 'a' },
      health: { port: 0 },
      metricsEndpoint: { port: 0 },
    })
    const stop = new AbortController()
    const ended = manager.run(stop.signal)
    await until(() => manager.urls.length > 0)
    const [url = ''] = manager.urls
    const notYet = await ask(`${url}/readyz`)
    assert.deepEqual([notYet.status, (await ask(`${url}/livez`)).status], [500, 200])
    assert.match(notYet.text, /\[-\]caches failed: not filled yet: widgets\.test\.windlass\.dev/)
    assert.match(notYet.text, /\[-\]start failed: the process is starting/)
    cache.fill()
    await clock.advance(1000)
    assert.equal((await ask(`${url}/readyz`)).text, 'ok')
    assert.match((await ask(`${url}/metrics`)).text, /leader_election_master_status\{name="windlass"\} 1/)
    stop.abort(new Error('stop'))
    await clock.settle()
    await clock.advance(1000)
    await ended
    await assert.rejects(ask(`${url}/healthz`), /ECONNREFUSED/)
  })
})
