import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '@windlass/core'
import { ApiError } from '../../errors/api-error.ts'
import { isObject, type JsonObject } from '../../json.ts'
import { admin, alice, anAuthorizer, aRole, aRoleBinding, dev, namespace, user } from '../rbac/fixtures.ts'
import type { RbacAuthorizer } from '../rbac/index.ts'
import { anAuthenticator, now, Objects } from '../tokens/fixtures.ts'
import type { User } from '../user.ts'
import { answerTokenRequest, reviews } from './index.ts'

interface Setting {
  readonly who?: User
  readonly authorizer?: RbacAuthorizer
  readonly objects?: Objects
  readonly inNamespace?: string
}

function ask(
  kind: string,
  body: JsonObject,
  { who = admin, authorizer = anAuthorizer(), objects = new Objects(), inNamespace = '' }: Setting = {},
) {
  const review = reviews.find((each) => each.kind === kind)
  assert.ok(review, kind)
  const authenticator = anAuthenticator(objects)
  return review.answer(body, {
    user: who,
    cluster: 'root',
    namespace: inNamespace,
    now,
    authorize: authorizer.authorize,
    rulesFor: (each, of) => authorizer.rulesFor(each, of),
    authenticateToken: (token, options) => authenticator.authenticateToken(token, options),
  })
}

function refusal(run: () => unknown): ApiError['status'] {
  try {
    run()
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.status
  }
  return assert.fail('was not refused')
}

const widgets: JsonObject = { apiGroups: ['test.windlass.dev'], resources: ['widgets'], verbs: ['get', 'list'] }

test('S3 six reviews, for discovery', () => {
  assert.deepEqual(
    reviews.map(({ group, resource, singular, kind, namespaced }) => [group, resource, singular, kind, namespaced]),
    [
      ['authentication.k8s.io', 'selfsubjectreviews', 'selfsubjectreview', 'SelfSubjectReview', false],
      ['authentication.k8s.io', 'tokenreviews', 'tokenreview', 'TokenReview', false],
      ['authorization.k8s.io', 'localsubjectaccessreviews', 'localsubjectaccessreview', 'LocalSubjectAccessReview', true],
      ['authorization.k8s.io', 'selfsubjectaccessreviews', 'selfsubjectaccessreview', 'SelfSubjectAccessReview', false],
      ['authorization.k8s.io', 'selfsubjectrulesreviews', 'selfsubjectrulesreview', 'SelfSubjectRulesReview', false],
      ['authorization.k8s.io', 'subjectaccessreviews', 'subjectaccessreview', 'SubjectAccessReview', false],
    ],
  )
})

test('AU-001 who am I', () => {
  assert.deepEqual(ask('SelfSubjectReview', {}, { who: alice }), {
    kind: 'SelfSubjectReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { creationTimestamp: '2026-03-01T12:00:00Z' },
    status: { userInfo: { username: 'alice', uid: 'alice-uid', groups: ['devs', 'ops', 'system:authenticated'] } },
  })
})

test('AU-022 SubjectAccessReview: allowed and denied', () => {
  const authorizer = anAuthorizer(aRole('r', widgets), aRoleBinding('b', 'Role/r', user('jane')))
  const answer = (spec: JsonObject): JsonObject => ask('SubjectAccessReview', { spec }, { authorizer })
  const resourceAttributes = { namespace, verb: 'get', group: 'test.windlass.dev', resource: 'widgets' }
  assert.deepEqual(answer({ user: 'jane', resourceAttributes }), {
    kind: 'SubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: { resourceAttributes, user: 'jane' },
    status: { allowed: true, reason: `RBAC: allowed by RoleBinding "b/${namespace}" of Role "r" to User "jane"` },
  })
  const isAllowed = (spec: JsonObject): unknown => answer(spec).status
  assert.deepEqual(isAllowed({ user: 'jane', resourceAttributes: { ...resourceAttributes, verb: 'delete' } }), { allowed: false })
  assert.deepEqual(isAllowed({ user: 'jane', resourceAttributes: { ...resourceAttributes, subresource: 'status' } }), { allowed: false })
  const all = { verb: '*', group: '*', resource: '*' }
  assert.deepEqual(isAllowed({ user: 'x', groups: ['system:masters'], resourceAttributes: all }), { allowed: true })
  assert.deepEqual(isAllowed({ user: 'jane', nonResourceAttributes: { path: '/healthz', verb: 'get' } }), { allowed: false })
})

