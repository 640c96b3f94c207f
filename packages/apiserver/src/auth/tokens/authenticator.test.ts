import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@windlass/core'
import { ApiError } from '../../errors/api-error.ts'
import { newPrivateKey } from '../certificates/key-pair.ts'
import { anonymous, type User } from '../user.ts'
import { Authenticator, bearerFromProtocols, bearerToken, type Presented } from './authenticator.ts'
import { anAuthenticator, now, Objects, tokenKey } from './fixtures.ts'

const ask = (authenticator: Authenticator, shown: Partial<Presented>): User =>
  authenticator.authenticate({ cluster: 'root', now, ...shown })
const bearer = (token: string): Partial<Presented> => ({ authorization: `Bearer ${token}` })

function isUnauthorized(error: unknown): boolean {
  assert.ok(error instanceof ApiError)
  assert.deepEqual(error.status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Unauthorized',
    reason: 'Unauthorized',
    code: 401,
  })
  return true
}

function issue(authenticator: Authenticator, objects: Objects, more: object = {}): string {
  const serviceAccount = objects.lookup('root', 'serviceaccounts', 'default', 's') ?? {}
  return authenticator.issueServiceAccountToken({
    cluster: 'root',
    namespace: 'default',
    serviceAccount,
    audiences: authenticator.audiences,
    expirationSeconds: 3600,
    id: '11111111-2222-4333-8444-555555555555',
    now,
    ...more,
  })
}

function withAccount(): { objects: Objects; authenticator: Authenticator } {
  const objects = new Objects()
  objects.put('serviceaccounts', 's', 'sa-uid')
  return { objects, authenticator: anAuthenticator(objects) }
}

test('AU-001 token users, with and without groups', () => {
  const authenticator = anAuthenticator()
  assert.deepEqual(ask(authenticator, bearer('admin-token')), {
    name: 'admin',
    uid: 'admin',
    groups: ['system:masters', 'system:authenticated'],
    extra: {},
  })
  assert.deepEqual(ask(authenticator, bearer('dev-token')).groups, ['system:authenticated'])
  const alice = ask(authenticator, bearer('alice-token'))
  assert.deepEqual([alice.name, alice.uid, alice.groups], ['alice', 'alice-uid', ['devs', 'ops', 'system:authenticated']])
})

test('AU-039 ER-002 a wrong bearer token is a 401; other schemes and an empty header are no credential', () => {
  const authenticator = anAuthenticator()
  assert.throws(() => ask(authenticator, bearer('xxxxxxxxxxxxxxxxxxxx')), isUnauthorized)
  for (const authorization of ['Basic YTpi', '', 'Bearer', 'Bearer ']) assert.equal(ask(authenticator, { authorization }), anonymous)
  assert.equal(ask(authenticator, {}), anonymous)
})

test('the scheme may be written in any case', () => {
  assert.equal(bearerToken('bearer abc'), 'abc')
  assert.equal(bearerToken('  BEARER abc def'), 'abc')
})

test('T9 browsers send their token as a WebSocket sub-protocol', () => {
  const encoded = Buffer.from('dev-token').toString('base64url')
  assert.equal(bearerFromProtocols(`v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.${encoded}`), 'Bearer dev-token')
  assert.equal(bearerFromProtocols('v4.channel.k8s.io'), undefined)
  assert.equal(bearerFromProtocols(undefined), undefined)
})

test('S1 client certificates: CN is the user, O the groups', () => {
  const certificate = { user: 'jane', groups: ['devs'], fingerprint: 'ab12', trusted: true }
  assert.deepEqual(ask(anAuthenticator(), { certificate }), {
    name: 'jane',
    uid: '',
    groups: ['devs', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['X509SHA256=ab12'] },
  })
})

test('a certificate that is not trusted is a wrong credential, unless a token makes up for it', () => {
  const certificate = { user: 'jane', groups: ['system:masters'], trusted: false }
  assert.throws(() => ask(anAuthenticator(), { certificate }), isUnauthorized)
  assert.equal(ask(anAuthenticator(), { certificate, ...bearer('dev-token') }).name, 'dev')
})

