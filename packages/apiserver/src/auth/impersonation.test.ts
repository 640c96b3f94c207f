import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import { impersonate, readImpersonation } from './impersonation.ts'
import { aClusterRole, aClusterRoleBinding, admin, anAuthorizer, bob, dev, user } from './rbac/fixtures.ts'
import type { RbacAuthorizer } from './rbac/index.ts'
import { userInfo, type User } from './user.ts'

function actingAs(who: User, rawHeaders: string[], authorizer: RbacAuthorizer = anAuthorizer()): User {
  const wanted = readImpersonation(rawHeaders)
  return wanted === undefined ? who : impersonate(who, wanted, authorizer.authorize)
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

test('no headers, no impersonation', () => {
  assert.equal(readImpersonation(['Host', 'x', 'If-None-Match', 'y', 'Impersonator', 'z']), undefined)
  assert.equal(readImpersonation(['impersonate-user', '']), undefined)
})

test('AU-034 impersonation: user, groups, extra', () => {
  assert.deepEqual(userInfo(actingAs(admin, ['Impersonate-User', 'jane'])), { username: 'jane', groups: ['system:authenticated'] })
  assert.deepEqual(userInfo(actingAs(admin, ['impersonate-user', 'jane', 'impersonate-group', 'devs', 'impersonate-group', 'ops'])), {
    username: 'jane',
    groups: ['devs', 'ops', 'system:authenticated'],
  })
  const headers = [
    'Impersonate-User',
    'jane',
    'Impersonate-Uid',
    'u-1',
    'impersonate-extra-scopes',
    'view',
    'impersonate-extra-scopes',
    'edit',
  ]
  assert.deepEqual(userInfo(actingAs(admin, [...headers, 'impersonate-extra-example.com%2fkey', 'v'])), {
    username: 'jane',
    uid: 'u-1',
    groups: ['system:authenticated'],
    extra: { 'example.com/key': ['v'], scopes: ['view', 'edit'] },
  })
})

test('AU-035 impersonation: acts with the rights of the other', () => {
  const headers = ['impersonate-user', 'x', 'impersonate-group', 'system:masters']
  assert.deepEqual(actingAs(admin, headers).groups, ['system:masters', 'system:authenticated'])
})

test('AU-036 impersonation: ServiceAccounts get their groups', () => {
  assert.deepEqual(userInfo(actingAs(admin, ['impersonate-user', 'system:serviceaccount:ns:s'])), {
    username: 'system:serviceaccount:ns:s',
    groups: ['system:serviceaccounts', 'system:serviceaccounts:ns', 'system:authenticated'],
  })
  assert.deepEqual(actingAs(admin, ['impersonate-user', 'system:serviceaccount:ns:s', 'impersonate-group', 'g']).groups, [
    'g',
    'system:authenticated',
  ])
})

test('AU-037 impersonation needs the verb', () => {
  assert.deepEqual(
    refusal(() => actingAs(dev, ['impersonate-user', 'admin'])),
    {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: 'users "admin" is forbidden: User "dev" cannot impersonate resource "users" in API group "" at the cluster scope',
      reason: 'Forbidden',
      details: { name: 'admin', kind: 'users' },
      code: 403,
    },
  )
  const rule = { apiGroups: [''], resources: ['users'], verbs: ['impersonate'], resourceNames: ['jane'] }
  const authorizer = anAuthorizer(aClusterRole('x', rule), aClusterRoleBinding('x', 'x', user('bob')))
  assert.equal(actingAs(bob, ['impersonate-user', 'jane'], authorizer).name, 'jane')
  assert.equal(
    refusal(() => actingAs(bob, ['impersonate-user', 'joe'], authorizer)).message,
    'users "joe" is forbidden: User "bob" cannot impersonate resource "users" in API group "" at the cluster scope',
  )
})

test('each group, extra value and uid is asked for by itself', () => {
  const rule = { apiGroups: ['*'], resources: ['users'], verbs: ['impersonate'] }
  const authorizer = anAuthorizer(aClusterRole('x', rule), aClusterRoleBinding('x', 'x', user('bob')))
  const message = (...headers: string[]): string =>
    refusal(() => actingAs(bob, ['impersonate-user', 'jane', ...headers], authorizer)).message ?? ''
  assert.equal(
    message('impersonate-group', 'system:masters'),
    'groups "system:masters" is forbidden: User "bob" cannot impersonate resource "groups" in API group "" at the cluster scope',
  )
  assert.equal(
    message('impersonate-extra-scopes', 'view'),
    'userextras.authentication.k8s.io "view" is forbidden: User "bob" cannot impersonate resource "userextras/scopes" in API group "authentication.k8s.io" at the cluster scope',
  )
  assert.equal(
    message('impersonate-uid', 'u'),
    'uids.authentication.k8s.io "u" is forbidden: User "bob" cannot impersonate resource "uids" in API group "authentication.k8s.io" at the cluster scope',
  )
  assert.equal(
    refusal(() => actingAs(bob, ['impersonate-user', 'system:serviceaccount:ns:s'], authorizer)).message,
    'serviceaccounts "s" is forbidden: User "bob" cannot impersonate resource "serviceaccounts" in API group "" in the namespace "ns"',
  )
})

test('groups without a user are an error of their own', () => {
  const status = refusal(() => actingAs(admin, ['impersonate-group', 'devs']))
  assert.equal(status.code, 500)
  assert.match(status.message ?? '', /requested .* without impersonating a user$/)
})

test('nobody in particular can be impersonated, too', () => {
  assert.deepEqual(actingAs(admin, ['impersonate-user', 'system:anonymous']).groups, ['system:unauthenticated'])
})
