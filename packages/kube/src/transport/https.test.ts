import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Embedded, kubeconfig, startEmbedded } from '@windlass/apiserver'
import { aConfigMap, logicalClusters, until, urls } from '@windlass/apiserver/testing'
import { systemClock } from '@windlass/core'
import { parseKubeconfig } from '../kubeconfig/kubeconfig.ts'
import { fixedCredentials, type Identity } from './credentials.ts'
import type { TransportOptions } from './https.ts'
import { serving, transportTo } from './testing.ts'

const version = { method: 'GET', path: '/version' } as const
const configMaps = { method: 'GET', path: urls.configMaps() } as const

describe('a transport to the embedded server over HTTPS', () => {
  let embedded: Embedded
  let token: TransportOptions
  let admin: Identity

  before(async () => {
    embedded = await startEmbedded({ definitions: [logicalClusters] })
    const bearer = { headers: { authorization: `Bearer ${embedded.adminToken}` } }
    token = { server: embedded.url, ca: embedded.ca, credentials: fixedCredentials(bearer) }
    const access = await parseKubeconfig(embedded.kubeconfig, { name: 'kubeconfig', clock: systemClock, env: {} }).access()
    admin = await (access.credentials ?? fixedCredentials(bearer)).identity()
  })

  after(() => embedded.close())

  it('N2 sends and gets, by token and by client certificate', async () => {
    await using byToken = transportTo(token)
    const headers = { 'content-type': 'application/json' }
    const made = await byToken.send({
      method: 'POST',
      path: urls.configMaps(),
      headers,
      body: JSON.stringify(aConfigMap('sent', { a: 'Grüße' })),
    })
    assert.deepEqual([made.status, made.headers['content-type']], [201, 'application/json'])

    const { certificate = '', key = '' } = admin
    await using byCertificate = transportTo({ ...token, credentials: fixedCredentials({ headers: {}, certificate, key }) })
    const read = await byCertificate.send({ method: 'GET', path: urls.configMap('sent') })
    assert.equal((JSON.parse(read.body.toString()) as { data: { a: string } }).data.a, 'Grüße')

    await using anonymous = transportTo({ server: embedded.url, ca: embedded.ca })
    assert.equal((await anonymous.send(configMaps)).status, 403)
    assert.equal(anonymous.host, `127.0.0.1:${embedded.port}`)
  })

  it('N2 repeats headers that have several values', async () => {
    const impersonating = { ...admin.headers, 'impersonate-user': 'jane', 'impersonate-group': ['blue', 'green'] }
    await using transport = transportTo({ ...token, credentials: fixedCredentials({ headers: impersonating }) })
    const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' })
    const headers = { 'content-type': 'application/json' }
    const answer = await transport.send({ method: 'POST', path: '/apis/authentication.k8s.io/v1/selfsubjectreviews', headers, body })
    const { status } = JSON.parse(answer.body.toString()) as { status: { userInfo: { username: string; groups: string[] } } }
    assert.deepEqual([status.userInfo.username, status.userInfo.groups], ['jane', ['blue', 'green', 'system:authenticated']])
  })

  it('N22 begins every path with that of the server: a logical cluster', async () => {
    await using root = transportTo(token)
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', metadata: { name: 'prod' } })
    assert.equal((await root.send({ method: 'POST', path: urls.logicalClusters, headers, body })).status, 201)
    await using prod = transportTo({ ...token, server: `${embedded.url}/clusters/prod/` })
    await until(async () => (await prod.send(configMaps)).status === 200)
    await prod.send({ method: 'POST', path: urls.configMaps(), headers, body: JSON.stringify(aConfigMap('inside')) })
    assert.equal((await prod.send({ method: 'GET', path: urls.configMap('inside') })).status, 200)
    assert.equal((await root.send({ method: 'GET', path: urls.configMap('inside') })).status, 404)
  })

  it('N3 streams events as they happen', async () => {
    await using transport = transportTo(token)
    const { status, chunks } = await transport.stream({
      method: 'GET',
      path: `${urls.configMaps()}?watch=true&fieldSelector=metadata.name%3Dwatched`,
    })
    assert.equal(status, 200)
    const headers = { 'content-type': 'application/json' }
    await transport.send({ method: 'POST', path: urls.configMaps(), headers, body: JSON.stringify(aConfigMap('watched')) })
    for await (const chunk of chunks) {
      assert.match(chunk.toString(), /^\{"type":"ADDED"/)
      break
    }
    await until(() => embedded.server.hub.size === 0)
  })

  it('N3 lets no number of watches keep a request waiting', async () => {
    await using transport = transportTo({ ...token, maxConnections: 1 })
    const watches = await Promise.all(
      Array.from({ length: 20 }, () => transport.stream({ method: 'GET', path: `${urls.configMaps()}?watch=true` })),
    )
    assert.equal((await transport.send(configMaps)).status, 200)
    assert.equal(watches.length, 20)
  })

  it('N2 trusts no other authority, unless told to trust anybody', async () => {
    await using stranger = transportTo({ ...token, ca: await otherAuthority() })
    await assert.rejects(stranger.send(version), {
      name: 'ConnectionError',
      message: new RegExp(
        `^${embedded.url} has a certificate that is not trusted: use the certificate authority that the server came with`,
      ),
    })
    await using careless = transportTo({ server: embedded.url, isInsecure: true })
    assert.equal((await careless.send(version)).status, 200)
  })

  it('N2 expects the name it was told in the certificate', async () => {
    await using named = transportTo({ ...token, serverName: 'kubernetes' })
    assert.equal((await named.send(configMaps)).status, 200)
    await using misnamed = transportTo({ ...token, serverName: 'example.com' })
    await assert.rejects(misnamed.send(version), {
      code: 'ERR_TLS_CERT_ALTNAME_INVALID',
      message: /for other names: use one of them as the address, or as tls-server-name/,
    })
  })

  it('N2 says when a certificate and a key do not belong together', async () => {
    const other = await startEmbedded()
    const access = await parseKubeconfig(other.kubeconfig, { name: 'kubeconfig', clock: systemClock, env: {} }).access()
    await other.close()
    const { key = '' } = (await access.credentials?.identity()) ?? {}
    await using transport = transportTo({ ...token, credentials: fixedCredentials({ ...admin, key }) })
    await assert.rejects(transport.send(version), {
      name: 'ConnectionError',
      message: /the client certificate and its key do not belong together/,
    })
  })

  it('N2 says when a server does not speak TLS', async () => {
    await using plain = await serving((_request, response) => response.end())
    await using transport = transportTo({ server: plain.url.replace('http:', 'https:') })
    await assert.rejects(transport.send(version), {
      name: 'ConnectionError',
      message: /does not speak TLS: use an address that begins with http:\/\//,
    })
  })

  it('N22 moves to new connections when the client certificate changes', async () => {
    const { certificate = '', key = '' } = admin
    let identity: Identity = { headers: admin.headers }
    await using transport = transportTo({ ...token, credentials: { identity: () => identity } })
    const { chunks } = await transport.stream({ method: 'GET', path: `${urls.configMaps()}?watch=true&fieldSelector=metadata.name%3Dlate` })
    identity = { headers: {}, certificate, key }
    const headers = { 'content-type': 'application/json' }
    const made = await transport.send({ method: 'POST', path: urls.configMaps(), headers, body: JSON.stringify(aConfigMap('late')) })
    assert.equal(made.status, 201)
    // What runs on the old connections goes on there.
    for await (const chunk of chunks) {
      assert.match(chunk.toString(), /^\{"type":"ADDED"/)
      break
    }
  })
})

async function otherAuthority(): Promise<string> {
  const other = await startEmbedded()
  await other.close()
  return other.ca
}

it('N2 a kubeconfig of a plain server leads to it', async () => {
  const plain = await startEmbedded({ isPlain: true })
  try {
    const content = kubeconfig({ server: plain.url, token: plain.adminToken, insecure: true })
    await using transport = transportTo(await parseKubeconfig(content, { name: 'kubeconfig', clock: systemClock, env: {} }).access())
    assert.equal((await transport.send(configMaps)).status, 200)
  } finally {
    await plain.close()
  }
})
