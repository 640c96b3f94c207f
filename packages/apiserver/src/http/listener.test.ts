import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect as connectHttp2, type ClientHttp2Session, type ClientHttp2Stream, constants } from 'node:http2'
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectPlain } from 'node:net'
import { connect } from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { systemClock } from '@windlass/core'
import { type Embedded, startEmbedded } from '../embedded.ts'
import { aConfigMap, admin, Client, until, urls } from '../testing/index.ts'
import type { ApiResponse } from '../server/request.ts'
import { type Api } from './exchange.ts'
import { listen } from './listener.ts'

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  readonly isReused: boolean
}

describe('the port of a server', () => {
  let server: Embedded
  let admins: Client
  let agent: Agent

  before(async () => {
    server = await startEmbedded()
    admins = new Client((request) => server.server.handle(request), admin)
    agent = new Agent({ ca: server.ca, keepAlive: true, maxSockets: 1 })
  })
  after(async () => {
    agent.destroy()
    await server.close()
  })

  const bearer = (): Record<string, string> => ({ authorization: `Bearer ${server.adminToken}` })

  function send(method: string, path: string, options: RequestOptions = {}, body?: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { ...bearer(), ...(options.headers as Record<string, string> | undefined) }
      const outgoing = httpsRequest(server.url + path, { method, agent, ...options, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () =>
          resolve({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(chunks),
            isReused: outgoing.reusedSocket,
          }),
        )
      })
      outgoing.on('error', reject)
      outgoing.end(body)
    })
  }

  /** An HTTP/2 connection that is closed when the test is over. */
  async function withSession(work: (session: ClientHttp2Session) => Promise<void>): Promise<void> {
    const session = connectHttp2(server.url, { ca: server.ca })
    try {
      await work(session)
    } finally {
      session.destroy()
      await until(() => server.server.hub.size === 0)
    }
  }

  const stream = (session: ClientHttp2Session, path: string): ClientHttp2Stream => session.request({ ':path': path, ...bearer() })

  it('T2 speaks HTTP/1.1', async () => {
    const { status, headers } = await send('GET', '/version')
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json')
    assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/)
  })

  it('T2 speaks HTTP/2 on the same port', async () => {
    await withSession(async (session) => {
      const request = stream(session, '/version')
      const [headers] = (await once(request, 'response')) as [Record<string, unknown>]
      assert.equal(headers[':status'], 200)
      assert.equal(session.alpnProtocol, 'h2')
      request.resume()
      await once(request, 'end')
    })
  })

  it('T2 serves 250 streams of one connection at once', async () => {
    await withSession(async (session) => {
      const path = `${urls.configMaps()}?watch=true&resourceVersion=${server.server.store.revision()}`
      const streams = Array.from({ length: 250 }, () => stream(session, path))
      await Promise.all(streams.map((each) => once(each, 'response')))
      await until(() => server.server.hub.size === 250)
      let heard = 0
      for (const each of streams) each.once('data', () => heard++)
      await admins.create(urls.configMaps(), aConfigMap('for-all'))
      await until(() => heard === 250)
    })
  })

  it('keeps a connection for the next request', async () => {
    await send('GET', '/version')
    assert.equal((await send('GET', '/version')).isReused, true)
  })

  it('T1 is trusted by its own authority alone', async () => {
    const socket = connect({ host: '127.0.0.1', port: server.port, servername: 'localhost' })
    const [error] = (await once(socket, 'error')) as [Error & { code?: string }]
    assert.match(String(error.code), /SELF_SIGNED|UNABLE_TO/)
  })

  it('S1 knows a client by its certificate', async () => {
    const part = (name: string): Buffer => Buffer.from(new RegExp(`${name}: (\\S+)`).exec(server.kubeconfig)?.[1] ?? '', 'base64')
    const own = new Agent({ ca: server.ca, cert: part('client-certificate-data'), key: part('client-key-data') })
    const review = Buffer.from(JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }))
    const headers = { authorization: '', 'content-type': 'application/json' }
    const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
    const known = await send('POST', path, { agent: own, headers }, review)
    assert.equal(known.status, 201)
    assert.match(known.body.toString('utf8'), /"groups":\["system:masters","system:authenticated"\]/)
    own.destroy()
  })

  it('T4 packs what is larger than 128 KiB for clients that can unpack it', async () => {
    await admins.create(urls.configMaps('kube-public'), aConfigMap('big', { k: 'x'.repeat(200_000) }))
    const accepting = { headers: { 'accept-encoding': 'gzip' } }
    const packed = await send('GET', urls.configMaps('kube-public'), accepting)
    assert.equal(packed.headers['content-encoding'], 'gzip')
    const plain = await send('GET', urls.configMaps('kube-public'))
    assert.equal(plain.headers['content-encoding'], undefined)
    assert.equal(Number(plain.headers['content-length']), plain.body.length)
    assert.deepEqual(gunzipSync(packed.body), plain.body)
    assert.equal((await send('GET', '/version', accepting)).headers['content-encoding'], undefined)
  })

  it('T4 packs lists that are made while they are sent', async () => {
    await admins.createAll(
      urls.configMaps('kube-system'),
      Array.from({ length: 600 }, (_, index) => aConfigMap(`c-${index}`)),
    )
    const packed = await send('GET', urls.configMaps('kube-system'), { headers: { 'accept-encoding': 'gzip' } })
    assert.equal(packed.headers['content-encoding'], 'gzip')
    const plain = await send('GET', urls.configMaps('kube-system'))
    assert.equal(plain.headers['transfer-encoding'], 'chunked')
    assert.deepEqual(JSON.parse(gunzipSync(packed.body).toString('utf8')), JSON.parse(plain.body.toString('utf8')))
    assert.equal((JSON.parse(plain.body.toString('utf8')) as { items: unknown[] }).items.length, 600)
  })

  it('R11 lists that are sent at the same time do not get into each other', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'windlass-lists-'))
    const stored = await startEmbedded({ directory, durability: 'relaxed' })
    try {
      const client = new Client((request) => stored.server.handle(request), admin)
      const namespaces = ['default', 'kube-public']
      for (const namespace of namespaces)
        await client.createAll(
          urls.configMaps(namespace),
          Array.from({ length: 1200 }, (_, index) => aConfigMap(`c-${index}`, { of: namespace, text: 'x'.repeat(1000) })),
        )
      const bodies = await Promise.all(
        namespaces.map(async (namespace) => {
          const { body } = await stored.server.handle({
            method: 'GET',
            url: urls.configMaps(namespace),
            headers: { authorization: `Bearer ${stored.adminToken}` },
          })
          assert.ok(body !== undefined && !Buffer.isBuffer(body))
          return { namespace, pieces: body[Symbol.iterator](), read: [] as Buffer[] }
        }),
      )
      for (let open = bodies; open.length > 0;)
        open = open.filter(({ pieces, read }) => {
          const { done, value } = pieces.next()
          if (done !== true) read.push(value)
          return done !== true
        })
      for (const { namespace, read } of bodies) {
        const { items } = JSON.parse(Buffer.concat(read).toString('utf8')) as { items: { data: { of: string } }[] }
        assert.deepEqual(items.map(({ data }) => data.of).filter((of) => of === namespace).length, items.length)
        assert.ok(items.length >= 1200)
      }
    } finally {
      await stored.close()
      rmSync(directory, { recursive: true })
    }
  })

  /** What a port sends that answers every request with this body, as it came and unpacked. */
  async function sent(body: NonNullable<ApiResponse['body']>, requests: readonly Record<string, string>[]): Promise<readonly Buffer[]> {
    const api: Api = {
      handle: async () => ({ status: 200, headers: {}, body }),
      refuse: () => assert.fail('nothing is wrong'),
    }
    const port = await listen(api, { host: '127.0.0.1', port: 0, clock: systemClock })
    try {
      return await Promise.all(
        requests.map(async (headers) => {
          const outgoing = httpRequest({ host: port.host, port: port.port, headers, agent: false })
          outgoing.end()
          const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
          const read = Buffer.concat(await incoming.toArray())
          return incoming.headers['content-encoding'] === 'gzip' ? gunzipSync(read) : read
        }),
      )
    } finally {
      await port.close()
    }
  }
  const zipped = { 'accept-encoding': 'gzip' }

  it('R11 the memory of a piece is given back as soon as it was sent', async () => {
    for (const headers of [{}, zipped]) {
      const pieces = Array.from({ length: 20 }, (_, index) => Buffer.alloc(100_000, index))
      const whole = Buffer.concat(pieces)
      assert.deepEqual(await sent(pieces, [headers]), [whole])
      await until(() => pieces.every(({ length }) => length === 0))
    }
  })

  it('a body that is sent to several clients, zipped or not, stays what it is', async () => {
    const document = Buffer.alloc(1_000_000, 'a document that is kept ')
    const copy = Buffer.from(document)
    const read = await sent(document, [zipped, zipped, {}, zipped])
    assert.ok(read.every((each) => each.equals(copy)))
    assert.ok(document.equals(copy))
  })

  it('T6 refuses a body beyond 3 MiB with 413, and takes one that is just not', async () => {
    const limit = 3 * 1024 * 1024
    const headers = { 'content-type': 'application/json' }
    const tooLarge = await send('POST', urls.configMaps(), { headers }, Buffer.alloc(limit + 1, 0x20))
    assert.equal(tooLarge.status, 413)
    const status = JSON.parse(tooLarge.body.toString('utf8')) as { reason: string; message: string }
    assert.equal(status.reason, 'RequestEntityTooLarge')
    assert.equal(status.message, 'Request entity too large: limit is 3145728')
    const blank = Buffer.alloc(limit, 0x20)
    assert.equal((await send('POST', urls.configMaps(), { headers }, blank)).status, 400)
  })

  it('C8 a watch is one event per line, in chunks, never packed', async () => {
    const path = `${urls.configMaps()}?watch=true&resourceVersion=${server.server.store.revision()}`
    const outgoing = httpsRequest(server.url + path, { ca: server.ca, headers: { ...bearer(), 'accept-encoding': 'gzip' }, agent: false })
    outgoing.end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    assert.equal(incoming.headers['content-type'], 'application/json')
    assert.equal(incoming.headers['transfer-encoding'], 'chunked')
    assert.equal(incoming.headers['content-encoding'], undefined)
    await admins.create(urls.configMaps(), aConfigMap('line'))
    const [chunk] = (await once(incoming, 'data')) as [Buffer]
    assert.match(chunk.toString('utf8'), /^\{"type":"ADDED","object":\{.*\}\}\n$/)
    incoming.destroy()
    await until(() => server.server.hub.size === 0)
  })

  it('a client that breaks off leaves no watcher behind, over HTTP/1.1 and HTTP/2', async () => {
    const outgoing = httpsRequest(`${server.url}${urls.configMaps()}?watch=true`, { ca: server.ca, headers: bearer(), agent: false })
    outgoing.on('error', () => {})
    outgoing.end()
    await once(outgoing, 'response')
    await until(() => server.server.hub.size === 1)
    outgoing.destroy()
    await until(() => server.server.hub.size === 0)
    await withSession(async (session) => {
      const request = stream(session, `${urls.configMaps()}?watch=true`)
      await once(request, 'response')
      await until(() => server.server.hub.size === 1)
      request.close(constants.NGHTTP2_CANCEL)
      await until(() => server.server.hub.size === 0)
    })
  })

  it('T3 a stream that nobody reads does not hold up the others of its connection', async () => {
    await withSession(async (session) => {
      const path = `${urls.configMaps()}?watch=true&resourceVersion=${server.server.store.revision()}`
      const stuck = stream(session, path)
      stuck.pause()
      const alive = stream(session, path)
      let text = ''
      alive.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
      await until(() => server.server.hub.size === 2)
      for (let index = 0; index < 5; index++) {
        await admins.create(urls.configMaps(), aConfigMap(`wide-${index}`, { k: 'x'.repeat(200_000) }))
      }
      await until(() => text.includes('"name":"wide-4"') && text.endsWith('\n'))
    })
  })

  it('a client that leaves in the middle of its request does no harm', async () => {
    const outgoing = httpsRequest(server.url + urls.configMaps(), {
      method: 'POST',
      ca: server.ca,
      agent: false,
      headers: { ...bearer(), 'content-type': 'application/json', 'content-length': 1_000 },
    })
    outgoing.on('error', () => {})
    outgoing.write('{"half":')
    await once(outgoing, 'socket')
    await setImmediate()
    outgoing.destroy()
    assert.equal((await send('GET', '/readyz')).body.toString('utf8'), 'ok')
  })
})

