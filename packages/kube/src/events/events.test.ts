import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Event, KubernetesObject, Resource } from '@windlass/api'
import { seededRandom, VirtualClock } from '@windlass/core'
import * as fc from 'fast-check'
import { ApiError, type Draft, type Patch, type Ref } from '../client/index.ts'
import { type Log, silentLog } from '../log.ts'
import { ConnectionError } from '../transport/transport.ts'
import { cut, cutNote, eventName } from './describe.ts'
import { createEventRecorder, type EventRecorderOptions, type Occurrence } from './index.ts'
import type { EventClient } from './outbox.ts'

const pool: KubernetesObject = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'NodePool',
  metadata: { namespace: 'clusters', name: 'workers', uid: 'u-1', resourceVersion: '7' },
}
const scaled: Occurrence = { regarding: pool, type: 'Normal', reason: 'Scaled', action: 'Scaling', note: 'to 3 nodes' }

/** Takes 10 ms for everything, and fails as it is told. */
class Server implements EventClient {
  readonly clock = new VirtualClock()
  readonly created: Draft<Event>[] = []
  readonly patched: { readonly name: string; readonly series: unknown }[] = []
  failures: Error[] = []
  isGone = false

  async create<T extends KubernetesObject>(_kind: Resource<T>, object: Draft<T>): Promise<T> {
    await this.#answer()
    this.created.push(object as object as Draft<Event>)
    return object as object as T
  }

  async patch<T extends KubernetesObject>(_kind: Resource<T>, { name }: Ref, patch: Patch): Promise<T> {
    await this.#answer()
    this.patched.push({ name, series: 'series' in patch ? patch.series : undefined })
    return {} as T
  }

  async #answer(): Promise<void> {
    await this.clock.sleep(10)
    const failure = this.isGone ? new ConnectionError('connection refused', 'ECONNREFUSED') : this.failures.shift()
    if (failure !== undefined) throw failure
  }
}

function setUp(more: Partial<EventRecorderOptions> = {}) {
  const server = new Server()
  const { clock } = server
  const recorder = createEventRecorder({
    client: server,
    clock,
    random: seededRandom('events'),
    log: silentLog,
    controller: 'windlass.dev/node-pool',
    instance: 'windlass-0',
    ...more,
  })
  const stop = new AbortController()
  const ended = recorder.run(stop.signal)
  return { server, clock, recorder, ended, stop: () => stop.abort(new Error('stop')) }
}

function refusal(code: number, reason: string): ApiError {
  return new ApiError({ code, reason, message: reason }, 'PATCH /events')
}

