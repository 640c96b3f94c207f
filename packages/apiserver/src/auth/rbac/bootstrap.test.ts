import assert from 'node:assert/strict'
import { test } from 'node:test'
import { equalJson, isArray, isObject, type JsonObject } from '../../json.ts'
import { aggregateRules } from './aggregation.ts'
import { bootstrapRbac } from './bootstrap.ts'
import { aClusterRoleBinding, anAuthorizer, aUser, request, user } from './fixtures.ts'
import { identityOf } from './objects.ts'

function find(kind: string, name: string): JsonObject {
  const found = bootstrapRbac().find((each) => each.kind === kind && identityOf(each).name === name)
  assert.ok(found, `${kind} ${name}`)
  return found
}

test('AU-021 the ClusterRoles of a new server', () => {
  const everything = [
    { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
    { verbs: ['*'], nonResourceURLs: ['*'] },
  ]
  const admin = find('ClusterRole', 'cluster-admin')
  assert.deepEqual(admin.rules, everything)
  assert.deepEqual(isObject(admin.metadata) && admin.metadata.labels, { 'kubernetes.io/bootstrapping': 'rbac-defaults' })
  const binding = find('ClusterRoleBinding', 'cluster-admin')
  assert.deepEqual(binding.roleRef, { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' })
  assert.deepEqual(binding.subjects, [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'system:masters' }])
  for (const role of ['admin', 'edit', 'view']) {
    assert.deepEqual(find('ClusterRole', role).aggregationRule, {
      clusterRoleSelectors: [{ matchLabels: { [`rbac.authorization.k8s.io/aggregate-to-${role}`]: 'true' } }],
    })
  }
  const discovery = [
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
  ]
  assert.deepEqual(find('ClusterRole', 'system:discovery').rules, [{ verbs: ['get'], nonResourceURLs: discovery }])
  assert.deepEqual(find('ClusterRole', 'system:public-info-viewer').rules, [
    { verbs: ['get'], nonResourceURLs: ['/healthz', '/livez', '/readyz', '/version', '/version/'] },
  ])
})

test('admin, edit and view start out with what they aggregate', () => {
  for (const name of ['admin', 'edit', 'view']) {
    const role = find('ClusterRole', name)
    assert.ok(isArray(role.rules) && role.rules.length > 0)
    assert.ok(equalJson(aggregateRules(role, bootstrapRbac()), role.rules), name)
  }
})

test('viewers read but see no secrets, editors write, admins bind', () => {
  const objects = ['view', 'edit', 'admin'].map((role) => aClusterRoleBinding(role, role, user(role)))
  const authorizer = anAuthorizer(...objects)
  const may = (name: string, what: string): boolean => authorizer.authorize(aUser(name), request(what)).allowed
  assert.deepEqual(
    ['view', 'edit', 'admin'].map((name) =>
      [
        'list pods',
        'get secrets/x',
        'create pods/x/eviction',
        'update deployments.apps/x',
        'create rolebindings.rbac.authorization.k8s.io',
      ].map((what) => may(name, what)),
    ),
    [
      [true, false, false, false, false],
      [true, true, true, true, false],
      [true, true, true, true, true],
    ],
  )
})
