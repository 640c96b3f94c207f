import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { ConnectionError, type TransportRequest, type TransportResponse, type TransportStream } from '../../transport/transport.ts'
import { ScriptedTransport } from '../testing/scripted-transport.ts'
import type { Faults } from './faults.ts'
import { faultyTransport, type FaultyTransport } from './faulty-transport.ts'

interface Fixture {
  readonly clock: VirtualClock
  readonly inner: ScriptedTransport
  readonly transport: FaultyTransport
}

/** Requests take no time unless told, so that a test need not turn the clock. */
function aNetwork(faults: Faults): Fixture {
  const clock = new VirtualClock()
  const inner = new ScriptedTransport()
  return { clock, inner, transport: faultyTransport({ inner, clock, seed: 1, faults: { latency: [0, 0], ...faults } }) }
}

const change: TransportRequest = { method: 'PATCH', path: '/api/v1/namespaces/a/pods/b', body: '{}' }
const watch: TransportRequest = { method: 'GET', path: '/api/v1/pods?watch=true' }

/** What became of a promise so far. */
function outcome(promise: Promise<TransportResponse>): () => TransportResponse | Error | 'pending' {
  let seen: TransportResponse | Error | 'pending' = 'pending'
  promise.then(
    (value) => (seen = value),
    (error: unknown) => (seen = error instanceof Error ? error : new Error(String(error))),
  )
  return () => seen
}

/** Nobody knows what became of the request. */
function isDoubtful(seen: unknown): boolean {
  return seen instanceof ConnectionError && !seen.isUnsent
}

/** Reads a stream to its end, into a list that can be looked at meanwhile. */
function reading(stream: TransportStream): { readonly pieces: string[]; end: unknown } {
  const seen: { readonly pieces: string[]; end: unknown } = { pieces: [], end: 'open' }
  const read = async (): Promise<void> => {
    for await (const piece of stream.chunks) seen.pieces.push(piece.toString())
  }
  read().then(
    () => (seen.end = 'done'),
    (error: unknown) => (seen.end = error),
  )
  return seen
}

describe('Simulation boundary: requests', () => {
  it('take their time, there and back', async () => {
    const { clock, inner, transport } = aNetwork({ latency: [100, 100] })
    const sent = transport.send(change)
    const answer = outcome(sent)
    await clock.settle()
    assert.deepEqual([inner.received.length, answer()], [0, 'pending'])
    await clock.advance(99)
    assert.equal(answer(), 'pending')
    await clock.advance(1)
    assert.equal((await sent).status, 200)
    assert.equal(clock.monotonic(), 100)
  })

  it('that are lost never reach the server', async () => {
    const { clock, inner, transport } = aNetwork({ lostRequests: 1 })
    const answer = outcome(transport.send(change))
    await clock.settle()
    assert.ok(isDoubtful(answer()))
    assert.deepEqual(inner.received, [])
  })

  it('whose answer is lost have been carried out', async () => {
    const { clock, inner, transport } = aNetwork({ lostAnswers: 1 })
    const answer = outcome(transport.send(change))
    await clock.settle()
    assert.ok(isDoubtful(answer()))
    assert.equal(inner.received.length, 1)
    assert.equal(transport.faults.lostAnswers, 1)
  })

  for (const [kind, status, reason] of [
    ['conflicts', 409, 'Conflict'],
    ['throttles', 429, 'TooManyRequests'],
    ['outages', 503, 'ServiceUnavailable'],
  ] as const) {
    it(`can be refused with ${status}, and are not carried out then`, async () => {
      const { inner, transport } = aNetwork({ [kind]: 1 })
      const answer = await transport.send(change)
      const { kind: what, reason: why, code } = JSON.parse(answer.body.toString()) as Record<string, unknown>
      assert.deepEqual([answer.status, what, why, code], [status, 'Status', reason, status])
      if (status === 429) assert.match(answer.headers['retry-after'] ?? '', /^[1-3]$/)
      assert.deepEqual(inner.received, [])
    })
  }

  it('that change nothing are never told of a conflict', async () => {
    const { transport } = aNetwork({ conflicts: 1 })
    for (const method of ['GET', 'POST', 'DELETE'] as const) assert.equal((await transport.send({ ...change, method })).status, 200)
  })

  it('for lists may take longer than anybody waits', async () => {
    const { clock, transport } = aNetwork({ slowLists: 1 })
    const answer = outcome(transport.send({ method: 'GET', path: '/api/v1/pods' }))
    await clock.advance(1999)
    assert.equal(answer(), 'pending')
    await clock.advance(90_000)
    assert.notEqual(answer(), 'pending')
  })

  it('are given up when their caller is aborted, with its reason, though they still arrive', async () => {
    const { clock, inner, transport } = aNetwork({ latency: [100, 100] })
    const abort = new AbortController()
    const answer = outcome(transport.send({ ...change, signal: abort.signal }))
    const reason = new Error('no more patience')
    abort.abort(reason)
    await clock.settle()
    assert.equal(answer(), reason)
    await clock.advance(100)
    assert.equal(inner.received.length, 1)
    await assert.rejects(transport.send({ ...change, signal: abort.signal }), reason)
    assert.equal(inner.received.length, 1)
  })
})