describe('events', () => {
  it('N18 an occurrence becomes an event beside the object', async () => {
    const { server, clock, recorder } = setUp()
    recorder.record(scaled)
    await clock.advance(100)
    assert.equal(server.created.length, 1)
    const { metadata, ...event } = server.created[0] ?? { metadata: {} }
    assert.equal(metadata.namespace, 'clusters')
    assert.match(metadata.name ?? '', /^workers\.[0-9a-f]{16}$/)
    assert.deepEqual(event, {
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'windlass.dev/node-pool',
      reportingInstance: 'windlass-0',
      action: 'Scaling',
      reason: 'Scaled',
      regarding: {
        apiVersion: 'hypershift.openshift.io/v1beta1',
        kind: 'NodePool',
        namespace: 'clusters',
        name: 'workers',
        uid: 'u-1',
        resourceVersion: '7',
      },
      note: 'to 3 nodes',
      type: 'Normal',
    })
  })

  it('N18 an object without a namespace has its events in default, and without a namespace of its own', async () => {
    const { server, clock, recorder } = setUp()
    recorder.record({ ...scaled, regarding: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'worker-1' } } })
    await clock.advance(100)
    assert.equal(server.created[0]?.metadata.namespace, 'default')
    assert.deepEqual(server.created[0]?.regarding, { apiVersion: 'v1', kind: 'Node', name: 'worker-1' })
  })

  it('N18 the action is the controller unless told, and controllers report under their own names', async () => {
    const { server, clock, recorder } = setUp()
    recorder.as('windlass.dev/upgrades').record({ regarding: pool, type: 'Warning', reason: 'Stalled', note: 'n' })
    await clock.advance(100)
    assert.deepEqual(
      [server.created[0]?.reportingController, server.created[0]?.action],
      ['windlass.dev/upgrades', 'windlass.dev/upgrades'],
    )
  })

  it('N18 what happens again is counted, not sent again and again', async () => {
    const { server, clock, recorder } = setUp()
    for (let times = 0; times < 1000; times++) {
      recorder.record(scaled)
      await clock.advance(1000)
    }
    await clock.advance(300_000)
    assert.equal(server.created.length, 1)
    assert.ok(server.patched.length <= 10, `${server.patched.length} patches for 1000 occurrences`)
    assert.deepEqual(server.patched.at(-1), {
      name: server.created[0]?.metadata.name,
      series: { count: 1000, lastObservedTime: '2026-01-01T00:16:39.000000Z' },
    })
    assert.deepEqual(recorder.counts, { sent: 1 + server.patched.length, dropped: 0, failed: 0 })
  })

  it('N18 what happens again before the first was sent goes along with it', async () => {
    const { server, clock, recorder } = setUp()
    for (let times = 0; times < 5; times++)
      recorder.record({ ...scaled, regarding: { ...pool, metadata: { ...pool.metadata, uid: `o-${times}` } } })
    recorder.record(scaled)
    recorder.record(scaled)
    await clock.advance(100)
    assert.deepEqual(server.created.at(-1)?.series, { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' })
    await clock.advance(600_000)
    assert.equal(server.patched.length, 0)
  })

  it('N18 after six quiet minutes it is a new event', async () => {
    const { server, clock, recorder } = setUp()
    recorder.record(scaled)
    await clock.advance(359_000)
    recorder.record(scaled)
    await clock.advance(360_000)
    recorder.record(scaled)
    await clock.advance(60_000)
    assert.equal(server.created.length, 2)
    assert.equal(server.patched.length, 1)
  })

  it('N18 other objects, reasons, actions, types and notes are other events', async () => {
    const { server, clock, recorder } = setUp()
    const again = { ...pool, metadata: { ...pool.metadata, uid: 'u-2' } }
    const others: readonly Partial<Occurrence>[] = [
      {},
      { regarding: again },
      { related: again },
      { reason: 'R' },
      { action: 'A' },
      { type: 'Warning' },
      { note: 'to 4 nodes' },
    ]
    for (const other of others) recorder.record({ ...scaled, ...other })
    await clock.advance(1000)
    assert.equal(server.created.length, others.length)
  })

  it('N18 about one object there are 25 at once, then one every five minutes', async () => {
    const { server, clock, recorder } = setUp()
    const number = (note: number): void => recorder.record({ ...scaled, note: `${note}` })
    for (let note = 0; note < 40; note++) number(note)
    await clock.advance(1000)
    assert.equal(server.created.length, 25)
    assert.equal(recorder.counts.dropped, 15)
    await clock.advance(298_000)
    number(100)
    await clock.advance(2000)
    number(101)
    number(102)
    await clock.advance(1000)
    assert.equal(server.created.length, 26)
    recorder.record({ ...scaled, regarding: { ...pool, metadata: { ...pool.metadata, name: 'others', uid: 'u-9' } } })
    await clock.advance(1000)
    assert.equal(server.created.length, 27, 'other objects are not held back')
  })

  it('N18 a server that is away keeps nobody waiting and fills no memory', async () => {
    const messages: string[] = []
    const log: Log = { ...silentLog, warn: (_, message) => void messages.push(message) }
    const { server, clock, recorder } = setUp({ log })
    server.isGone = true
    for (let object = 0; object < 5000; object++) {
      recorder.record({ ...scaled, regarding: { ...pool, metadata: { ...pool.metadata, name: `o-${object}`, uid: `${object}` } } })
    }
    assert.equal(recorder.counts.dropped, 5000 - 1000 - 4)
    assert.equal(messages.filter((message) => message.startsWith('drops events')).length, 1)
    await clock.advance(10_000)
    assert.ok(recorder.counts.failed > 0)
    server.isGone = false
    await clock.advance(60_000)
    assert.equal(server.created.length, 1004 - recorder.counts.failed)
  })

  it('N18 no answer, 429 and 503 are tried again a few times, a refusal is not', async () => {
    const { server, clock, recorder } = setUp()
    server.failures = [new ConnectionError('reset', 'ECONNRESET'), refusal(429, 'TooManyRequests'), refusal(503, 'ServiceUnavailable')]
    recorder.record(scaled)
    await clock.advance(60_000)
    assert.equal(server.created.length, 1)
    server.failures = [refusal(403, 'Forbidden')]
    recorder.record({ ...scaled, note: 'another' })
    await clock.advance(60_000)
    assert.deepEqual([server.created.length, recorder.counts.failed], [1, 1])
    recorder.record({ ...scaled, note: 'another' })
    await clock.advance(1000)
    assert.equal(server.created.length, 2, 'what was refused is a new event when it happens again')
  })

  it('N18 an answer that was lost does not make two events of one', async () => {
    const { server, clock, recorder } = setUp()
    server.failures = [new ConnectionError('reset', 'ECONNRESET'), refusal(409, 'AlreadyExists')]
    recorder.record(scaled)
    await clock.advance(10_000)
    recorder.record(scaled)
    await clock.advance(10_000)
    assert.deepEqual(recorder.counts, { sent: 2, dropped: 0, failed: 0 })
    assert.equal(server.patched.length, 1)
  })

  it('N18 an event that has expired is told anew, with its count', async () => {
    const { server, clock, recorder } = setUp()
    recorder.record(scaled)
    await clock.advance(1000)
    server.failures = [refusal(404, 'NotFound')]
    recorder.record(scaled)
    await clock.advance(10_000)
    assert.equal(server.created.length, 2)
    assert.deepEqual(server.created[1]?.series, { count: 2, lastObservedTime: '2026-01-01T00:00:01.000000Z' })
  })

  it('N18 what is left is sent when it stops, counts included', async () => {
    const { server, clock, recorder, stop, ended } = setUp()
    recorder.record(scaled)
    await clock.advance(1000)
    recorder.record(scaled)
    recorder.record({ ...scaled, note: 'last words' })
    stop()
    await clock.settle()
    await clock.advance(100)
    await ended
    assert.equal(server.created.length, 2)
    assert.equal(server.patched.length, 1)
    assert.equal(clock.pending, 0, 'no timer is left behind')
    recorder.record({ ...scaled, note: 'too late' })
    assert.equal(clock.pending, 0)
  })

  it('N18 stopping takes no longer than its limit', async () => {
    const { server, clock, recorder, stop, ended } = setUp()
    server.isGone = true
    recorder.record(scaled)
    stop()
    await clock.settle()
    await clock.advance(5000)
    await ended
  })

  it('N18 nothing is done while nothing happens', async () => {
    const { clock, recorder } = setUp()
    recorder.record(scaled)
    await clock.advance(1000)
    assert.equal(clock.pending, 0)
  })
})

