import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect, type Socket } from 'node:net'
import { describe, it } from 'node:test'
import { systemClock } from '@windlass/core'
import { startEmbedded } from '../embedded.ts'
import { until, urls } from '../testing/index.ts'
import type { Api } from './exchange.ts'
import { listen } from './listener.ts'

const refuse: Api['refuse'] = () => ({ status: 500, headers: {} })

/** A connection to a server whose answers the test gives, and all that came over it. */
async function withConnection(handle: Api['handle'], work: (socket: Socket, heard: () => string) => Promise<void>): Promise<void> {
  const listener = await listen({ handle, refuse }, { host: '127.0.0.1', port: 0, clock: systemClock })
  const socket = connect(listener.port, '127.0.0.1')
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
  try {
    await work(socket, () => text)
  } finally {
    socket.destroy()
    await listener.close()
  }
}

/** The first lines of all answers, and their bodies. */
const gist = (text: string): readonly string[] => text.match(/HTTP\/1\.1 \d+|(?<=\r\n\r\n)<[^>]*>/g) ?? []

function asking(method: string, path: string, length = 0): string {
  return `${method} ${path} HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-length: ${length}\r\n\r\n`
}

const echo: Api['handle'] = async ({ url, body }) => ({ status: 200, headers: {}, body: Buffer.from(`<${body?.toString('utf8') ?? url}>`) })

/** Answers the first request when it is told to, and all others at once. */
class SlowFirst {
  isSecondAnswered = false
  readonly #first = Promise.withResolvers<void>()

  readonly handle: Api['handle'] = async (request) => {
    if (request.url === '/slow') await this.#first.promise
    else this.isSecondAnswered = true
    return echo(request)
  }

  finish(): void {
    this.#first.resolve()
  }
}

describe('a client that asks whether to go on', () => {
  it('is told so, and then answered', async () => {
    await withConnection(echo, async (socket, heard) => {
      socket.write(asking('POST', '/a', 4))
      await until(() => heard() !== '')
      assert.deepEqual(gist(heard()), ['HTTP/1.1 100'])
      socket.write('body')
      await until(() => heard().includes('<'))
      assert.deepEqual(gist(heard()), ['HTTP/1.1 100', 'HTTP/1.1 200', '<body>'])
    })
  })

  it('with nothing to send is told and answered at once', async () => {
    await withConnection(echo, async (socket, heard) => {
      socket.write(asking('GET', '/a'))
      await until(() => heard().includes('<'))
      assert.deepEqual(gist(heard()), ['HTTP/1.1 100', 'HTTP/1.1 200', '</a>'])
    })
  })

  it('with nothing to send, behind an answer that is not out yet, is answered, and may not stay', async () => {
    const slow = new SlowFirst()
    await withConnection(slow.handle, async (socket, heard) => {
      socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\n' + asking('GET', '/b'))
      await until(() => slow.isSecondAnswered)
      slow.finish()
      await once(socket, 'end')
      assert.deepEqual(gist(heard()), ['HTTP/1.1 200', '</slow>', 'HTTP/1.1 200', '</b>'])
      assert.match(heard(), /connection: close/i)
    })
  })

  it('behind an answer that is not out yet is told so after that', async () => {
    const slow = new SlowFirst()
    await withConnection(slow.handle, async (socket, heard) => {
      socket.write('GET /slow HTTP/1.1\r\nhost: x\r\n\r\nGET /b HTTP/1.1\r\nhost: x\r\n\r\n' + asking('POST', '/c', 4))
      await until(() => slow.isSecondAnswered)
      slow.finish()
      await until(() => heard().includes(' 100 '))
      assert.deepEqual(gist(heard()), ['HTTP/1.1 200', '</slow>', 'HTTP/1.1 200', '</b>', 'HTTP/1.1 100'])
      socket.write('body')
      await until(() => heard().includes('<body>'))
      assert.deepEqual(gist(heard()).slice(-2), ['HTTP/1.1 200', '<body>'])
    })
  })

  it('and sends without waiting is not told when it has its answer', async () => {
    const slow = new SlowFirst()
    await withConnection(slow.handle, async (socket, heard) => {
      socket.write(`GET /slow HTTP/1.1\r\nhost: x\r\n\r\n${asking('POST', '/b', 4)}body`)
      await until(() => slow.isSecondAnswered)
      slow.finish()
      await until(() => heard().includes('<body>'))
      assert.deepEqual(gist(heard()), ['HTTP/1.1 200', '</slow>', 'HTTP/1.1 200', '<body>'])
    })
  })

  it('is told so over HTTP/2 too', async () => {
    const server = await startEmbedded()
    const session = connectHttp2(server.url, { ca: server.ca })
    try {
      const headers = { authorization: `Bearer ${server.adminToken}`, 'content-type': 'application/json', expect: '100-continue' }
      const request = session.request({ ':method': 'POST', ':path': urls.configMaps(), ...headers })
      await once(request, 'continue')
      request.end('{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"asked-first"}}')
      const [answer] = (await once(request, 'response')) as [Record<string, unknown>]
      assert.equal(answer[':status'], 201)
      request.resume()
      await once(request, 'end')
    } finally {
      session.destroy()
      await server.close()
    }
  })
})