const message = (kind: string, body: JsonObject): string => refusal(() => ask(kind, body)).message ?? ''

test('SubjectAccessReview: what is asked must be clear', () => {
  const neither =
    'spec.resourceAttributes: Invalid value: "null": exactly one of nonResourceAttributes or resourceAttributes must be specified'
  const nobody = 'spec.user: Invalid value: "": at least one of user or group must be specified'
  assert.equal(message('SubjectAccessReview', {}), `.authorization.k8s.io "" is invalid: [${neither}, ${nobody}]`)
  assert.equal(message('SelfSubjectAccessReview', {}), `.authorization.k8s.io "" is invalid: ${neither}`)
  const both = { resourceAttributes: { verb: 'get' }, nonResourceAttributes: { verb: 'get', path: '/' } }
  assert.match(
    message('SelfSubjectAccessReview', { spec: both }),
    /spec\.nonResourceAttributes: Invalid value: .*: cannot be specified in combination with resourceAttributes$/,
  )
  const named = { metadata: { name: 'x' }, spec: { resourceAttributes: { verb: 'get' } } }
  assert.match(message('SelfSubjectAccessReview', named), /metadata: Invalid value: .*: must be empty$/)
})

test('AU-024 SelfSubjectAccessReview, with what clients leave empty', () => {
  const resourceAttributes = { namespace, verb: 'get', resource: 'pods' }
  const body = { metadata: { creationTimestamp: null }, spec: { resourceAttributes: { ...resourceAttributes, group: '' } }, status: {} }
  assert.deepEqual(ask('SelfSubjectAccessReview', body), {
    kind: 'SelfSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: {},
    spec: { resourceAttributes },
    status: { allowed: true },
  })
  assert.deepEqual(ask('SelfSubjectAccessReview', body, { who: dev }).status, { allowed: false })
})

test('AU-025 LocalSubjectAccessReview', () => {
  const resourceAttributes = { namespace, verb: 'get', resource: 'pods' }
  const body = { metadata: { namespace }, spec: { user: 'dev', resourceAttributes } }
  assert.deepEqual(ask('LocalSubjectAccessReview', body, { inNamespace: namespace }), {
    kind: 'LocalSubjectAccessReview',
    apiVersion: 'authorization.k8s.io/v1',
    metadata: { namespace },
    spec: { resourceAttributes, user: 'dev' },
    status: { allowed: false },
  })
  const elsewhere = { spec: { user: 'dev', resourceAttributes: { ...resourceAttributes, namespace: 'elsewhere' } } }
  assert.deepEqual(
    refusal(() => ask('LocalSubjectAccessReview', elsewhere, { inNamespace: namespace })),
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message:
        '.authorization.k8s.io "" is invalid: spec.resourceAttributes.namespace: Invalid value: "elsewhere": must match metadata.namespace',
      reason: 'Invalid',
      details: {
        group: 'authorization.k8s.io',
        causes: [
          {
            reason: 'FieldValueInvalid',
            message: 'Invalid value: "elsewhere": must match metadata.namespace',
            field: 'spec.resourceAttributes.namespace',
          },
        ],
      },
      code: 422,
    },
  )
})