test('AU-030 a ServiceAccount token: who it is', () => {
  const { objects, authenticator } = withAccount()
  assert.deepEqual(ask(authenticator, bearer(issue(authenticator, objects))), {
    name: 'system:serviceaccount:default:s',
    uid: 'sa-uid',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['JTI=11111111-2222-4333-8444-555555555555'] },
  })
})

test('a token of a pod tells the pod and its node', () => {
  const { objects, authenticator } = withAccount()
  const pod = objects.put('pods', 'p', 'pod-uid')
  const token = issue(authenticator, objects, { pod, node: { metadata: { name: 'n', uid: 'node-uid' } } })
  assert.deepEqual(ask(authenticator, bearer(token)).extra, {
    'authentication.kubernetes.io/credential-id': ['JTI=11111111-2222-4333-8444-555555555555'],
    'authentication.kubernetes.io/pod-name': ['p'],
    'authentication.kubernetes.io/pod-uid': ['pod-uid'],
    'authentication.kubernetes.io/node-name': ['n'],
    'authentication.kubernetes.io/node-uid': ['node-uid'],
  })
  objects.remove('pods', 'p')
  assert.throws(() => ask(authenticator, bearer(token)), isUnauthorized)
})

test('the claims are those of a real server', () => {
  const { objects, authenticator } = withAccount()
  const [header = '', claims = ''] = issue(authenticator, objects)
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString())
  assert.deepEqual(Object.keys(JSON.parse(header)), ['alg', 'kid'])
  assert.deepEqual(JSON.parse(claims), {
    aud: ['https://kubernetes.default.svc'],
    exp: now / 1000 + 3600,
    iat: now / 1000,
    iss: 'https://kubernetes.default.svc',
    jti: '11111111-2222-4333-8444-555555555555',
    'kubernetes.io': { namespace: 'default', serviceaccount: { name: 's', uid: 'sa-uid' } },
    nbf: now / 1000,
    sub: 'system:serviceaccount:default:s',
  })
})

test('AU-031 a token for another audience does not authenticate here', () => {
  const { objects, authenticator } = withAccount()
  assert.throws(() => ask(authenticator, bearer(issue(authenticator, objects, { audiences: ['other'] }))), isUnauthorized)
})

test('AU-032 a token of a deleted ServiceAccount is refused, also when one by the same name comes back', () => {
  const { objects, authenticator } = withAccount()
  const token = issue(authenticator, objects)
  assert.equal(ask(authenticator, bearer(token)).uid, 'sa-uid')
  objects.remove('serviceaccounts', 's')
  assert.throws(() => ask(authenticator, bearer(token)), isUnauthorized)
  objects.put('serviceaccounts', 's', 'another-uid')
  assert.throws(() => ask(authenticator, bearer(token)), isUnauthorized)
})

test('a token ends with its time, give or take a minute', () => {
  const { objects, authenticator } = withAccount()
  const token = issue(authenticator, objects)
  const at = (time: number): boolean => authenticator.authenticateToken(token, { cluster: 'root', now: time }).authenticated
  assert.deepEqual([at(now + 3_600_000), at(now + 3_660_000), at(now + 3_661_000)], [true, true, false])
  assert.deepEqual([at(now - 60_000), at(now - 61_000)], [true, false])
})

test('a token bound to a Secret goes when the Secret goes', () => {
  const { objects, authenticator } = withAccount()
  const token = issue(authenticator, objects, { secret: objects.put('secrets', 'x', 'secret-uid') })
  assert.equal(ask(authenticator, bearer(token)).name, 'system:serviceaccount:default:s')
  objects.put('secrets', 'x', 'other-uid')
  assert.deepEqual(authenticator.authenticateToken(token, { cluster: 'root', now }), {
    authenticated: false,
    error: '[invalid bearer token, secret UID (other-uid) does not match service account secret ref claim (secret-uid)]',
  })
})

