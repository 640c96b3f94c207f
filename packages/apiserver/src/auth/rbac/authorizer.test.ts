import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import type { Attributes } from '../attributes.ts'
import { accessForbidden } from '../refusal.ts'
import { anonymous, type User } from '../user.ts'
import { RbacAuthorizer } from './authorizer.ts'
import {
  aClusterRole,
  aClusterRoleBinding,
  admin,
  alice,
  anAuthorizer,
  aRole,
  aRoleBinding,
  aUser,
  bob,
  dev,
  group,
  namespace,
  request,
  user,
} from './fixtures.ts'

const widgets = (...verbs: string[]): JsonObject => ({ apiGroups: ['test.windlass.dev'], resources: ['widgets'], verbs })
const configmaps = (...verbs: string[]): JsonObject => ({ apiGroups: [''], resources: ['configmaps'], verbs })
const gadgets = (...verbs: string[]): JsonObject => ({ apiGroups: ['test.windlass.dev'], resources: ['gadgets'], verbs })

function assertAllowed(authorizer: RbacAuthorizer, who: User, attributes: Attributes): void {
  assert.equal(authorizer.authorize(who, attributes).allowed, true)
}

function assertForbidden(authorizer: RbacAuthorizer, who: User, attributes: Attributes, message: string, details: JsonObject): void {
  const decision = authorizer.authorize(who, attributes)
  assert.equal(decision.allowed, false)
  assert.deepEqual(accessForbidden(who, attributes, decision.reason).status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message,
    reason: 'Forbidden',
    details,
    code: 403,
  })
}

test('AU-002 who am I: not for the anonymous', () => {
  assertForbidden(
    anAuthorizer(),
    anonymous,
    request('create selfsubjectreviews.authentication.k8s.io', ''),
    'selfsubjectreviews.authentication.k8s.io is forbidden: User "system:anonymous" cannot create resource "selfsubjectreviews" in API group "authentication.k8s.io" at the cluster scope',
    { group: 'authentication.k8s.io', kind: 'selfsubjectreviews' },
  )
  assertAllowed(anAuthorizer(), dev, request('create selfsubjectreviews.authentication.k8s.io', ''))
})

test('AU-004 a Role bound to a group', () => {
  const authorizer = anAuthorizer(aRole('r', widgets('list')), aRoleBinding('b', 'Role/r', group('devs')))
  assertAllowed(authorizer, alice, request('list widgets.test.windlass.dev'))
  assertForbidden(
    authorizer,
    bob,
    request('list widgets.test.windlass.dev'),
    `widgets.test.windlass.dev is forbidden: User "bob" cannot list resource "widgets" in API group "test.windlass.dev" in the namespace "${namespace}"`,
    { group: 'test.windlass.dev', kind: 'widgets' },
  )
})

test('AU-005 a ClusterRole bound in one namespace', () => {
  const authorizer = anAuthorizer(aClusterRole('x', configmaps('get', 'list', 'watch')), aRoleBinding('b', 'ClusterRole/x', user('dev')))
  assertAllowed(authorizer, dev, request('list configmaps'))
  const elsewhere = 'configmaps is forbidden: User "dev" cannot list resource "configmaps" in API group "" in the namespace "default"'
  assertForbidden(authorizer, dev, request('list configmaps', 'default'), elsewhere, { kind: 'configmaps' })
  const everywhere = 'configmaps is forbidden: User "dev" cannot list resource "configmaps" in API group "" at the cluster scope'
  assertForbidden(authorizer, dev, request('list configmaps', ''), everywhere, { kind: 'configmaps' })
})

