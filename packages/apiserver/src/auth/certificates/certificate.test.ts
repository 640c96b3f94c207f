import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import * as tls from 'node:tls'
import { systemClock, systemRandom } from '@windlass/core'
import { authorityCertificate, serverCertificate, userCertificate } from './certificate.ts'
import { integer, objectIdentifier, octetString, time } from './der.ts'
import { newPrivateKey, privateKeyPem } from './key-pair.ts'
import { clientCertificate, clusterUnit, type ClientCertificate } from './peer.ts'

const now = systemClock.now()
const validity = { notBefore: now - 60_000, notAfter: now + 86_400_000 }
const random = systemRandom
const folder = mkdtempSync(join(tmpdir(), 'windlass-certificates-'))
after(() => rmSync(folder, { recursive: true }))

const issuer = { subject: { commonName: 'test-ca' }, key: newPrivateKey(random) }
const ca = authorityCertificate({ ...issuer, validity, random })
const otherIssuer = { subject: { commonName: 'test-ca' }, key: newPrivateKey(random) }
const otherCa = authorityCertificate({ ...otherIssuer, validity, random })

const serverKey = newPrivateKey(random)
const names = ['localhost', 'kubernetes.default.svc', '127.0.0.1', '::1', '2001:db8::a:1', '::ffff:10.1.2.3']
const server = serverCertificate({ subject: { commonName: 'kubernetes' }, key: serverKey, validity, names, random }, issuer)

const userKey = newPrivateKey(random)
const subject = { commonName: 'jane', organizations: ['devs', 'ops & friends, inc.'], organizationalUnit: clusterUnit('c1') }
const user = userCertificate({ subject, key: userKey, validity, random }, issuer)

function openssl(...parameters: string[]): string {
  return execFileSync('openssl', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

test('DER: numbers keep their sign, lengths and object identifiers their long forms', () => {
  assert.equal(integer(Buffer.from([0, 0, 0x80])).toString('hex'), '02020080')
  assert.equal(integer(Buffer.from([0])).toString('hex'), '020100')
  assert.equal(objectIdentifier('1.2.840.10045.4.3.2').toString('hex'), '06082a8648ce3d040302')
  assert.equal(octetString(Buffer.alloc(200)).subarray(0, 3).toString('hex'), '0481c8')
  assert.equal(octetString(Buffer.alloc(300)).subarray(0, 4).toString('hex'), '0482012c')
})

test('DER: times have two-digit years until 2049 and four-digit years from then on', () => {
  assert.equal(
    time(Date.UTC(2049, 11, 31, 23, 59, 59))
      .subarray(2)
      .toString(),
    '491231235959Z',
  )
  assert.equal(
    time(Date.UTC(2050, 0, 1))
      .subarray(2)
      .toString(),
    '20500101000000Z',
  )
})

test('openssl verifies the certificates for what they are for, and only by their own CA', () => {
  const caFile = file('ca.crt', ca)
  const serverFile = file('server.crt', server)
  const userFile = file('user.crt', user)
  assert.match(openssl('verify', '-x509_strict', '-CAfile', caFile, '-purpose', 'sslserver', serverFile), /OK/)
  assert.match(openssl('verify', '-x509_strict', '-CAfile', caFile, '-purpose', 'sslclient', userFile), /OK/)
  assert.match(openssl('verify', '-x509_strict', '-CAfile', caFile, '-verify_ip', '127.0.0.1', serverFile), /OK/)
  assert.match(openssl('verify', '-x509_strict', '-CAfile', caFile, '-verify_hostname', 'kubernetes.default.svc', serverFile), /OK/)
  assert.throws(() => openssl('verify', '-CAfile', caFile, '-purpose', 'sslclient', serverFile))
  assert.throws(() => openssl('verify', '-CAfile', caFile, '-purpose', 'sslserver', userFile))
  assert.throws(() => openssl('verify', '-CAfile', file('other.crt', otherCa), serverFile))
})

test('openssl reads the extensions that clients look at', () => {
  const serverText = openssl('x509', '-in', file('server.crt', server), '-noout', '-text')
  const extensions = [
    'CA:FALSE',
    'Digital Signature',
    'TLS Web Server Authentication',
    'Subject Key Identifier',
    'Authority Key Identifier',
  ]
  for (const part of extensions) assert.ok(serverText.includes(part), part)
  const caText = openssl('x509', '-in', file('ca.crt', ca), '-noout', '-text')
  for (const part of ['CA:TRUE', 'Certificate Sign', 'CRL Sign']) assert.ok(caText.includes(part), part)
})

test('a server certificate carries its names, IPv6 in all its spellings', () => {
  const certificate = new X509Certificate(server)
  assert.equal(certificate.checkHost('localhost'), 'localhost')
  assert.equal(certificate.checkHost('elsewhere'), undefined)
  for (const address of ['127.0.0.1', '::1', '2001:db8::a:1', '::ffff:10.1.2.3']) assert.equal(certificate.checkIP(address), address)
  assert.equal(certificate.checkIP('10.0.0.1'), undefined)
})

test('a TLS connection proves the server and tells it user, groups and cluster of the client', async () => {
  const seen = await handshake({ cert: user, key: privateKeyPem(userKey) })
  assert.deepEqual(seen, {
    user: 'jane',
    groups: ['devs', 'ops & friends, inc.'],
    fingerprint: new X509Certificate(user).fingerprint256.replaceAll(':', '').toLowerCase(),
    cluster: 'c1',
    trusted: true,
  })
})

test('a client certificate of another CA is read but not trusted, no certificate is nothing', async () => {
  const strangerKey = newPrivateKey(random)
  const stranger = userCertificate({ subject: { commonName: 'admin' }, key: strangerKey, validity, random }, otherIssuer)
  const seen = await handshake({ cert: stranger, key: privateKeyPem(strangerKey) })
  assert.equal(seen?.user, 'admin')
  assert.equal(seen.trusted, false)
  assert.equal(await handshake({}), undefined)
})

test('a client with another CA refuses the server', async () => {
  await assert.rejects(handshake({ ca: otherCa }), /certificate|signature/i)
})

test('an expired client certificate is not trusted', async () => {
  const key = newPrivateKey(random)
  const past = { notBefore: now - 7_200_000, notAfter: now - 3_600_000 }
  const expired = userCertificate({ subject: { commonName: 'late' }, key, validity: past, random }, issuer)
  assert.equal((await handshake({ cert: expired, key: privateKeyPem(key) }))?.trusted, false)
})

async function handshake(options: tls.ConnectionOptions): Promise<ClientCertificate | undefined> {
  const listener = tls.createServer({ cert: server, key: privateKeyPem(serverKey), ca, requestCert: true, rejectUnauthorized: false })
  listener.on('tlsClientError', () => undefined)
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const { port } = listener.address() as AddressInfo
  try {
    const seen = new Promise<ClientCertificate | undefined>((resolve) => {
      listener.once('secureConnection', (socket) => {
        socket.on('error', () => undefined)
        resolve(clientCertificate(socket))
        socket.end()
      })
    })
    const socket = tls.connect({ host: '127.0.0.1', port, ca, ...options })
    await once(socket, 'secureConnect')
    const answer = await seen
    socket.destroy()
    return answer
  } finally {
    listener.close()
  }
}
