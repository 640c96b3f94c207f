import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:http2'
import { request } from 'node:https'
import { describe, it } from 'node:test'
import { authorityCertificate, newPrivateKey, privateKeyPem, serverCertificate, userCertificate } from '@windlass/apiserver/certificates'
import { systemClock, systemRandom as random } from '@windlass/core'
import { aPage, fakeDoor } from './testing/page.ts'
import { aRow } from '../fixtures/index.ts'

const day = 86_400_000
const validity = { notBefore: systemClock.now() - day, notAfter: systemClock.now() + day }

/** An authority, and what it signs. */
function anAuthority(commonName: string) {
  const key = newPrivateKey(random)
  const subject = { commonName }
  const issuer = { subject, key }
  const pair = (certificate: string, own: typeof key) => ({ cert: certificate, key: privateKeyPem(own) })
  return {
    certificate: authorityCertificate({ subject, key, validity, random }),
    server() {
      const own = newPrivateKey(random)
      return pair(serverCertificate({ subject: { commonName: 'page' }, key: own, validity, random, names: ['127.0.0.1'] }, issuer), own)
    },
    user(name: string, ...organizations: readonly string[]) {
      const own = newPrivateKey(random)
      return pair(userCertificate({ subject: { commonName: name, organizations }, key: own, validity, random }, issuer), own)
    },
  }
}

const authority = anAuthority('cluster')
const rows = [aRow(), aRow({ member: 'classic', kind: 'Classic' })]

function aSecurePage(rights: Parameters<typeof fakeDoor>[1]) {
  const { cert: certificate, key } = authority.server()
  const door = fakeDoor('east', rights)
  return aPage(rows, { doors: [door], allowsActions: true, tls: { certificate, key, clientAuthority: authority.certificate } })
}

async function ask(url: string, person?: { readonly cert: string; readonly key: string }, body?: object) {
  const headers = { 'content-type': 'application/json' }
  const outgoing = request(url, {
    ca: authority.certificate,
    ...person,
    agent: false,
    ...(body === undefined ? {} : { method: 'POST', headers }),
  })
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  let text = ''
  for await (const chunk of incoming as AsyncIterable<Buffer>) text += chunk.toString('utf8')
  return { status: incoming.statusCode, json: JSON.parse(text) as Record<string, unknown>, headers: incoming.headers }
}

describe('the page over TLS', () => {
  it('knows people by certificates of the cluster, asks in their name, and lets them see what they may', async () => {
    await using page = await aSecurePage({ dora: ['hostedclusters'] })
    const api = `${page.server.url}/api/v1`
    assert.match(api, /^https:/)
    const dora = authority.user('dora', 'sre')
    assert.deepEqual((await ask(`${api}/session`, dora)).json, { user: 'dora', mayAct: true, version: '0.0.0' })
    assert.deepEqual((await ask(`${api}/fleet`, dora)).json['clusters'], [rows[0]])
    assert.equal((await ask(`${api}/clusters/east/clusters/prod/actions`, dora, { do: 'pause' })).status, 200)
    const stranger = await ask(`${api}/fleet`, authority.user('nobody'))
    assert.equal(stranger.status, 401)
    assert.match(String(stranger.json['message']), /^The certificate is not known to east/)
  })

  it('does not know certificates that others have signed, nor who claims one in a cookie', async () => {
    await using page = await aSecurePage({ dora: ['hostedclusters'] })
    const api = `${page.server.url}/api/v1`
    assert.equal((await ask(`${api}/session`, anAuthority('impostor').user('dora', 'system:masters'))).status, 401)
    assert.equal((await ask(`${api}/session`)).status, 401)
  })

  it('gives cookies that only go over TLS', async () => {
    await using page = await aSecurePage({ dora: ['hostedclusters'] })
    const { headers } = await ask(`${page.server.url}/api/v1/session`, undefined, { token: 'dora' })
    assert.match(String(headers['set-cookie']), /^__Host-windlass-session-\d+=[\w-]+; Path=\/; HttpOnly; SameSite=Strict; Secure$/)
  })

  it('speaks HTTP/2, in which streams share a connection', async () => {
    await using page = await aSecurePage({ dora: ['hostedclusters'] })
    const session = connect(page.server.url, { ca: authority.certificate, ...authority.user('dora') })
    const read = async (path: string): Promise<string> => {
      const stream = session.request({ ':path': path })
      let text = ''
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        text += chunk.toString('utf8')
        if (path.endsWith('/stream') && /event: \w+\n[^]*\n\n/.test(text)) stream.close()
      }
      return text
    }
    const texts = await Promise.all([
      read('/api/v1/session'),
      read('/api/v1/stream'),
      read('/api/v1/stream'),
      read('/api/v1/clusters/east/clusters/prod/stream'),
    ])
    assert.match(texts[0], /"user":"dora"/)
    for (const text of texts.slice(1)) assert.match(text, /^retry: \d+\n\nevent: (fleet|cluster)\n/)
    session.close()
    await once(session, 'close')
  })
})