describe('Simulation boundary: watches', () => {
  it('deliver late what is delayed, torn anywhere, and in order', async () => {
    const { clock, inner, transport } = aNetwork({ watchDelays: 0.5 })
    const seen = reading(await transport.stream(watch))
    let sent = ''
    for (let number = 0; number < 200; number++) {
      const piece = `{"event":${number}}\n`
      sent += piece
      inner.streams[0]?.push(Buffer.from(piece))
      await clock.advance(100)
    }
    assert.ok(seen.pieces.join('').length < sent.length)
    assert.ok(seen.pieces.some((piece) => !piece.endsWith('\n')))
    inner.streams[0]?.end()
    await clock.advance(10_000)
    assert.equal(seen.pieces.join(''), sent)
    assert.equal(seen.end, 'done')
    assert.ok(transport.faults.watchDelays > 0)
  })

  it('break at some moment, with an error or without', async () => {
    const { clock, inner, transport } = aNetwork({ watchCuts: '1m' })
    const all = await Promise.all(Array.from({ length: 20 }, async () => reading(await transport.stream(watch))))
    await clock.advance(3_600_000)
    assert.equal(transport.faults.watchCuts, 20)
    assert.ok(all.some(({ end }) => end === 'done') && all.some(({ end }) => end instanceof ConnectionError))
    assert.equal(inner.left.length, 20)
  })

  it('fall silent without an end', async () => {
    const { clock, inner, transport } = aNetwork({ watchStalls: 1 })
    const seen = reading(await transport.stream(watch))
    await clock.advance(60_001)
    inner.streams[0]?.push(Buffer.from('nobody hears this'))
    inner.streams[0]?.end()
    await clock.advance(3_600_000)
    assert.deepEqual(seen, { pieces: [], end: 'open' })
  })

  it('end at the server when their reader leaves or is aborted', async () => {
    const { clock, inner, transport } = aNetwork({})
    const stream = await transport.stream(watch)
    inner.streams[0]?.push(Buffer.from('one'))
    for await (const piece of stream.chunks) {
      assert.equal(piece.toString(), 'one')
      break
    }
    assert.equal(inner.left.length, 1)
    const abort = new AbortController()
    const seen = reading(await transport.stream({ ...watch, signal: abort.signal }))
    const reason = new Error('no longer needed')
    abort.abort(reason)
    await clock.settle()
    assert.equal(seen.end, reason)
    assert.equal(inner.left.length, 2)
  })
})

describe('Simulation boundary: a process', () => {
  it('that is refused the API fails at once and loses its watches', async () => {
    const { clock, inner, transport } = aNetwork({})
    const seen = reading(await transport.stream(watch))
    transport.cutOff(false)
    await assert.rejects(transport.send(change), (error) => error instanceof ConnectionError && error.isUnsent)
    await clock.settle()
    assert.ok(seen.end instanceof ConnectionError)
    assert.equal(inner.received.length, 1)
    transport.reconnect()
    assert.equal((await transport.send(change)).status, 200)
  })

  it('that hears nothing of the API waits until it is back, and then knows nothing', async () => {
    const { clock, inner, transport } = aNetwork({})
    const seen = reading(await transport.stream(watch))
    transport.cutOff(true)
    const answer = outcome(transport.send(change))
    inner.streams[0]?.push(Buffer.from('lost'))
    await clock.advance(30_000)
    assert.deepEqual([answer(), seen.end], ['pending', 'open'])
    transport.reconnect()
    await clock.settle()
    assert.ok(isDoubtful(answer()) && isDoubtful(seen.end))
    assert.deepEqual(seen.pieces, [])
  })

  it('that is cut off while the server works does not learn of the result', async () => {
    const { clock, inner, transport } = aNetwork({ latency: [100, 100] })
    const answer = outcome(transport.send(change))
    while (inner.received.length === 0) await clock.step()
    transport.cutOff(false)
    transport.reconnect()
    transport.cutOff(true)
    await clock.advance(200)
    assert.equal(answer(), 'pending')
    transport.reconnect()
    await clock.settle()
    assert.ok(isDoubtful(answer()))
  })

  it('that is dead hears nothing, though what it sent still arrives and its watches end', async () => {
    const { clock, inner, transport } = aNetwork({ latency: [100, 100] })
    const opened = transport.stream(watch)
    await clock.advance(100)
    const seen = reading(await opened)
    const answer = outcome(transport.send(change))
    transport.kill()
    await clock.advance(1000)
    assert.deepEqual([answer(), seen.end], ['pending', 'open'])
    assert.equal(inner.received.length, 2)
    assert.equal(inner.left.length, 1)
  })
})
