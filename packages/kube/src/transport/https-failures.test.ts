import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { describe, it } from 'node:test'
import { until } from '@windlass/apiserver/testing'
import { HttpsTransport } from './https.ts'
import { deserted, serving, transportTo } from './testing.ts'
import type { TransportRequest } from './transport.ts'

const version = { method: 'GET', path: '/version' } as const

/** The value once it has not changed for many turns of the event loop. */
async function standstill(value: () => number): Promise<number> {
  let [last, turns] = [value(), 0]
  await until(() => {
    turns = value() === last ? turns + 1 : 0
    last = value()
    return last > 0 && turns > 2000
  })
  return last
}

describe('a transport to a server that misbehaves', () => {
  it('N2 says who refuses connections, and that nothing was sent', async () => {
    const server = await deserted()
    await using transport = transportTo({ server })
    const expected = {
      name: 'ConnectionError',
      code: 'ECONNREFUSED',
      isUnsent: true,
      message: `${server} refuses connections: check that the server runs and that the address is right (ECONNREFUSED)`,
    }
    await assert.rejects(transport.send(version), expected)
    await assert.rejects(transport.stream(version), expected)
  })

  it('N2 says when a connection breaks in the middle of an answer, and that nobody knows what became of the request', async () => {
    await using server = await serving((_request, response) => {
      response.writeHead(200, { 'content-length': 100 })
      response.write('half', () => response.destroy())
    })
    await using transport = transportTo({ server: server.url })
    await assert.rejects(transport.send(version), {
      name: 'ConnectionError',
      isUnsent: false,
      message: /closed the connection before its answer was complete/,
    })
  })

  it('N3 gives the events that came before a watch breaks, and then the reason', async () => {
    await using server = await serving((_request, response) => {
      response.writeHead(200)
      response.write('event\n', () => response.destroy())
    })
    await using transport = transportTo({ server: server.url })
    const { chunks } = await transport.stream(version)
    const iterator = chunks[Symbol.asyncIterator]()
    assert.equal(String((await iterator.next()).value), 'event\n')
    await assert.rejects(iterator.next(), { name: 'ConnectionError' })
  })

  it('N2 ends a request with the reason of its signal: one that is slow and one that waits for a connection', async () => {
    await using server = await serving(() => {})
    await using transport = transportTo({ server: server.url, maxConnections: 1 })
    const stop = new AbortController()
    const request: TransportRequest = { ...version, signal: stop.signal }
    const slow = transport.send(request)
    const queued = transport.send(request)
    const stream = transport.stream(request)
    await until(() => server.sockets.size === 2)
    stop.abort(new Error('enough'))
    for (const each of [slow, queued, stream]) await assert.rejects(each, { message: 'enough' })
    await until(() => server.sockets.size === 0)
    assert.equal(getEventListeners(stop.signal, 'abort').length, 0)
    await assert.rejects(transport.send(request), { message: 'enough' })
  })

  it('N3 ends a stream with the reason of its signal', async () => {
    await using server = await serving((_request, response) => response.write('a'))
    await using transport = transportTo({ server: server.url })
    const stop = new AbortController()
    const { chunks } = await transport.stream({ ...version, signal: stop.signal })
    const iterator = chunks[Symbol.asyncIterator]()
    await iterator.next()
    const waiting = iterator.next()
    stop.abort(new Error('enough'))
    await assert.rejects(waiting, { message: 'enough' })
    await until(() => server.sockets.size === 0)
  })

  it('N2 leaves no listener on a signal when a request is over', async () => {
    await using server = await serving((_request, response) => response.end('ok'))
    await using transport = transportTo({ server: server.url })
    const { signal } = new AbortController()
    for (let count = 0; count < 3; count++) await transport.send({ ...version, signal })
    for await (const chunk of (await transport.stream({ ...version, signal })).chunks) assert.equal(chunk.toString(), 'ok')
    assert.equal(getEventListeners(signal, 'abort').length, 0)
  })

  it('N3 stops a server that sends more than is read', async () => {
    let written = 0
    await using server = await serving((_request, response) => {
      const write = (): void => {
        while (written < 200_000_000) {
          written += 1_000_000
          if (!response.write(Buffer.alloc(1_000_000))) {
            response.once('drain', write)
            return
          }
        }
      }
      write()
    })
    await using transport = transportTo({ server: server.url })
    const { chunks } = await transport.stream(version)
    const early = await standstill(() => written)
    assert.ok(early < 50_000_000, `${early} bytes were taken though nobody reads them`)
    let read = 0
    for await (const chunk of chunks) {
      read += chunk.length
      if (read > early + 10_000_000) break
    }
    assert.ok(written > early, 'the server goes on when its bytes are read')
  })

  it('N22 fails what runs when it is closed, and everything later', async () => {
    await using server = await serving((request, response) => {
      if (request.url === '/stream') response.write('a')
    })
    const transport = new HttpsTransport({ server: server.url })
    const running = transport.send(version)
    const { chunks } = await transport.stream({ method: 'GET', path: '/stream' })
    const iterator = chunks[Symbol.asyncIterator]()
    await iterator.next()
    const reading = iterator.next()
    await until(() => server.sockets.size === 2)
    await Promise.all([
      assert.rejects(running, { code: 'ERR_TRANSPORT_CLOSED' }),
      assert.rejects(reading, { code: 'ERR_TRANSPORT_CLOSED' }),
      transport.close(),
    ])
    await assert.rejects(transport.send(version), { code: 'ERR_TRANSPORT_CLOSED', message: /was closed by this program/ })
    await until(() => server.sockets.size === 0)
  })
})
