import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import { seededRandom } from '@windlass/core'
import { CredentialError, ensureCredentials, type CredentialStore } from './credentials.ts'

const now = Date.UTC(2026, 0, 1)
const day = 86_400_000

class MemoryStore implements CredentialStore {
  readonly files = new Map<string, Buffer>()
  readonly saved: string[] = []
  load(name: string): Buffer | undefined {
    return this.files.get(name)
  }
  save(name: string, bytes: Buffer): void {
    this.files.set(name, bytes)
    this.saved.push(name)
  }
}

const ensure = (store: CredentialStore, at = now, names?: readonly string[]) =>
  ensureCredentials(store, { random: seededRandom('credentials'), now: at, ...(names === undefined ? {} : { names }) })

test('credentials are made once and used again', () => {
  const store = new MemoryStore()
  const first = ensure(store)
  store.saved.length = 0
  const second = ensure(store, now + day)
  assert.deepEqual(store.saved, [])
  assert.equal(second.adminToken, first.adminToken)
  assert.equal(second.ca, first.ca)
  assert.deepEqual(second.server, first.server)
  assert.deepEqual(second.admin, first.admin)
  assert.ok(second.tokenKey.equals(first.tokenKey))
})

test('the token of the administrator never looks like a flag of a command line', () => {
  assert.match(ensure(new MemoryStore()).adminToken, /^[0-9a-f]{64}$/)
})

test('the server is known by its local names and by those given', () => {
  const certificate = new X509Certificate(ensure(new MemoryStore(), now, ['api.example.org', '192.0.2.7']).server.certificate)
  for (const name of ['localhost', 'kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'api.example.org']) {
    assert.equal(certificate.checkHost(name), name)
  }
  for (const address of ['127.0.0.1', '::1', '192.0.2.7']) assert.equal(certificate.checkIP(address), address)
})

test('certificates are renewed before they run out, keys and CA stay', () => {
  const store = new MemoryStore()
  const first = ensure(store)
  store.saved.length = 0
  const later = now + 340 * day
  const renewed = ensure(store, later)
  assert.deepEqual(store.saved, ['server.crt', 'admin.crt'])
  assert.equal(renewed.ca, first.ca)
  assert.equal(renewed.server.key, first.server.key)
  assert.ok(Date.parse(new X509Certificate(renewed.server.certificate).validTo) > later + 300 * day)
})

test('a CA that nears its end is renewed with the same key, so what it signed stays valid', () => {
  const store = new MemoryStore()
  const first = ensure(store)
  const renewed = ensure(store, now + 3300 * day)
  assert.notEqual(renewed.ca, first.ca)
  assert.ok(new X509Certificate(first.admin.certificate).checkIssued(new X509Certificate(renewed.ca)))
  assert.ok(new X509Certificate(first.admin.certificate).verify(new X509Certificate(renewed.ca).publicKey))
})

test('a new name makes a new server certificate', () => {
  const store = new MemoryStore()
  ensure(store)
  store.saved.length = 0
  ensure(store, now, ['new.example.org'])
  assert.deepEqual(store.saved, ['server.crt'])
})

test('stopped between any two files, the next start goes on from what is there', () => {
  const complete = new MemoryStore()
  ensure(complete)
  for (let kept = 0; kept < complete.saved.length; kept++) {
    const store = new MemoryStore()
    for (const name of complete.saved.slice(0, kept)) store.files.set(name, complete.files.get(name) ?? Buffer.alloc(0))
    const credentials = ensure(store)
    const ca = new X509Certificate(credentials.ca)
    for (const { certificate } of [credentials.server, credentials.admin]) {
      assert.ok(new X509Certificate(certificate).verify(ca.publicKey), `after ${kept} files`)
    }
  }
})

test('a certificate of a CA that was replaced is made anew', () => {
  const store = new MemoryStore()
  ensure(store)
  store.files.delete('ca.key')
  store.saved.length = 0
  ensureCredentials(store, { random: seededRandom('another'), now })
  assert.deepEqual(store.saved, ['ca.key', 'ca.crt', 'server.crt', 'admin.crt'])
})

test('a file that cannot be read is named, with what to do', () => {
  const store = new MemoryStore()
  store.files.set('ca.key', Buffer.from('nonsense'))
  assert.throws(
    () => ensure(store),
    (error) =>
      error instanceof CredentialError && error.file === 'ca.key' && /^ca\.key: is not a private key.*Remove the file/.test(error.message),
  )
})

test('the same seed gives the same keys', () => {
  assert.equal(ensure(new MemoryStore()).server.key, ensure(new MemoryStore()).server.key)
})

test('certificates for users are signed by the CA and may be tied to one cluster', () => {
  const credentials = ensure(new MemoryStore())
  const { certificate, key } = credentials.issueClientCertificate({ user: 'jane', groups: ['devs'], cluster: 'c1', now })
  const read = new X509Certificate(certificate)
  assert.ok(read.verify(new X509Certificate(credentials.ca).publicKey))
  assert.equal(read.subject, 'O=devs\nOU=cluster:c1\nCN=jane')
  assert.match(key, /BEGIN PRIVATE KEY/)
})
