import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import {
  admin,
  aConfigMap,
  createCluster,
  inCluster,
  startTestServer,
  startWithClusters,
  urls,
  userNamed,
} from '@windlass/apiserver/testing'
import { type Handle, type InProcessResponse, inProcessTransport, type InProcessSink } from './in-process.ts'
import { ConnectionError, type TransportStream } from './transport.ts'

async function textOf({ chunks }: TransportStream): Promise<string> {
  const all: Buffer[] = []
  for await (const chunk of chunks) all.push(chunk)
  return Buffer.concat(all).toString()
}

async function leaveEarly({ chunks }: TransportStream): Promise<void> {
  const iterator = chunks[Symbol.asyncIterator]()
  assert.equal((await iterator.next()).done, false)
  await iterator.return?.()
}

/** A server whose watches are written to by the test. */
function watchedBy(begin: (sink: InProcessSink, signal: AbortSignal) => Promise<void>): Handle {
  return () => Promise.resolve({ status: 200, headers: {}, watch: begin })
}

const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true })
  })

describe('requests to a server in the same process', () => {
  it('N2 are made as the user that the caller vouches for, and their bodies are bytes or text', async () => {
    await using server = await startTestServer()
    const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
    const headers = { 'content-type': 'application/json' }
    const made = await transport.send({
      method: 'POST',
      path: urls.configMaps(),
      headers,
      body: JSON.stringify(aConfigMap('a', { word: 'Grüße' })),
    })
    assert.deepEqual([made.status, made.headers['content-type']], [201, 'application/json'])
    const bytes = new TextEncoder().encode(JSON.stringify(aConfigMap('b')))
    assert.equal((await transport.send({ method: 'POST', path: urls.configMaps(), headers, body: bytes })).status, 201)
    const read = await transport.send({ method: 'GET', path: urls.configMap('a') })
    assert.equal((JSON.parse(read.body.toString()) as { data: { word: string } }).data.word, 'Grüße')

    const guest = inProcessTransport((request) => server.api.handle(request), { user: userNamed('guest') })
    assert.equal((await guest.send({ method: 'GET', path: urls.configMap('a') })).status, 403)
  })

  it('N22 go to a logical cluster by its prefix', async () => {
    await using server = await startWithClusters()
    await createCluster(server, 'prod')
    const prod = inProcessTransport((request) => server.api.handle(request), { user: admin, prefix: `${inCluster('prod')}/` })
    const headers = { 'content-type': 'application/json' }
    await prod.send({ method: 'POST', path: urls.configMaps(), headers, body: JSON.stringify(aConfigMap('inside')) })
    assert.deepEqual(await server.names(urls.configMaps('default', inCluster('prod'))), ['inside'])
    assert.deepEqual(await server.names(urls.configMaps()), [])
  })

  it('N2 release lists that are made while they are read: whole, in pieces, and when the reader leaves', async () => {
    await using server = await startTestServer({ limits: { reads: 10, writes: 200 } })
    await server.createAll(
      urls.configMaps(),
      Array.from({ length: 600 }, (_, index) => aConfigMap(`c${index}`)),
    )
    const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
    const list = { method: 'GET', path: urls.configMaps() } as const
    // One list at a time is all that this server allows: each of these would wait for ever for a seat that was not given back.
    const whole = await transport.send(list)
    assert.equal(await textOf(await transport.stream(list)), whole.body.toString())
    await leaveEarly(await transport.stream(list))
    const aborted = new AbortController()
    await transport.stream({ ...list, signal: aborted.signal })
    aborted.abort(new Error('unread'))
    assert.deepEqual((await transport.send(list)).body, whole.body)
  })

  it('N2 end with the reason of their signal, at once and without a listener left', async () => {
    const never = inProcessTransport(() => new Promise(() => {}))
    const stop = new AbortController()
    const path = '/version'
    const waiting = never.send({ method: 'GET', path, signal: stop.signal })
    const streaming = never.stream({ method: 'GET', path, signal: stop.signal })
    stop.abort(new Error('stopped'))
    await assert.rejects(waiting, { message: 'stopped' })
    await assert.rejects(streaming, { message: 'stopped' })
    await assert.rejects(never.send({ method: 'GET', path, signal: stop.signal }), { message: 'stopped' })

    const answers = inProcessTransport(() => Promise.resolve({ status: 200, headers: {}, body: Buffer.from('ok') }))
    const { signal } = new AbortController()
    await answers.send({ method: 'GET', path, signal })
    await textOf(await answers.stream({ method: 'GET', path, signal }))
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  it('N2 fail with a ConnectionError when the server stumbles in the middle of a list', async () => {
    let released = 0
    function* half(): Iterable<Buffer> {
      yield Buffer.from('half')
      throw new Error('the disk is full')
    }
    const answer = (): Promise<InProcessResponse> =>
      Promise.resolve({ status: 200, headers: {}, body: half(), release: () => void released++ })
    const transport = inProcessTransport(answer)
    const expected = { name: 'ConnectionError', message: 'the answer broke off: the disk is full' }
    await assert.rejects(transport.send({ method: 'GET', path: '/' }), expected)
    await assert.rejects(textOf(await transport.stream({ method: 'GET', path: '/' })), expected)
    assert.equal(released, 2)
  })

  it('N22 fail once the transport is closed, and so do those that run', async () => {
    const transport = inProcessTransport(() => new Promise(() => {}))
    const running = transport.send({ method: 'GET', path: '/' })
    await transport.close()
    await assert.rejects(running, ConnectionError)
    await assert.rejects(transport.send({ method: 'GET', path: '/' }), { code: 'ERR_TRANSPORT_CLOSED' })
  })
})

describe('a watch in the same process', () => {
  it('N3 gives events as they happen, and the server forgets a watcher that leaves', async () => {
    await using server = await startTestServer()
    const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
    const path = `${urls.configMaps()}?watch=true&resourceVersion=${server.revision}`
    const { status, chunks } = await transport.stream({ method: 'GET', path })
    assert.equal(status, 200)
    await server.create(urls.configMaps(), aConfigMap('a'))
    for await (const chunk of chunks) {
      const { type, object } = JSON.parse(chunk.toString()) as { type: string; object: { metadata: { name: string } } }
      assert.deepEqual([type, object.metadata.name], ['ADDED', 'a'])
      assert.equal(server.api.hub.size, 1)
      break
    }
    await server.settle()
    assert.equal(server.api.hub.size, 0)
  })

  it('N3 holds up a server that writes faster than the events are read', async () => {
    const progress: string[] = []
    const transport = inProcessTransport(
      watchedBy(async (sink) => {
        assert.equal(sink.write(Buffer.alloc(600_000)), false)
        assert.equal(sink.buffered(), 600_000)
        await sink.drained()
        progress.push('drained')
        sink.end()
      }),
    )
    const { chunks } = await transport.stream({ method: 'GET', path: '/' })
    progress.push('unread')
    let length = 0
    for await (const chunk of chunks) length += chunk.length
    assert.deepEqual([progress, length], [['unread', 'drained'], 600_000])
  })

  it('N3 ends with the reason of its signal, and with the server', async () => {
    const gone: string[] = []
    const transport = inProcessTransport(
      watchedBy(async (_sink, signal) => {
        await untilAborted(signal)
        gone.push(String(signal.reason))
      }),
    )
    const stop = new AbortController()
    const first = textOf(await transport.stream({ method: 'GET', path: '/', signal: stop.signal }))
    stop.abort(new Error('stopped'))
    await assert.rejects(first, { message: 'stopped' })
    const second = textOf(await transport.stream({ method: 'GET', path: '/' }))
    await transport.close()
    await assert.rejects(second, ConnectionError)
    assert.deepEqual(gone, ['Error: stopped', 'ConnectionError: the connection to in-process was closed by this program: make a new one'])
  })

  it('N3 breaks off with a ConnectionError when the server stumbles', async () => {
    const transport = inProcessTransport(
      watchedBy((sink) => {
        sink.write(Buffer.from('half'))
        return Promise.reject(new Error('the disk is full'))
      }),
    )
    const { chunks } = await transport.stream({ method: 'GET', path: '/' })
    const iterator = chunks[Symbol.asyncIterator]()
    assert.equal(String((await iterator.next()).value), 'half')
    await assert.rejects(iterator.next(), { name: 'ConnectionError', message: 'the answer broke off: the disk is full' })
  })

  it('N2 can be had whole by who asks for it like any other answer', async () => {
    await using server = await startTestServer()
    const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
    const asking = transport.send({
      method: 'GET',
      path: `${urls.configMaps()}?watch=true&resourceVersion=${server.revision}&timeoutSeconds=1`,
    })
    await server.create(urls.configMaps(), aConfigMap('a'))
    await server.clock.advance(1000)
    assert.match((await asking).body.toString(), /^\{"type":"ADDED".*\n$/)
  })
})