test('AU-026 SelfSubjectRulesReview', () => {
  const one = { apiGroups: [''], resources: ['configmaps'], verbs: ['get'], resourceNames: ['one'] }
  const authorizer = anAuthorizer(aRole('r', widgets, one), aRoleBinding('b', 'Role/r', user('dev')))
  const { kind, status } = ask('SelfSubjectRulesReview', { spec: { namespace } }, { who: dev, authorizer })
  assert.equal(kind, 'SelfSubjectRulesReview')
  assert.deepEqual(status, {
    resourceRules: [
      { verbs: ['create'], apiGroups: ['authorization.k8s.io'], resources: ['selfsubjectaccessreviews', 'selfsubjectrulesreviews'] },
      { verbs: ['create'], apiGroups: ['authentication.k8s.io'], resources: ['selfsubjectreviews'] },
      { verbs: ['get', 'list'], apiGroups: ['test.windlass.dev'], resources: ['widgets'] },
      { verbs: ['get'], apiGroups: [''], resources: ['configmaps'], resourceNames: ['one'] },
    ],
    nonResourceRules: [
      {
        verbs: ['get'],
        nonResourceURLs: [
          '/api',
          '/api/*',
          '/apis',
          '/apis/*',
          '/healthz',
          '/livez',
          '/openapi',
          '/openapi/*',
          '/readyz',
          '/version',
          '/version/',
        ],
      },
      { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
    ],
    incomplete: false,
  })
  assert.deepEqual(
    refusal(() => ask('SelfSubjectRulesReview', { spec: {} }, { who: dev })),
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'no namespace on request',
      reason: 'BadRequest',
      code: 400,
    },
  )
})

test('AU-027 TokenReview', () => {
  assert.deepEqual(ask('TokenReview', { spec: { token: 'nonsense' } }), {
    kind: 'TokenReview',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: {},
    spec: { token: 'nonsense' },
    status: { user: {}, error: 'invalid bearer token' },
  })
  const status = refusal(() => ask('TokenReview', { spec: {} }))
  assert.deepEqual([status.code, status.message], [400, 'token is required for TokenReview in authentication'])
})

test('TokenReview of a token from a file', () => {
  assert.deepEqual(ask('TokenReview', { spec: { token: 'alice-token' } }).status, {
    authenticated: true,
    user: { username: 'alice', uid: 'alice-uid', groups: ['devs', 'ops', 'system:authenticated'] },
    audiences: ['https://kubernetes.default.svc'],
  })
  const elsewhere = ask('TokenReview', { spec: { token: 'alice-token', audiences: ['other'] } })
  assert.deepEqual(elsewhere.status, { user: {}, error: 'invalid bearer token' })
})

function aTokenRequest(objects: Objects, spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return answerTokenRequest(
    { metadata, spec },
    {
      cluster: 'root',
      namespace: 'default',
      name: 's',
      now,
      random: seededRandom('token request'),
      lookup: objects.lookup,
      authenticator: anAuthenticator(objects),
    },
  )
}

function withAccount(): Objects {
  const objects = new Objects()
  objects.put('serviceaccounts', 's', 'sa-uid')
  return objects
}

function tokenOf({ status }: JsonObject): string {
  assert.ok(isObject(status) && typeof status.token === 'string')
  return status.token
}

