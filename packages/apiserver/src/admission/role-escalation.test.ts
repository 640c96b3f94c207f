import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { type Client, startTestServer, type TestServer, userNamed } from '../testing/index.ts'

const group = 'rbac.authorization.k8s.io'
const roles = `/apis/${group}/v1/namespaces/default/roles`
const bindings = `/apis/${group}/v1/namespaces/default/rolebindings`
const apiVersion = `${group}/v1`

const readsMaps = { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list'] }
const writesRoles = { apiGroups: [group], resources: ['roles', 'rolebindings'], verbs: ['create', 'update', 'patch', 'get'] }

const aRole = (name: string, ...rules: JsonObject[]): JsonObject => ({ apiVersion, kind: 'Role', metadata: { name }, rules })

const aBinding = (name: string, role: string, user: string): JsonObject => ({
  apiVersion,
  kind: 'RoleBinding',
  metadata: { name },
  roleRef: { apiGroup: group, kind: 'Role', name: role },
  subjects: [{ apiGroup: group, kind: 'User', name: user }],
})

/** A user who may write roles, and has these rights besides. */
async function dev(server: TestServer, ...rules: JsonObject[]): Promise<Client> {
  await server.create(roles, aRole('of-dev', writesRoles, ...rules))
  await server.create(bindings, aBinding('of-dev', 'of-dev', 'dev'))
  return server.as(userNamed('dev'))
}

test('S2 nobody puts rights into a role that they do not have', async () => {
  await using server = await startTestServer()
  const user = await dev(server, readsMaps)
  await user.create(roles, aRole('reader', readsMaps))
  const more = { ...readsMaps, verbs: ['get', 'delete'] }
  const status = await user.refused('POST', roles, aRole('deleter', more))
  assert.equal(status.code, 403)
  assert.match(
    status.message,
    /user "dev" \(groups=\["system:authenticated"\]\) is attempting to grant RBAC permissions not currently held:/,
  )
  assert.match(status.message, /Verbs:\["delete"\]/)
  assert.equal((await user.refused('PATCH', `${roles}/reader`, { rules: [more] })).code, 403)
})

test('S2 nobody binds a role whose rights they do not have, unless they may bind it', async () => {
  await using server = await startTestServer()
  const user = await dev(server)
  await server.create(roles, aRole('reader', readsMaps))
  assert.equal((await user.refused('POST', bindings, aBinding('mine', 'reader', 'dev'))).code, 403)
  const bind = { apiGroups: [group], resources: ['roles'], verbs: ['bind'], resourceNames: ['reader'] }
  await server.merge(`${roles}/of-dev`, { rules: [writesRoles, bind] })
  await user.create(bindings, aBinding('mine', 'reader', 'dev'))
})

test('S2 who may escalate may grant anything', async () => {
  await using server = await startTestServer()
  const user = await dev(server, { apiGroups: [group], resources: ['roles'], verbs: ['escalate'] })
  await user.create(roles, aRole('all', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }))
})

test('S2 a change of finalizers alone passes: the garbage collector must be able to do its work', async () => {
  await using server = await startTestServer()
  await server.create(roles, aRole('strong', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }))
  const user = await dev(server)
  await user.merge(`${roles}/strong`, { metadata: { finalizers: ['test.windlass.dev/hold'] } })
  assert.equal((await user.refused('PATCH', `${roles}/strong`, { metadata: { labels: { seen: 'yes' } } })).code, 403)
})

test('S2 system:masters may grant anything', async () => {
  await using server = await startTestServer()
  await server.create(roles, aRole('all', { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }))
})