describe('what an event says', () => {
  it('N18 a note has 1,024 bytes at most, and ends with three dots when it was cut', () => {
    assert.equal(cutNote('a'.repeat(1024)), 'a'.repeat(1024))
    assert.equal(cutNote('a'.repeat(1025)), `${'a'.repeat(1021)}…`)
    assert.equal(cutNote('😀'.repeat(400)), `${'😀'.repeat(255)}…`)
  })

  it('N18 text is never cut in the middle of a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 0, max: 80 }), (text, bytes) => {
        const short = cut(text, bytes)
        assert.ok(Buffer.byteLength(short) <= bytes)
        assert.ok(text.startsWith(short))
        assert.ok(short.isWellFormed())
        const next = Array.from(text.slice(short.length))[0]
        assert.ok(next === undefined || Buffer.byteLength(short + next) > bytes, 'one more would have fitted')
      }),
      { seed: 18 },
    )
  })

  it('N18 names of events are valid whatever the object is called', () => {
    const random = seededRandom('names')
    const name = (of: string): string => eventName({ ...pool, metadata: { name: of } }, random).replace(/\.[0-9a-f]{16}$/, '')
    assert.equal(name('system:node:A'), 'system-node-a')
    assert.equal(name('x'.repeat(300)), 'x'.repeat(236))
    assert.equal(name(':'), 'object')
    const valid = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', 'B', '9', '.', '-', ':', '/', '_', '%'), maxLength: 300 }), (of) => {
        const whole = eventName({ ...pool, metadata: { name: of } }, random)
        assert.ok(valid.test(whole) && whole.length <= 253, whole)
      }),
      { seed: 18 },
    )
  })
})
