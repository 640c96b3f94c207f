import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, describe, it } from 'node:test'
import { readWhole } from './transport.ts'
import { undiciTransport, type UndiciTransportOptions } from './undici-transport.ts'

const cleanUps: (() => void)[] = []
after(() => cleanUps.forEach((cleanUp) => cleanUp()))

async function serve(listener: RequestListener): Promise<{ url: URL; server: ReturnType<typeof createServer> }> {
  const server = createServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleanUps.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query`), server }
}

function transport(options?: UndiciTransportOptions): ReturnType<typeof undiciTransport> {
  const made = undiciTransport(options)
  cleanUps.push(() => void made.close())
  return made
}

const signal = new AbortController().signal

describe('HTTP over sockets', () => {
  it('carries method, path, headers and body there, and status, headers and body back', async () => {
    const { url } = await serve((incoming, outgoing) => {
      incoming.setEncoding('utf8')
      let body = ''
      incoming.on('data', (chunk: string) => (body += chunk))
      incoming.on('end', () => {
        outgoing.writeHead(418, [
          ['X-One', '1'],
          ['X-Two', 'a'],
          ['X-Two', 'b'],
        ])
        outgoing.end(`${incoming.method} ${incoming.url} ${String(incoming.headers['x-test'])} ${body}`)
      })
    })
    const answer = await transport().send({ method: 'POST', url, headers: { 'x-test': 'yes' }, body: 'hello', signal })
    assert.deepEqual([answer.status, answer.headers['x-one'], answer.headers['x-two']], [418, '1', 'a, b'])
    assert.equal((await readWhole(answer.body, 1000))?.toString(), 'POST /path?query yes hello')
  })

  it('does not follow redirects by itself', async () => {
    const { url } = await serve((_, outgoing) => outgoing.writeHead(307, { location: '/elsewhere' }).end())
    const answer = await transport().send({ method: 'GET', url, headers: {}, signal })
    await answer.discard()
    assert.deepEqual([answer.status, answer.headers['location']], [307, '/elsewhere'])
  })

  it('reads no further than it is allowed to', async () => {
    const { url } = await serve((_, outgoing) => outgoing.end('x'.repeat(100_000)))
    const answer = await transport().send({ method: 'GET', url, headers: {}, signal })
    assert.equal(await readWhole(answer.body, 10), undefined)
  })

  it('ends with the reason of the signal', async () => {
    const { url } = await serve(() => {})
    const control = new AbortController()
    const sent = transport().send({ method: 'GET', url, headers: {}, signal: control.signal })
    control.abort(new Error('enough'))
    await assert.rejects(sent, /enough/)
  })

  it('breaks off a body that stalls', async () => {
    const { url } = await serve((_, outgoing) => outgoing.write('the beginning'))
    const answer = await transport({ stallTimeout: 50 }).send({ method: 'GET', url, headers: {}, signal })
    await assert.rejects(readWhole(answer.body, 1000), /Body Timeout/)
  })

  it('goes through a proxy where it is told to, and past it where it is not', async () => {
    const { url } = await serve((_, outgoing) => outgoing.end('hello'))
    const asked: (string | undefined)[] = []
    const { url: proxy } = await serve((incoming, outgoing) => {
      asked.push(incoming.url)
      outgoing.end('from the proxy')
    })
    const inside = new URL('http://registry.inside/v2/')
    const through = transport({ proxy: { http: proxy.origin, except: '127.0.0.1' } })
    const answer = await through.send({ method: 'GET', url: inside, headers: {}, signal })
    assert.equal((await readWhole(answer.body, 100))?.toString(), 'from the proxy')
    assert.deepEqual(asked, ['http://registry.inside/v2/'])
    const past = await through.send({ method: 'GET', url, headers: {}, signal })
    assert.equal((await readWhole(past.body, 100))?.toString(), 'hello')
    assert.equal(asked.length, 1)
  })
})
