import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Lease } from '@windlass/api'
import { admin, startTestServer, type TestServer } from '@windlass/apiserver/testing'
import { seededRandom } from '@windlass/core'
import { type Client, createClient } from '../client/index.ts'
import { silentLog } from '../log.ts'
import { noMetrics } from '../metrics/index.ts'
import { Dice, noFaults } from '../simulation/faults/dice.ts'
import { chosenFaults } from '../simulation/faults/faults.ts'
import { FaultyTransport } from '../simulation/faults/faulty-transport.ts'
import { inProcessTransport } from '../transport/in-process.ts'
import type { Transport } from '../transport/transport.ts'
import { LeaderElector, LeadershipLost } from './index.ts'

const lease = { namespace: 'default', name: 'windlass' }

function wayTo(server: TestServer): Transport {
  return inProcessTransport((request) => server.api.handle(request), { user: admin })
}

function clientOf(server: TestServer, transport = wayTo(server), seed = 'client'): Client {
  return createClient({
    transport,
    clock: server.clock,
    random: seededRandom(seed),
    fieldManager: 'test',
    userAgent: 'test',
    log: silentLog,
    metrics: noMetrics,
  })
}

interface Participant {
  readonly elector: LeaderElector
  readonly acting: Set<string>
  readonly end: Promise<unknown>
  stop(): void
}

function participate(server: TestServer, identity: string, client: Client, acting = new Set<string>()): Participant {
  const stop = new AbortController()
  const elector = new LeaderElector({
    client,
    clock: server.clock,
    random: seededRandom(identity),
    log: silentLog,
    metrics: noMetrics,
    lease,
    identity,
  })
  const end = elector
    .run(stop.signal, async (signal) => {
      acting.add(identity)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      acting.delete(identity)
    })
    .catch((error: unknown) => error)
  return { elector, acting, end, stop: () => stop.abort(new Error('stop')) }
}

describe('leader election on the embedded server', () => {
  it('N14 the lease on the server looks as client-go would write it', async () => {
    await using server = await startTestServer()
    const client = clientOf(server)
    const a = participate(server, 'host-a_1', client)
    await server.clock.advance(10)
    const { spec } = await client.get(Lease, lease)
    const began = spec?.acquireTime ?? ''
    assert.match(began, /^2026-01-01T01:00:00\.\d{6}Z$/)
    assert.deepEqual(spec, {
      holderIdentity: 'host-a_1',
      leaseDurationSeconds: 15,
      acquireTime: began,
      renewTime: began,
      leaseTransitions: 0,
    })
    a.stop()
    await server.clock.advance(10)
    await a.end
    const released = await client.get(Lease, lease)
    assert.equal(released.spec?.holderIdentity ?? '', '')
    assert.equal(released.spec?.leaseDurationSeconds, 1)
  })

  it('N14 who waits takes over when the lease has lasted its time since it was renewed, not since that was noticed', async () => {
    await using server = await startTestServer()
    const acting = new Set<string>()
    let isAlive = true
    const mortal = wayTo(server)
    const dies: Transport = {
      ...mortal,
      host: mortal.host,
      send: (request) => (isAlive ? mortal.send(request) : new Promise(() => {})),
      stream: (request) => mortal.stream(request),
      close: () => mortal.close(),
    }
    participate(server, 'a', clientOf(server, dies), acting)
    await server.clock.advance(1000)
    const b = participate(server, 'b', clientOf(server), acting)
    await server.clock.advance(30_500)
    isAlive = false
    const { spec } = await clientOf(server).get(Lease, lease)
    const renewed = Date.parse(spec?.renewTime ?? '')
    await server.clock.advanceUntil(() => acting.has('b'), 20_000)
    assert.ok(server.clock.now() - renewed <= 15_010, `it took ${server.clock.now() - renewed} ms`)
    b.stop()
    await server.clock.advance(100)
    await b.end
  })

  it('N14 N15 who waits takes over at once when the leader gives up, not when it would have looked next', async () => {
    await using server = await startTestServer()
    const acting = new Set<string>()
    const a = participate(server, 'a', clientOf(server), acting)
    await server.clock.advance(1000)
    const b = participate(server, 'b', clientOf(server), acting)
    await server.clock.advance(60_000)
    assert.deepEqual([...acting], ['a'])
    a.stop()
    await server.settle()
    await server.clock.advance(10)
    assert.deepEqual([...acting], ['b'])
    b.stop()
    await server.clock.advance(10)
    await Promise.all([a.end, b.end])
  })

  it('N14 a leader that is cut off stops acting, and the next one begins after it', async () => {
    await using server = await startTestServer()
    const acting = new Set<string>()
    const network = new FaultyTransport({ inner: wayTo(server), clock: server.clock, dice: quiet(server) })
    const a = participate(server, 'a', clientOf(server, network), acting)
    await server.clock.advance(1000)
    const b = participate(server, 'b', clientOf(server), acting)
    await server.clock.advance(10_000)
    network.cutOff(true)
    const cut = server.clock.now()
    await server.clock.advanceUntil(() => acting.size === 0, 30_000)
    assert.ok(server.clock.now() - cut <= 10_000)
    assert.ok((await a.end) instanceof LeadershipLost)
    assert.equal(await server.clock.advanceUntil(() => acting.has('b'), 30_000), true)
    b.stop()
    await server.clock.advance(10)
    await b.end
  })

  it('N14 at no instant two act on a server whose network loses, delays and refuses', async () => {
    for (const seed of [1, 2, 3, 4, 5, 6]) {
      await using server = await startTestServer()
      const acting = new Set<string>()
      const { clock } = server
      const faults = chosenFaults({
        latency: [1, 800],
        lostRequests: 0.15,
        lostAnswers: 0.15,
        conflicts: 0.1,
        throttles: 0.05,
        outages: 0.1,
      })
      const networks = ['a', 'b', 'c'].map((name) => {
        const dice = new Dice({ seed: `${seed}/${name}`, faults, clock, calmAt: clock.now() + 120_000, counts: noFaults() })
        return { name, network: new FaultyTransport({ inner: wayTo(server), clock, dice }) }
      })
      const all = networks.map(({ name, network }) => participate(server, name, clientOf(server, network, `${seed}/${name}`), acting))
      const random = seededRandom(seed)
      const calmAt = clock.now() + 120_000
      let lawless = 0
      while (clock.now() < calmAt) {
        const { network } = networks[random.below(3)] ?? {}
        network?.cutOff(random.next() < 0.5)
        const change = clock.now() + random.next() * 20_000
        await clock.advanceUntil(() => ((lawless += acting.size > 1 ? 1 : 0), clock.now() >= change), 20_000)
        network?.reconnect()
      }
      assert.equal(lawless, 0, `seed ${seed}`)
      for (const each of all) each.stop()
      await clock.advance(60_000)
      await Promise.all(all.map(({ end }) => end))
    }
  })
})

function quiet({ clock }: TestServer): Dice {
  return new Dice({ seed: 'quiet', faults: {}, clock, calmAt: 0, counts: noFaults() })
}