test('tokens of another key, altered tokens and tokens without a signature are refused', () => {
  const { objects, authenticator } = withAccount()
  const token = issue(authenticator, objects)
  const stranger = new Authenticator({ tokenKey: newPrivateKey(seededRandom('stranger')), lookup: objects.lookup })
  const [header = '', claims = '', signature = ''] = token.split('.')
  const altered = Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'x' })).toString(
    'base64url',
  )
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url')
  const forgeries = [
    issue(stranger, objects),
    `${header}.${altered}.${signature}`,
    `${unsigned}.${claims}.`,
    `${header}.${claims}.`,
    `${header}.${claims}`,
    'a.b.c',
  ]
  for (const forgery of forgeries) assert.throws(() => ask(authenticator, bearer(forgery)), isUnauthorized)
  assert.equal(ask(authenticator, bearer(token)).uid, 'sa-uid')
})

test('a token of another issuer is none of ours: nothing more is said about it', () => {
  const { objects, authenticator } = withAccount()
  const stranger = new Authenticator({ tokenKey, lookup: objects.lookup, issuer: 'https://elsewhere.example.org' })
  const result = authenticator.authenticateToken(issue(stranger, objects), { cluster: 'root', now })
  assert.deepEqual(result, { authenticated: false, error: 'invalid bearer token' })
})

test('a restarted server knows its tokens again', () => {
  const { objects, authenticator } = withAccount()
  const restarted = new Authenticator({ tokenKey, lookup: objects.lookup })
  assert.equal(ask(restarted, bearer(issue(authenticator, objects))).uid, 'sa-uid')
})

test('G2 credentials of a logical cluster are valid there alone', () => {
  const objects = new Objects()
  const account = objects.put('serviceaccounts', 's', 'sa-uid', {}, { cluster: 'c1' })
  objects.put('serviceaccounts', 's', 'sa-uid', {}, { cluster: 'c2' })
  objects.put('serviceaccounts', 's', 'sa-uid')
  const authenticator = anAuthenticator(objects, { c1: 'uid-1', c2: 'uid-2' })
  const request = { cluster: 'c1', clusterUid: 'uid-1', user: 'admin', groups: ['system:masters'], id: 'an-id', now }
  const shown: Partial<Presented>[] = [
    bearer(authenticator.issueClusterToken(request)),
    bearer(issue(authenticator, objects, { cluster: 'c1', serviceAccount: account })),
    bearer('only-c1'),
    { certificate: { user: 'admin', groups: ['system:masters'], cluster: 'c1', trusted: true } },
  ]
  for (const each of shown) {
    assert.ok(ask(authenticator, { ...each, cluster: 'c1' }).groups.includes('system:authenticated'))
    for (const cluster of ['root', 'c2']) assert.throws(() => ask(authenticator, { ...each, cluster }), isUnauthorized)
  }
  assert.deepEqual(ask(authenticator, { ...shown[0], cluster: 'c1' }), {
    name: 'admin',
    uid: '',
    groups: ['system:masters', 'system:authenticated'],
    extra: { 'authentication.kubernetes.io/credential-id': ['JTI=an-id'] },
  })
})

test('G2 ServiceAccount tokens of the root cluster are not valid elsewhere, server-wide tokens are', () => {
  const { objects, authenticator } = withAccount()
  const token = issue(authenticator, objects)
  objects.put('serviceaccounts', 's', 'sa-uid', {}, { cluster: 'c1' })
  assert.throws(() => ask(authenticator, { ...bearer(token), cluster: 'c1' }), isUnauthorized)
  assert.equal(ask(authenticator, { ...bearer('admin-token'), cluster: 'c1' }).name, 'admin')
})

test('G2 a cluster made again under the same name does not know the old tokens', () => {
  const token = anAuthenticator(new Objects(), { c1: 'old' }).issueClusterToken({
    cluster: 'c1',
    clusterUid: 'old',
    user: 'admin',
    groups: [],
    id: 'an-id',
    now,
  })
  assert.throws(() => ask(anAuthenticator(new Objects(), { c1: 'new' }), { ...bearer(token), cluster: 'c1' }), isUnauthorized)
  assert.throws(() => ask(anAuthenticator(new Objects()), { ...bearer(token), cluster: 'c1' }), isUnauthorized)
})
