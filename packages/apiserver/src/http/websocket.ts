import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { bearerFromProtocols } from '../auth/index.ts'
import type { ApiResponse } from '../server/request.ts'
import type { WatchSink } from '../watch/sink.ts'
import { type Api, flatten, identityOf } from './exchange.ts'
import { encodeFrame, FrameReader, Opcode } from './websocket-frames.ts'

/**
 * Watches over WebSocket, for browsers: they cannot read an endless answer line by line with their own credentials. One event is one
 * text message; the token comes as a sub-protocol, because browsers set no headers.
 */

/** Every WebSocket server proves with this that it is one (RFC 6455, 1.3). */
const handshakeId = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'

export async function upgrade(api: Api, incoming: IncomingMessage, socket: Duplex): Promise<void> {
  const gone = new AbortController()
  socket.once('close', () => gone.abort())
  socket.on('error', () => gone.abort())
  const key = incoming.headers['sec-websocket-key']
  const isWebSocket = incoming.headers.upgrade?.toLowerCase() === 'websocket' && key !== undefined
  const headers = flatten(incoming.headers)
  const authorization = headers.authorization ?? bearerFromProtocols(headers['sec-websocket-protocol'])
  const certificate = identityOf(incoming)
  const response = await api.handle({
    method: incoming.method ?? 'GET',
    url: incoming.url ?? '/',
    headers: { ...headers, accept: 'application/json', authorization },
    rawHeaders: incoming.rawHeaders,
    signal: gone.signal,
    ...(certificate === undefined ? {} : { certificate }),
  })
  if (!isWebSocket || response.watch === undefined) {
    response.release?.()
    refuse(socket, response)
    return
  }
  socket.write(acceptance(key, headers['sec-websocket-protocol']))
  listen(socket)
  await response.watch(sinkOf(socket, gone.signal), gone.signal)
}

/** What cannot be upgraded is answered like any other request, on a connection that ends with it. */
function refuse(socket: Duplex, { status, body }: ApiResponse): void {
  const isWatch = status === 200
  const text = isWatch || !Buffer.isBuffer(body) ? Buffer.from('only watches can be upgraded to WebSocket\n') : body
  const head = [`HTTP/1.1 ${isWatch ? 400 : status} Refused`, `content-type: ${isWatch ? 'text/plain' : 'application/json'}`]
  socket.end(Buffer.concat([Buffer.from(`${[...head, `content-length: ${text.length}`, 'connection: close'].join('\r\n')}\r\n\r\n`), text]))
}

function acceptance(key: string, protocols: string | undefined): string {
  const accept = createHash('sha1')
    .update(key + handshakeId)
    .digest('base64')
  const offered = (protocols ?? '').split(',').map((each) => each.trim())
  // The token is no protocol to speak; a browser insists that one of the others is chosen if it offered any.
  const chosen = offered.find((each) => each !== '' && !each.startsWith('base64url.bearer.'))
  const lines = ['HTTP/1.1 101 Switching Protocols', 'upgrade: websocket', 'connection: Upgrade', `sec-websocket-accept: ${accept}`]
  if (chosen !== undefined) lines.push(`sec-websocket-protocol: ${chosen}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

function listen(socket: Duplex): void {
  const reader = new FrameReader()
  socket.on('data', (chunk: Buffer) => {
    const frames = reader.read(chunk)
    if (frames === undefined) {
      socket.destroy()
      return
    }
    for (const { opcode, payload } of frames) {
      if (opcode === Opcode.ping) socket.write(encodeFrame(Opcode.pong, payload))
      else if (opcode === Opcode.close) socket.end(encodeFrame(Opcode.close, payload))
    }
  })
}

function sinkOf(socket: Duplex, signal: AbortSignal): WatchSink {
  return {
    write(chunk) {
      if (signal.aborted) return false
      let isReady = true
      for (const line of lines(chunk)) isReady = socket.write(encodeFrame(Opcode.text, line))
      return isReady
    },
    buffered: () => socket.writableLength,
    drained: () =>
      new Promise((resolve) => {
        if (signal.aborted || !socket.writableNeedDrain) {
          resolve()
          return
        }
        socket.once('drain', resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      }),
    end: () => {
      if (!signal.aborted) socket.end(encodeFrame(Opcode.close, Buffer.alloc(0)))
    },
  }
}

function* lines(chunk: Buffer): Iterable<Buffer> {
  for (let start = 0; start < chunk.length;) {
    const end = chunk.indexOf(0x0a, start)
    yield chunk.subarray(start, end < 0 ? chunk.length : end)
    start = end < 0 ? chunk.length : end + 1
  }
}
