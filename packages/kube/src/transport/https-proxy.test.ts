import assert from 'node:assert/strict'
import { createServer, type IncomingMessage } from 'node:http'
import { connect, createServer as createTcpServer, type Socket } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { type Embedded, startEmbedded } from '@windlass/apiserver'
import { urls } from '@windlass/apiserver/testing'
import { fixedCredentials } from './credentials.ts'
import type { TransportOptions } from './https.ts'
import { deserted, listening, type Listening, transportTo } from './testing.ts'

/** A proxy, and what it was asked for: `CONNECT 127.0.0.1:6443`. */
type Proxy = Listening & { readonly asked: readonly string[] }

/** A proxy for HTTP that opens tunnels too, for who shows the password if there is one. */
async function httpProxy({ password }: { readonly password?: string } = {}): Promise<Proxy> {
  const asked: string[] = []
  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    password === undefined || headers['proxy-authorization'] === `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    response.end('forwarded')
  })
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    asked.push(`CONNECT ${request.url}`)
    const { hostname, port } = new URL(`http://${request.url}`)
    if (isAllowed(request)) tunnel(client, Number(port), hostname, 'HTTP/1.1 200 Connection Established\r\n\r\n')
    else client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  return Object.assign(await listening(server), { asked })
}

/** A SOCKS5 proxy that asks for no password. */
async function socksProxy(): Promise<Proxy> {
  const asked: string[] = []
  const server = createTcpServer((client) => {
    client.once('data', () => {
      client.write(Buffer.from([5, 0]))
      client.once('data', (request: Buffer) => {
        // Version, command, nothing; then 1 and four bytes of an address, or 3 and a name after its length; then a port.
        const name = request[3] === 3 ? request.subarray(5, -2).toString() : request.subarray(4, 8).join('.')
        const port = request.readUInt16BE(request.length - 2)
        asked.push(`CONNECT ${name}:${port}`)
        tunnel(client, port, name, Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
      })
    })
  })
  return Object.assign(await listening(server), { asked })
}

function tunnel(client: Socket, port: number, host: string, greeting: string | Buffer): void {
  const target = connect(port, host, () => {
    client.write(greeting)
    target.pipe(client).pipe(target)
  })
  target.on('error', () => client.destroy())
  client.once('close', () => target.destroy())
}

describe('a transport through a proxy', () => {
  let embedded: Embedded
  let direct: TransportOptions
  const list = { method: 'GET', path: urls.configMaps() } as const

  before(async () => {
    embedded = await startEmbedded()
    const credentials = fixedCredentials({ headers: { authorization: `Bearer ${embedded.adminToken}` } })
    direct = { server: embedded.url, ca: embedded.ca, credentials, serverName: 'kubernetes' }
  })

  after(() => embedded.close())

  it('N2 reaches a server over TLS through a tunnel, for requests and for watches', async () => {
    await using proxy = await httpProxy()
    await using transport = transportTo({ ...direct, proxy: `http://${proxy.host}` })
    assert.equal((await transport.send(list)).status, 200)
    const { status, chunks } = await transport.stream({
      method: 'GET',
      path: '/api/v1/namespaces?watch=true&fieldSelector=metadata.name%3Ddefault',
    })
    assert.equal(status, 200)
    for await (const chunk of chunks) {
      assert.match(chunk.toString(), /^\{"type":"ADDED"/)
      break
    }
    assert.deepEqual(new Set(proxy.asked), new Set([`CONNECT 127.0.0.1:${embedded.port}`]))
  })

  it('N2 shows the name and password in the address of the proxy, and repeats neither in messages', async () => {
    await using proxy = await httpProxy({ password: 'open sesame' })
    await using known = transportTo({ ...direct, proxy: `http://me:open%20sesame@${proxy.host}` })
    assert.equal((await known.send(list)).status, 200)
    await using unknown = transportTo({ ...direct, proxy: `http://me:wrong@${proxy.host}` })
    await assert.rejects(unknown.send(list), (error: Error) => {
      assert.match(error.message, new RegExp(`^${embedded.url} \\(through the proxy ${proxy.host}\\) .*407`))
      assert.doesNotMatch(error.message, /wrong/)
      return error.name === 'ConnectionError'
    })
  })

  it('N2 still checks who the server is', async () => {
    await using proxy = await httpProxy()
    await using transport = transportTo({ ...direct, serverName: 'example.com', proxy: `http://${proxy.host}` })
    await assert.rejects(transport.send(list), { name: 'ConnectionError', code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('N2 asks the proxy itself where there is no TLS', async () => {
    await using proxy = await httpProxy()
    await using transport = transportTo({ server: 'http://cluster.example.com', proxy: `http://${proxy.host}` })
    const answer = await transport.send({ method: 'GET', path: '/version' })
    assert.deepEqual([answer.body.toString(), proxy.asked], ['forwarded', ['GET http://cluster.example.com/version']])
  })

  it('N2 says that it went through the proxy when that cannot be reached', async () => {
    await using transport = transportTo({ ...direct, proxy: await deserted() })
    await assert.rejects(transport.send(list), {
      code: 'ECONNREFUSED',
      message: /\(through the proxy 127\.0\.0\.1:\d+\) refuses connections/,
    })
  })

  it('N2 goes through a SOCKS5 proxy too', async () => {
    await using proxy = await socksProxy()
    await using transport = transportTo({ ...direct, proxy: `socks5://${proxy.host}` })
    assert.equal((await transport.send(list)).status, 200)
    assert.deepEqual(proxy.asked, [`CONNECT 127.0.0.1:${embedded.port}`])
  })
})
