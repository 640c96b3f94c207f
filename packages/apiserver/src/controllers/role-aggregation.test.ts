import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

const roles = '/apis/rbac.authorization.k8s.io/v1/clusterroles'
const rule = (resource: string): JsonObject => ({ apiGroups: ['test.windlass.dev'], resources: [resource], verbs: ['get'] })

function aRole(name: string, resource: string, labels: JsonObject): JsonObject {
  return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name, labels }, rules: [rule(resource)] }
}

async function rulesOf(server: TestServer, name: string): Promise<unknown> {
  await server.settle()
  const { rules } = (await server.get(`${roles}/${name}`)) as unknown as { rules: unknown }
  return rules
}

test('S2 an aggregated role has the rules of the roles it selects, as they come and go', async () => {
  await using server = await startTestServer()
  await server.create(roles, {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'sum' },
    aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'yes' } }] },
    rules: [],
  })
  await server.create(roles, aRole('b', 'gadgets', { part: 'yes' }))
  await server.create(roles, aRole('a', 'widgets', { part: 'yes' }))
  await server.create(roles, aRole('c', 'others', { part: 'no' }))
  assert.deepEqual(await rulesOf(server, 'sum'), [rule('widgets'), rule('gadgets')])
  await server.remove(`${roles}/a`)
  assert.deepEqual(await rulesOf(server, 'sum'), [rule('gadgets')])
})

test('S2 what is labelled for the role view is in it', async () => {
  await using server = await startTestServer()
  await server.create(roles, aRole('widget-viewer', 'widgets', { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }))
  assert.ok(JSON.stringify(await rulesOf(server, 'view')).includes('"widgets"'))
})

test('S2 an aggregated role that is complete is not written again', async () => {
  await using server = await startTestServer()
  await server.create(roles, aRole('widget-viewer', 'widgets', { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' }))
  await server.settle()
  const { revision } = server
  await server.merge(`${roles}/widget-viewer`, { metadata: { annotations: { touched: 'yes' } } })
  await server.settle()
  assert.equal(server.revision, revision + 1)
})