test('AU-006 a ClusterRole bound cluster-wide, until the binding goes', () => {
  const authorizer = anAuthorizer(aClusterRole('x', gadgets('get', 'list')), aClusterRoleBinding('x', 'x', user('bob')))
  assertAllowed(authorizer, bob, request('list gadgets.test.windlass.dev', ''))
  assert.equal(authorizer.authorize(bob, request('create gadgets.test.windlass.dev', '')).allowed, false)
  authorizer.delete('ClusterRoleBinding', '', 'x')
  assertForbidden(
    authorizer,
    bob,
    request('list gadgets.test.windlass.dev', ''),
    'gadgets.test.windlass.dev is forbidden: User "bob" cannot list resource "gadgets" in API group "test.windlass.dev" at the cluster scope',
    { group: 'test.windlass.dev', kind: 'gadgets' },
  )
})

test('AU-007 resourceNames', () => {
  const rule = { ...configmaps('get', 'update', 'delete'), resourceNames: ['one'] }
  const authorizer = anAuthorizer(aRole('r', rule), aRoleBinding('b', 'Role/r', user('dev')))
  assertAllowed(authorizer, dev, request('get configmaps/one'))
  assertAllowed(authorizer, dev, request('update configmaps/one'))
  assertForbidden(
    authorizer,
    dev,
    request('get configmaps/two'),
    `configmaps "two" is forbidden: User "dev" cannot get resource "configmaps" in API group "" in the namespace "${namespace}"`,
    { name: 'two', kind: 'configmaps' },
  )
  assert.equal(authorizer.authorize(dev, request('list configmaps')).allowed, false)
})

test('AU-009 subresources are granted apart', () => {
  const rule = { apiGroups: ['test.windlass.dev'], resources: ['widgets/status'], verbs: ['get', 'patch'] }
  const authorizer = anAuthorizer(aRole('r', rule), aRoleBinding('b', 'Role/r', user('dev')))
  assertAllowed(authorizer, dev, request('get widgets.test.windlass.dev/a/status'))
  assertAllowed(authorizer, dev, request('patch widgets.test.windlass.dev/a/status'))
  assert.equal(authorizer.authorize(dev, request('get widgets.test.windlass.dev/a')).allowed, false)
  assertForbidden(
    authorizer,
    dev,
    request('get widgets.test.windlass.dev/a/scale'),
    `widgets.test.windlass.dev "a" is forbidden: User "dev" cannot get resource "widgets/scale" in API group "test.windlass.dev" in the namespace "${namespace}"`,
    { name: 'a', group: 'test.windlass.dev', kind: 'widgets' },
  )
})

test('AU-010 wildcards', () => {
  const rule = { apiGroups: ['test.windlass.dev'], resources: ['*'], verbs: ['*'] }
  const authorizer = anAuthorizer(aRole('r', rule), aRoleBinding('b', 'Role/r', user('dev')))
  for (const each of ['get widgets.test.windlass.dev/a', 'delete widgets.test.windlass.dev/a', 'get widgets.test.windlass.dev/a/status']) {
    assertAllowed(authorizer, dev, request(each))
  }
  assert.equal(authorizer.authorize(dev, request('list configmaps')).allowed, false)
})

test('AU-011 */scale grants a subresource of every resource', () => {
  const rule = { apiGroups: ['*'], resources: ['*/scale'], verbs: ['get'] }
  const authorizer = anAuthorizer(aRole('r', rule), aRoleBinding('b', 'Role/r', user('dev')))
  assertAllowed(authorizer, dev, request('get widgets.test.windlass.dev/a/scale'))
  assert.equal(authorizer.authorize(dev, request('get widgets.test.windlass.dev/a')).allowed, false)
  assert.equal(authorizer.authorize(dev, request('get widgets.test.windlass.dev/a/autoscale')).allowed, false)
})

