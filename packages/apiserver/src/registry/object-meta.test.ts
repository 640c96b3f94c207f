import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { aConfigMap, aWidget, type Client, startTestServer, urls } from '../testing/index.ts'

/** What is wrong with a widget that has this metadata; empty when it may be created. */
async function problem(client: Client, metadata: JsonObject, name = 'a'): Promise<string> {
  const answer = await client.send('POST', `${urls.widgets()}?dryRun=All`, aWidget(name, {}, metadata))
  if (answer.status === 201) return ''
  assert.equal(answer.status, 422)
  return answer.body.message.replace(/^Widget\.test\.windlass\.dev ".*?" is invalid: /, '')
}

test('O7 names of custom resources are DNS subdomains of at most 253 characters', async () => {
  await using server = await startTestServer()
  for (const name of ['a.b-c.d', 'a'.repeat(253), '0']) assert.equal(await problem(server, {}, name), '', name)
  for (const name of ['Upper', 'a..b', '-a', 'a_b', 'a-']) {
    assert.match(await problem(server, {}, name), /^metadata.name: Invalid value: .*: a lowercase RFC 1123 subdomain must consist of/, name)
  }
  assert.match(await problem(server, {}, 'a'.repeat(254)), /: must be no more than 253 characters$/)
})

test('O7 names of namespaces are DNS labels, names of roles path segments', async () => {
  await using server = await startTestServer()
  const namespace = await server.refused('POST', urls.namespaces, { metadata: { name: 'a.b' } })
  assert.equal(namespace.code, 422)
  assert.match(namespace.message, /a lowercase RFC 1123 label must consist of/)
  const roles = '/apis/rbac.authorization.k8s.io/v1/namespaces/default/roles'
  const role = (name: string): JsonObject => ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, rules: [] })
  await server.create(roles, role('Any:Thing_goes'))
  assert.equal((await server.refused('POST', roles, role('a/b'))).code, 422)
})

test('O8 label keys and values are checked', async () => {
  await using server = await startTestServer()
  assert.equal(await problem(server, { labels: { 'example.com/a': 'v', b: '' } }), '')
  assert.match(await problem(server, { labels: { a: 'x'.repeat(64) } }), /must be no more than 63 characters/)
  assert.match(await problem(server, { labels: { a: 'not ok' } }), /a valid label must be an empty string or consist of/)
  assert.match(await problem(server, { labels: { 'a/b/c': 'v' } }), /a qualified name must consist of/)
  assert.match(await problem(server, { labels: { 'UPPER.com/a': 'v' } }), /prefix part a lowercase RFC 1123 subdomain/)
})

test('O8 annotation values are free, all of them together at most 262,144 bytes', async () => {
  await using server = await startTestServer()
  assert.equal(await problem(server, { annotations: { k: 'x'.repeat(262_143) } }), '')
  assert.equal(await problem(server, { annotations: { k: 'any {thing} at all\n' } }), '')
  assert.equal(
    await problem(server, { annotations: { k: 'x'.repeat(262_144) } }),
    'metadata.annotations: Too long: may not be more than 262144 bytes',
  )
  assert.match(await problem(server, { annotations: { 'not ok': 'v' } }), /name part must consist of/)
})

test('O8 X10 a finalizer without a domain is a warning on custom resources and 422 on built-in kinds', async () => {
  await using server = await startTestServer()
  const warned = await server.send('POST', urls.widgets(), aWidget('a', {}, { finalizers: ['nodomain'] }))
  assert.deepEqual(warned.headers['warning'], [
    '299 - "metadata.finalizers: \\"nodomain\\": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers"',
  ])
  const refused = await server.refused('POST', urls.configMaps(), aConfigMap('a', {}, { finalizers: ['nodomain'] }))
  assert.equal(
    refused.message,
    'ConfigMap "a" is invalid: metadata.finalizers[0]: Invalid value: "nodomain": name is neither a standard finalizer name nor is it fully qualified',
  )
})

const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '11111111-2222-4333-8444-555555555555' }

test('O11 an owner needs apiVersion, kind, name and uid', async () => {
  await using server = await startTestServer()
  assert.equal(await problem(server, { ownerReferences: [owner] }), '')
  assert.equal(
    await problem(server, { ownerReferences: [{ ...owner, uid: '' }] }),
    'metadata.ownerReferences.uid: Invalid value: "": uid must not be empty',
  )
  assert.equal(
    await problem(server, { ownerReferences: [{ ...owner, apiVersion: '', kind: '', name: '' }] }),
    '[metadata.ownerReferences.apiVersion: Invalid value: "": version must not be empty, ' +
      'metadata.ownerReferences.kind: Invalid value: "": kind must not be empty, ' +
      'metadata.ownerReferences.name: Invalid value: "": name must not be empty]',
  )
})

test('O11 only one owner may be the controller', async () => {
  await using server = await startTestServer()
  const ownerReferences = [
    { ...owner, controller: true },
    { ...owner, name: 'p', uid: '2', controller: true },
  ]
  assert.match(
    await problem(server, { ownerReferences }),
    /: Only one reference can have Controller set to true. Found "true" in references for ConfigMap\/o and ConfigMap\/p$/,
  )
})

test('O11 an owner named twice is kept once, with a warning', async () => {
  await using server = await startTestServer()
  const answer = await server.send('POST', `${urls.widgets()}?dryRun=All`, aWidget('a', {}, { ownerReferences: [owner, owner] }))
  assert.equal(answer.body.metadata.ownerReferences?.length, 1)
  assert.match(String(answer.headers['warning']), /ownerReferences contains duplicate entries.*11111111-2222-4333-8444-555555555555/)
})

test('O8 empty labels and annotations are as good as none', async () => {
  await using server = await startTestServer()
  const { metadata } = await server.create(urls.widgets(), aWidget('a', {}, { labels: {}, annotations: {} }))
  assert.equal(metadata.labels, undefined)
  assert.equal(metadata.annotations, undefined)
})
