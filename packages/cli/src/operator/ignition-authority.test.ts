import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { describe, it } from 'node:test'
import { Namespace, Secret } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { systemRandom as random } from '@windlass/core'
import { createClient, inProcessTransport } from '@windlass/kube'
import { authoritySecretName, ignitionAuthority } from './ignition-authority.ts'

const namespace = 'windlass-system'
const ref = { namespace, name: authoritySecretName }
const day = 86_400_000

async function aCluster() {
  const server = await startTestServer()
  const { clock } = server
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock, random, userAgent: 'test', fieldManager: 'test' })
  await client.create(Namespace, { metadata: { name: namespace } })
  const authority = () => ignitionAuthority({ client, clock, random, namespace })
  return { client, clock, authority, [Symbol.asyncDispose]: () => server.api.stop() }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')

describe('the authority that machines trust', () => {
  it('is made once, and is the same for every operator after the first', async () => {
    await using cluster = await aCluster()
    const first = await cluster.authority()
    assert.equal((await cluster.authority()).certificate, first.certificate)
    const secret = await cluster.client.get(Secret, ref)
    assert.deepEqual([secret.type, secret.data?.['tls.crt']], ['kubernetes.io/tls', encoded(first.certificate)])
    assert.ok(new X509Certificate(first.certificate).ca)
  })

  it('is one when two operators start at once', async () => {
    await using cluster = await aCluster()
    const [one, other] = await Promise.all([cluster.authority(), cluster.authority()])
    assert.equal(one.certificate, other.certificate)
    const leaf = other.certify('ignition.prod.example.com') ?? assert.fail()
    assert.ok(new X509Certificate(leaf.certificate).verify(new X509Certificate(one.certificate).publicKey))
  })

  it('certifies servers by name, for a year, for machines whose clocks are behind as well', async () => {
    await using cluster = await aCluster()
    const { certificate, certify } = await cluster.authority()
    const { certificate: pem, key } = certify('ignition.prod.example.com') ?? assert.fail()
    const leaf = new X509Certificate(pem)
    assert.ok(leaf.checkIssued(new X509Certificate(certificate)) && leaf.verify(new X509Certificate(certificate).publicKey))
    assert.ok(leaf.checkPrivateKey(createPrivateKey(key)))
    assert.equal(leaf.checkHost('ignition.prod.example.com'), 'ignition.prod.example.com')
    assert.equal(leaf.checkHost('ignition.other.example.com'), undefined)
    const now = cluster.clock.now()
    assert.ok(leaf.validFromDate.getTime() <= now - day + 1000 && leaf.validToDate.getTime() >= now + 365 * day - 1000)
  })

  it('certifies nothing that is no name', async () => {
    await using cluster = await aCluster()
    const { certify } = await cluster.authority()
    for (const name of ['', 'a name', 'a/b', 'x'.repeat(254)]) assert.equal(certify(name), undefined, name)
  })

  it('is not made anew where its Secret holds something else: people are told what to do', async () => {
    for (const data of [{}, { 'tls.crt': encoded('no certificate'), 'tls.key': encoded('no key') }]) {
      await using cluster = await aCluster()
      await cluster.client.create(Secret, { metadata: ref, data })
      await assert.rejects(
        cluster.authority(),
        /^Failure: Secret windlass-system\/windlass-ignition-authority should hold .*: delete it to /,
      )
    }
  })

  it('is not one of two halves that do not belong together', async () => {
    await using cluster = await aCluster()
    await using another = await aCluster()
    await cluster.authority()
    await another.authority()
    const { data } = await another.client.get(Secret, ref)
    await cluster.client.patch(Secret, ref, { data: { 'tls.key': data?.['tls.key'] ?? '' } })
    await assert.rejects(cluster.authority(), /in tls\.crt and tls\.key, and does not/)
  })
})