describe('a port that closes', () => {
  it('T8 ends watches at a whole line, finishes what runs, and takes nobody new', async () => {
    const server = await startEmbedded({ isPlain: true })
    const { port } = server
    const headers = { authorization: `Bearer ${server.adminToken}` }
    const outgoing = httpRequest(`${server.url}${urls.configMaps()}?watch=true`, { headers, agent: false })
    outgoing.end()
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    let text = ''
    incoming.on('data', (chunk: Buffer) => (text += chunk.toString('utf8')))
    const ended = once(incoming, 'end')
    const admins = new Client((request) => server.server.handle(request), admin)
    await admins.create(urls.configMaps(), aConfigMap('last'))
    await server.close()
    await ended
    assert.match(text, /"name":"last".*\}\n$/)
    const late = httpRequest({ host: '127.0.0.1', port, path: '/version' })
    late.end()
    const [error] = (await once(late, 'error')) as [Error & { code?: string }]
    assert.equal(error.code, 'ECONNREFUSED')
  })

  it('T8 closes well though a client breaks off meanwhile', async () => {
    const server = await startEmbedded({ isPlain: true })
    const socket = connectPlain(server.port, '127.0.0.1').on('error', () => {})
    await once(socket, 'connect')
    // The port has taken it once another one is served.
    await once(httpRequest({ host: '127.0.0.1', port: server.port, path: '/readyz', agent: false }).end(), 'response')
    const closing = server.close()
    setTimeout(() => socket.resetAndDestroy(), 50)
    await closing
  })
})

