import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { describe, it } from 'node:test'
import type { Identity } from './credentials.ts'
import { serving, transportTo } from './testing.ts'

const version = { method: 'GET', path: '/version' } as const

describe('credentials', () => {
  const tokens = (accepted: string): RequestListener => {
    return (request, response) => {
      response.statusCode = request.headers.authorization === `Bearer ${accepted}` ? 200 : 401
      response.end(request.headers.authorization)
    }
  }
  const bearer = (value: string): Identity => ({ headers: { authorization: `Bearer ${value}` } })

  it('N2 that the server refuses are asked for once more, for requests and for streams', async () => {
    await using server = await serving(tokens('new'))
    for (const way of ['send', 'stream'] as const) {
      const identities = [bearer('old'), bearer('new')]
      const refused: Identity[] = []
      await using transport = transportTo({
        server: server.url,
        credentials: { identity: () => identities[refused.length] ?? bearer('none'), refused: (identity) => refused.push(identity) > 0 },
      })
      assert.equal((await transport[way](version)).status, 200)
      assert.deepEqual(refused, [bearer('old')])
    }
  })

  it('N2 are not asked for a second time when the next one is refused too, nor when there is no other', async () => {
    await using server = await serving(tokens('none'))
    let asked = 0
    await using changing = transportTo({
      server: server.url,
      credentials: { identity: () => bearer(String(asked++)), refused: () => true },
    })
    const answer = await changing.send(version)
    assert.deepEqual([answer.status, answer.body.toString(), asked], [401, 'Bearer 1', 2])
    const only = bearer('only')
    await using same = transportTo({ server: server.url, credentials: { identity: () => only, refused: () => true } })
    assert.equal((await same.send(version)).status, 401)
  })

  it('N2 that cannot be had fail the request before it is sent', async () => {
    await using server = await serving(tokens('new'))
    await using transport = transportTo({
      server: server.url,
      credentials: { identity: () => Promise.reject(new Error('the login has expired')) },
    })
    await assert.rejects(transport.send(version), { code: 'ERR_LOGIN', message: `${server.url} was not asked: the login has expired` })
    assert.equal(server.sockets.size, 0)
  })

  it('N2 that take for ever are waited for no longer than the signal allows', async () => {
    await using transport = transportTo({ server: 'http://127.0.0.1:1', credentials: { identity: () => new Promise(() => {}) } })
    const stop = new AbortController()
    const waiting = transport.send({ ...version, signal: stop.signal })
    stop.abort(new Error('enough'))
    await assert.rejects(waiting, { message: 'enough' })
  })
})
