import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError } from '../../errors/api-error.ts'
import type { JsonObject } from '../../json.ts'
import type { User } from '../user.ts'
import type { RbacAuthorizer } from './authorizer.ts'
import { missingRules } from './covers.ts'
import { assertNoEscalation, type PolicyWrite } from './escalation.ts'
import { aClusterRole, aClusterRoleBinding, admin, anAuthorizer, aRole, aRoleBinding, dev, namespace, user } from './fixtures.ts'
import { parseRules, ruleAllows } from './policy-rule.ts'

const secrets: JsonObject = { apiGroups: [''], resources: ['secrets'], verbs: ['get'] }
const policy = (resources: string[], ...verbs: string[]): JsonObject => ({ apiGroups: ['rbac.authorization.k8s.io'], resources, verbs })

const devWith = (...rules: JsonObject[]): RbacAuthorizer =>
  anAuthorizer(aRole('r', ...rules), aRole('strong', secrets), aRoleBinding('b', 'Role/r', user('dev')))

const write = (resource: PolicyWrite['resource'], object: JsonObject, old?: JsonObject): PolicyWrite => ({
  resource,
  namespace: resource.startsWith('cluster') ? '' : namespace,
  name: '',
  object,
  ...(old === undefined ? {} : { old }),
})

function refusal(authorizer: RbacAuthorizer, who: User, attempt: PolicyWrite): ApiError['status'] | undefined {
  try {
    assertNoEscalation(authorizer, who, attempt)
    return undefined
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.status
  }
}

test('AU-019 binding a Role without its rights', () => {
  const attempt = write('rolebindings', aRoleBinding('c', 'Role/strong', user('dev')))
  assert.deepEqual(refusal(devWith(policy(['rolebindings'], 'create', 'get')), dev, attempt), {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message:
      'rolebindings.rbac.authorization.k8s.io "c" is forbidden: user "dev" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}',
    reason: 'Forbidden',
    details: { name: 'c', group: 'rbac.authorization.k8s.io', kind: 'rolebindings' },
    code: 403,
  })
  assert.equal(refusal(devWith(secrets), dev, attempt), undefined)
  assert.equal(refusal(devWith(), admin, attempt), undefined)
})

test('AU-020 the verbs escalate and bind', () => {
  const authorizer = devWith(policy(['roles', 'rolebindings'], 'create', 'get', 'escalate', 'bind'))
  assert.equal(refusal(authorizer, dev, write('roles', aRole('more', secrets))), undefined)
  assert.equal(refusal(authorizer, dev, write('rolebindings', aRoleBinding('c', 'Role/strong', user('bob')))), undefined)
})

test('writing a Role takes its permissions; what is missing is listed by resource, sorted', () => {
  const rules = [
    { apiGroups: ['', 'apps'], resources: ['secrets'], verbs: ['list', 'get'] },
    { apiGroups: [''], resources: ['pods'], verbs: ['get'], resourceNames: ['a'] },
  ]
  const status = refusal(devWith(secrets), dev, write('roles', aRole('more', ...rules)))
  assert.equal(
    status?.message,
    [
      'roles.rbac.authorization.k8s.io "more" is forbidden: user "dev" (groups=["system:authenticated"]) is attempting to grant RBAC permissions not currently held:',
      '{APIGroups:[""], Resources:["pods"], ResourceNames:["a"], Verbs:["get"]}',
      '{APIGroups:[""], Resources:["secrets"], Verbs:["list"]}',
      '{APIGroups:["apps"], Resources:["secrets"], Verbs:["list" "get"]}',
    ].join('\n'),
  )
})

test('binding a Role that does not exist is a 404', () => {
  const status = refusal(devWith(), dev, write('rolebindings', aRoleBinding('c', 'Role/nope', user('dev'))))
  assert.equal(status?.code, 404)
  assert.equal(status?.message, 'roles.rbac.authorization.k8s.io "nope" not found')
})

test('permissions in one namespace are not enough for a ClusterRole', () => {
  assert.equal(refusal(devWith(secrets), dev, write('clusterroles', aClusterRole('c', secrets)))?.code, 403)
  assert.equal(refusal(devWith(secrets), dev, write('clusterrolebindings', aClusterRoleBinding('c', 'view', user('dev'))))?.code, 403)
})

test('an aggregationRule takes every permission', () => {
  const object = { ...aClusterRole('agg'), aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } }
  assert.equal(
    refusal(devWith(), dev, write('clusterroles', object))?.message,
    'clusterroles.rbac.authorization.k8s.io "agg" is forbidden: must have cluster-admin privileges to use the aggregationRule',
  )
  const strong = anAuthorizer(aClusterRoleBinding('dev', 'cluster-admin', user('dev')))
  assert.equal(refusal(strong, dev, write('clusterroles', object)), undefined)
})

test('an update that only lets go of owners and finalizers needs no permissions', () => {
  const old = { ...aRole('more', secrets), metadata: { name: 'more', namespace, finalizers: ['x'] } }
  assert.equal(refusal(devWith(), dev, write('roles', aRole('more', secrets), old)), undefined)
  assert.equal(refusal(devWith(), dev, write('roles', aRole('more', { ...secrets, verbs: ['list'] }), old))?.code, 403)
})

const list = (...values: string[]): fc.Arbitrary<string[]> => fc.uniqueArray(fc.constantFrom(...values), { minLength: 1, maxLength: 3 })

test('rules that cover others allow all that the others allow', () => {
  const rule = fc.record({
    verbs: list('get', 'list', '*'),
    apiGroups: list('', 'apps', '*'),
    resources: list('pods', 'pods/status', '*/status', '*'),
    resourceNames: fc.uniqueArray(fc.constantFrom('a', 'b'), { maxLength: 1 }),
  })
  const rules = fc.array(rule, { minLength: 1, maxLength: 3 })
  const attributes = fc.record({
    verb: fc.constantFrom('get', 'list'),
    group: fc.constantFrom('', 'apps'),
    version: fc.constant('v1'),
    resource: fc.constantFrom('pods', 'jobs'),
    subresource: fc.constantFrom('', 'status'),
    name: fc.constantFrom('', 'a', 'b'),
    namespace: fc.constant(''),
  })
  fc.assert(
    fc.property(rules, rules, attributes, (held, wanted, request) => {
      const [have, want] = [parseRules(held), parseRules(wanted)]
      if (missingRules(have, want).length > 0) return
      if (want.some((each) => ruleAllows(each, request))) assert.ok(have.some((each) => ruleAllows(each, request)))
    }),
    { numRuns: 500 },
  )
})