test('AU-029 TokenRequest: bound to an object', () => {
  const objects = withAccount()
  objects.put('secrets', 'x', 'secret-uid')
  const boundObjectRef = { kind: 'Secret', apiVersion: 'v1', name: 'x', uid: 'secret-uid' }
  const answer = aTokenRequest(objects, { boundObjectRef })
  assert.deepEqual(answer, {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name: 's', namespace: 'default', creationTimestamp: '2026-03-01T12:00:00Z' },
    spec: { audiences: ['https://kubernetes.default.svc'], expirationSeconds: 3600, boundObjectRef },
    status: { token: tokenOf(answer), expirationTimestamp: '2026-03-01T13:00:00Z' },
  })
  const uid = '11111111-2222-3333-4444-555555555555'
  assert.deepEqual(
    refusal(() => aTokenRequest(objects, { boundObjectRef: { ...boundObjectRef, uid } })),
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: `Operation cannot be fulfilled on Secret "x": the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
      reason: 'Conflict',
      details: { name: 'x', kind: 'Secret' },
      code: 409,
    },
  )
  const configMap = refusal(() => aTokenRequest(objects, { boundObjectRef: { kind: 'ConfigMap', apiVersion: 'v1', name: 'x' } }))
  assert.deepEqual([configMap.code, configMap.message], [400, 'cannot bind token to object of type /v1, Kind=ConfigMap'])
})

test('AU-030 TokenReview of a ServiceAccount token', () => {
  const objects = withAccount()
  const token = tokenOf(aTokenRequest(objects, {}))
  const { status } = ask('TokenReview', { spec: { token } }, { objects })
  assert.deepEqual(status, {
    authenticated: true,
    user: {
      username: 'system:serviceaccount:default:s',
      uid: 'sa-uid',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:default', 'system:authenticated'],
      extra: { 'authentication.kubernetes.io/credential-id': [`JTI=${seededRandom('token request').uuid()}`] },
    },
    audiences: ['https://kubernetes.default.svc'],
  })
  assert.deepEqual(ask('TokenReview', { spec: { token, audiences: ['other'] } }, { objects }).status, {
    user: {},
    error: '[invalid bearer token, token audiences ["https://kubernetes.default.svc"] is invalid for the target audiences ["other"]]',
  })
})

test('TokenRequest: lifetime and names are checked, unbound tokens say so', () => {
  const objects = withAccount()
  assert.deepEqual(aTokenRequest(objects, { audiences: ['a'], expirationSeconds: 600 }).spec, {
    audiences: ['a'],
    expirationSeconds: 600,
    boundObjectRef: null,
  })
  const short = refusal(() => aTokenRequest(objects, { expirationSeconds: 60 }))
  assert.equal(
    short.message,
    'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
  )
  assert.equal(
    refusal(() => aTokenRequest(objects, {}, { name: 'other' })).message,
    'TokenRequest.authentication.k8s.io "s" is invalid: metadata.name: Invalid value: "other": must match the service account name if specified',
  )
  assert.equal(refusal(() => aTokenRequest(new Objects(), {})).message, 'serviceaccounts "s" not found')
})

const bound = (name: string): JsonObject => ({ expirationSeconds: 3607, boundObjectRef: { kind: 'Pod', apiVersion: 'v1', name } })

test('TokenRequest for a pod: of that ServiceAccount only, with its node, and extended when a kubelet asks', () => {
  const objects = withAccount()
  objects.put('pods', 'p', 'pod-uid', { spec: { serviceAccountName: 's', nodeName: 'n' } })
  objects.put('pods', 'other', 'other-uid', { spec: { serviceAccountName: 'default' } })
  const answer = aTokenRequest(objects, bound('p'))
  const claims = JSON.parse(Buffer.from(tokenOf(answer).split('.')[1] ?? '', 'base64url').toString())
  assert.deepEqual(claims['kubernetes.io'], {
    namespace: 'default',
    node: { name: 'n' },
    pod: { name: 'p', uid: 'pod-uid' },
    serviceaccount: { name: 's', uid: 'sa-uid' },
    warnafter: now / 1000 + 3607,
  })
  assert.equal(claims.exp, now / 1000 + 365 * 24 * 3600)
  assert.equal(isObject(answer.status) && answer.status.expirationTimestamp, '2026-03-01T13:00:07Z')
  assert.equal(
    refusal(() => aTokenRequest(objects, bound('other'))).message,
    'cannot bind token for serviceaccount "s" to pod running with different serviceaccount name.',
  )
  assert.equal(refusal(() => aTokenRequest(objects, bound('nope'))).message, 'pods "nope" not found')
})
