import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Agent, WebSocket } from 'undici'
import { type Embedded, startEmbedded } from '../embedded.ts'

describe('T9 watches over WebSocket', () => {
  let server: Embedded
  let dispatcher: Agent

  before(async () => {
    server = await startEmbedded()
    dispatcher = new Agent({ connect: { ca: server.ca } })
  })
  after(async () => {
    await dispatcher.destroy()
    await server.close()
  })

  const admin = { name: 'admin', uid: '', groups: ['system:masters'], extra: {} }
  const create = (name: string): Promise<unknown> =>
    server.server.handle({
      method: 'POST',
      url: '/api/v1/namespaces/default/configmaps',
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })),
      user: admin,
    })

  const open = (path: string, protocols: string[]): WebSocket =>
    new WebSocket(server.url.replace('https', 'wss') + path, { protocols, dispatcher })

  const token = (): string => `base64url.bearer.authorization.k8s.io.${Buffer.from(server.adminToken).toString('base64url')}`

  it('sends one event per message, with the token as a sub-protocol', async () => {
    const socket = open('/api/v1/namespaces/default/configmaps?watch=true&resourceVersion=0', [token(), 'base64.binary.k8s.io'])
    const names: string[] = []
    const two = new Promise<void>((resolve, reject) => {
      socket.addEventListener('error', (event) => reject(new Error(`the connection failed: ${event.type}`)))
      socket.addEventListener('message', ({ data }) => {
        const event = JSON.parse(String(data)) as { type: string; object: { metadata: { name: string } } }
        names.push(`${event.type} ${event.object.metadata.name}`)
        if (names.length === 2) resolve()
      })
    })
    await once(socket, 'open')
    assert.equal(socket.protocol, 'base64.binary.k8s.io')
    await create('one')
    await create('two')
    await two
    assert.deepEqual(names, ['ADDED one', 'ADDED two'])
    const closed = once(socket, 'close')
    socket.close()
    await closed
    // The server hears of it a moment later; a watcher that stays would keep this test from ending.
    while (server.server.hub.size > 0) await setImmediate()
  })

  it('refuses a token that is wrong, and requests that are no watch', async () => {
    for (const [path, protocols] of [
      ['/api/v1/configmaps?watch=true', ['base64url.bearer.authorization.k8s.io.bm9wZQ', 'v1']],
      ['/api/v1/configmaps', [token(), 'v1']],
    ] as const) {
      const socket = open(path, [...protocols])
      await new Promise((resolve) => socket.addEventListener('error', resolve))
      assert.notEqual(socket.readyState, WebSocket.OPEN)
    }
  })
})