/** A port whose answers the test gives itself. */
async function withApi(handle: Api['handle'], work: (port: number, refused: readonly unknown[]) => Promise<void>): Promise<void> {
  const refused: unknown[] = []
  const refuse: Api['refuse'] = (error) => {
    refused.push(error)
    return { status: 500, headers: {} }
  }
  const listener = await listen({ handle, refuse }, { host: '127.0.0.1', port: 0, clock: systemClock })
  try {
    await work(listener.port, refused)
  } finally {
    await listener.close()
  }
}

async function get(port: number, path: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const outgoing = httpRequest({ host: '127.0.0.1', port, path, headers, agent: false })
  outgoing.end()
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return incoming.resume()
}

describe('an answer that is made while it is sent', () => {
  function* half(): Iterable<Buffer> {
    yield Buffer.from('the first half, ')
    throw new Error('no second half')
  }

  it('is cut off when it breaks, and the server lives on', async () => {
    const answers = { '/broken': half, '/fine': () => [Buffer.from('fine')] }
    const handle: Api['handle'] = async ({ url }) => ({ status: 200, headers: {}, body: answers[url as keyof typeof answers]() })
    await withApi(handle, async (port, refused) => {
      await assert.rejects(async () => once(await get(port, '/broken'), 'end'))
      assert.equal(refused.length, 1)
      const fine = await get(port, '/fine')
      assert.equal(fine.statusCode, 200)
      await once(fine, 'end')
    })
  })

  it('S8 gives its seat back when it was sent, when it broke, and when it cannot be sent at all', async () => {
    let released = 0
    const release = (): void => void released++
    const handle: Api['handle'] = async ({ url }) => ({
      status: 200,
      headers: {},
      body: url === '/broken' ? half() : [Buffer.from('fine')],
      release,
    })
    await withApi(handle, async (port) => {
      await once(await get(port, '/fine'), 'end')
      assert.equal(released, 1)
      await assert.rejects(async () => once(await get(port, '/broken'), 'end'))
      assert.equal(released, 2)
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'a2V5', 'sec-websocket-version': '13' }
      assert.equal((await get(port, '/fine', upgrade)).statusCode, 400)
      assert.equal(released, 3)
    })
  })
})