test('AU-012 nonResourceURLs', () => {
  const metrics = { verb: 'get', path: '/metrics' }
  assertForbidden(anAuthorizer(), bob, metrics, 'forbidden: User "bob" cannot get path "/metrics"', {})
  const rule = { verbs: ['get'], nonResourceURLs: ['/metrics', '/logs/*'] }
  const authorizer = anAuthorizer(aClusterRole('x', rule), aClusterRoleBinding('x', 'x', user('bob')))
  assertAllowed(authorizer, bob, metrics)
  assertAllowed(authorizer, bob, { verb: 'get', path: '/logs/a/b' })
  assert.equal(authorizer.authorize(bob, { verb: 'get', path: '/logs' }).allowed, false)
  assert.equal(authorizer.authorize(bob, { verb: 'post', path: '/metrics' }).allowed, false)
})

test('AU-014 the group of all ServiceAccounts of a namespace', () => {
  const binding = aRoleBinding('b', 'Role/r', group(`system:serviceaccounts:${namespace}`))
  const authorizer = anAuthorizer(aRole('r', configmaps('list')), binding)
  const account = aUser(`system:serviceaccount:${namespace}:s`, 'system:serviceaccounts', `system:serviceaccounts:${namespace}`)
  assertAllowed(authorizer, account, request('list configmaps'))
})

test('a ServiceAccount is named with its namespace, or in a RoleBinding without', () => {
  const account = aUser(`system:serviceaccount:${namespace}:s`)
  const near = aRoleBinding('b', 'Role/r', { kind: 'ServiceAccount', name: 's' })
  const authorizer = anAuthorizer(aRole('r', configmaps('list')), near)
  assert.equal(
    authorizer.authorize(account, request('list configmaps')).reason,
    `RBAC: allowed by RoleBinding "b/${namespace}" of Role "r" to ServiceAccount "s/${namespace}"`,
  )
  const nowhere = aClusterRoleBinding('c', 'cluster-admin', { kind: 'ServiceAccount', name: 's' })
  assert.equal(anAuthorizer(nowhere).authorize(account, request('list configmaps')).allowed, false)
})

test('AU-015 permissions go when the binding goes', () => {
  const authorizer = anAuthorizer(aRole('r', widgets('list')), aRoleBinding('b', 'Role/r', user('dev')))
  assertAllowed(authorizer, dev, request('list widgets.test.windlass.dev'))
  authorizer.delete('RoleBinding', namespace, 'b')
  assert.equal(authorizer.authorize(dev, request('list widgets.test.windlass.dev')).allowed, false)
})

test('AU-016 a binding to a Role that does not exist grants nothing, and says so', () => {
  assertForbidden(
    anAuthorizer(aRoleBinding('b', 'Role/nope', user('dev'))),
    dev,
    request('list widgets.test.windlass.dev'),
    `widgets.test.windlass.dev is forbidden: User "dev" cannot list resource "widgets" in API group "test.windlass.dev" in the namespace "${namespace}": RBAC: role.rbac.authorization.k8s.io "nope" not found`,
    { group: 'test.windlass.dev', kind: 'widgets' },
  )
})

test('several missing roles are named together, each once', () => {
  const objects = [
    aClusterRoleBinding('a', 'gone', user('dev')),
    aRoleBinding('b', 'Role/nope', user('dev'), group('system:authenticated')),
  ]
  assert.equal(
    anAuthorizer(...objects).authorize(dev, request('list pods')).reason,
    'RBAC: [clusterrole.rbac.authorization.k8s.io "gone" not found, role.rbac.authorization.k8s.io "nope" not found]',
  )
})

test('AU-022 an allowed request names the binding, the role and the subject', () => {
  const authorizer = anAuthorizer(aRole('r', widgets('get')), aRoleBinding('b', 'Role/r', user('jane')))
  assert.deepEqual(authorizer.authorize({ name: 'jane', uid: '', groups: [], extra: {} }, request('get widgets.test.windlass.dev')), {
    allowed: true,
    reason: `RBAC: allowed by RoleBinding "b/${namespace}" of Role "r" to User "jane"`,
  })
})

test('system:masters passes everything, without a binding', () => {
  assert.deepEqual(new RbacAuthorizer().authorize(admin, request('*  *.*', '')), { allowed: true, reason: '' })
})

test('AU-040 a ClusterRole with a namespaced binding does not reach cluster-scoped kinds', () => {
  const authorizer = anAuthorizer(aClusterRole('x', gadgets('list')), aRoleBinding('b', 'ClusterRole/x', user('dev')))
  assert.equal(authorizer.authorize(dev, request('list gadgets.test.windlass.dev', '')).allowed, false)
})

test('AU-041 deletecollection and watch are verbs of their own', () => {
  const authorizer = anAuthorizer(aRole('r', configmaps('delete', 'list')), aRoleBinding('b', 'Role/r', user('dev')))
  assertForbidden(
    authorizer,
    dev,
    request('deletecollection configmaps'),
    `configmaps is forbidden: User "dev" cannot deletecollection resource "configmaps" in API group "" in the namespace "${namespace}"`,
    { kind: 'configmaps' },
  )
  assert.equal(authorizer.authorize(dev, request('watch configmaps')).allowed, false)
})

test('AU-042 server-side apply of a new object needs create, by its name', () => {
  const authorizer = anAuthorizer(aRole('r', configmaps('patch', 'get')), aRoleBinding('b', 'Role/r', user('dev')))
  assertForbidden(
    authorizer,
    dev,
    request('create configmaps/new'),
    `configmaps "new" is forbidden: User "dev" cannot create resource "configmaps" in API group "" in the namespace "${namespace}"`,
    { name: 'new', kind: 'configmaps' },
  )
})

test('ER-004 anonymous requests see health and version, nothing else', () => {
  const authorizer = anAuthorizer()
  for (const path of ['/healthz', '/livez', '/readyz', '/version']) assertAllowed(authorizer, anonymous, { verb: 'get', path })
  assertForbidden(authorizer, anonymous, { verb: 'get', path: '/nope' }, 'forbidden: User "system:anonymous" cannot get path "/nope"', {})
  assert.equal(authorizer.authorize(anonymous, { verb: 'get', path: '/apis' }).allowed, false)
  assertAllowed(authorizer, dev, { verb: 'get', path: '/apis/apps/v1' })
})

test('a changed role and a changed binding count at once', () => {
  const authorizer = anAuthorizer(aRole('r', widgets('list')), aRoleBinding('b', 'Role/r', user('dev')))
  authorizer.set('Role', aRole('r', configmaps('list')))
  assert.equal(authorizer.authorize(dev, request('list widgets.test.windlass.dev')).allowed, false)
  assertAllowed(authorizer, dev, request('list configmaps'))
  authorizer.set('RoleBinding', aRoleBinding('b', 'Role/r', user('bob')))
  assert.equal(authorizer.authorize(dev, request('list configmaps')).allowed, false)
  assertAllowed(authorizer, bob, request('list configmaps'))
})

test('G3 a template lends its cluster-wide objects until they are replaced or deleted', () => {
  const template = anAuthorizer(aClusterRole('x', gadgets('list')), aClusterRoleBinding('x', 'x', user('bob')))
  const cluster = new RbacAuthorizer(template)
  const list = request('list gadgets.test.windlass.dev', '')
  assertAllowed(cluster, bob, list)
  cluster.set('ClusterRole', aClusterRole('x', gadgets('get')))
  assert.equal(cluster.authorize(bob, list).allowed, false)
  assertAllowed(template, bob, list)

  const other = new RbacAuthorizer(template)
  other.delete('ClusterRoleBinding', '', 'x')
  assert.equal(other.authorize(bob, list).allowed, false)
  other.set('ClusterRoleBinding', aClusterRoleBinding('x', 'x', user('dev')))
  assert.equal(other.authorize(bob, list).allowed, false)
  assertAllowed(other, dev, list)
  other.delete('ClusterRole', '', 'x')
  assert.equal(other.authorize(dev, list).reason, 'RBAC: clusterrole.rbac.authorization.k8s.io "x" not found')
})
