import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { startTestServer, type TestServer } from '../testing/index.ts'

const pods = '/api/v1/namespaces/default/pods'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'

function aPod(name: string): JsonObject {
  return { metadata: { name, labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'example.com/i' }] } }
}

const anEviction = (name: string): JsonObject => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })

/** A budget that lets so many Pods go. */
async function withBudget(server: TestServer, disruptionsAllowed: number): Promise<void> {
  const budget = await server.create(budgets, {
    metadata: { name: 'b' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
  })
  const status = { disruptionsAllowed, currentHealthy: 3, desiredHealthy: 1, expectedPods: 3, observedGeneration: 1 }
  await server.replace(`${budgets}/b/status`, { ...budget, status })
}

async function run(server: TestServer, ...names: string[]): Promise<void> {
  for (const name of names) {
    await server.create(pods, aPod(name))
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }
    await server.merge(`${pods}/${name}/status`, { status })
  }
}

test('14 an eviction deletes the Pod and takes one from the budget in the same step', async () => {
  await using server = await startTestServer()
  await run(server, 'a', 'b')
  await withBudget(server, 1)
  assert.equal((await server.send('POST', `${pods}/a/eviction`, anEviction('a'))).status, 201)
  assert.deepEqual(await server.names(pods), ['b'])
  assert.equal((await server.get(`${budgets}/b`)).status['disruptionsAllowed'], 0)
})

test('14 an eviction that the budget forbids is 429 with a cause', async () => {
  await using server = await startTestServer()
  await run(server, 'a')
  await withBudget(server, 0)
  const status = await server.refused('POST', `${pods}/a/eviction`, anEviction('a'))
  assert.equal(status.code, 429)
  assert.equal(status.message, "Cannot evict pod as it would violate the pod's disruption budget.")
  assert.equal(status.details?.causes?.[0]?.reason, 'DisruptionBudget')
  assert.deepEqual(await server.names(pods), ['a'])
})

test('14 of many evictions at once only as many pass as the budget has', async () => {
  await using server = await startTestServer()
  const names = ['a', 'b', 'c', 'd', 'e']
  await run(server, ...names)
  await withBudget(server, 2)
  const answers = await Promise.all(names.map((name) => server.send('POST', `${pods}/${name}/eviction`, anEviction(name))))
  assert.equal(answers.filter(({ status }) => status === 201).length, 2)
  assert.equal(answers.filter(({ status }) => status === 429).length, 3)
})

test('14 X8 a dry run evicts nothing and costs nothing', async () => {
  await using server = await startTestServer()
  await run(server, 'a')
  await withBudget(server, 1)
  const { revision } = server
  assert.equal((await server.send('POST', `${pods}/a/eviction?dryRun=All`, anEviction('a'))).status, 201)
  assert.equal(server.revision, revision)
})

test('14 a binding places a Pod on a node, once', async () => {
  await using server = await startTestServer()
  await server.create(pods, aPod('a'))
  const binding = (name: string): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name: 'a' },
    target: { kind: 'Node', name },
  })
  assert.equal((await server.send('POST', `${pods}/a/binding`, binding('n1'))).status, 201)
  assert.equal((await server.get(`${pods}/a`)).spec['nodeName'], 'n1')
  const status = await server.refused('POST', `${pods}/a/binding`, binding('n2'))
  assert.equal(status.code, 409)
  assert.match(status.message, /pod a is already assigned to node "n1"/)
})

test('S1 a token of a ServiceAccount opens the door until the account is gone', async () => {
  await using server = await startTestServer()
  const accounts = '/api/v1/namespaces/default/serviceaccounts'
  await server.create(accounts, { metadata: { name: 'robot' } })
  const request = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3_600 } }
  const { status } = await server.create(`${accounts}/robot/token`, request)
  const bearer = { authorization: `Bearer ${String(status['token'])}` }
  const robot = server.as(undefined)
  const review = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  const whoami = await robot.send('POST', '/apis/authentication.k8s.io/v1/selfsubjectreviews', review, bearer)
  assert.match(whoami.text, /"username":"system:serviceaccount:default:robot"/)
  await server.clock.advance(3_700_000)
  assert.equal((await robot.send('GET', '/version', undefined, bearer)).status, 401, 'it has expired')
  const { status: fresh } = await server.create(`${accounts}/robot/token`, request)
  await server.remove(`${accounts}/robot`)
  assert.equal((await robot.send('GET', '/version', undefined, { authorization: `Bearer ${String(fresh['token'])}` })).status, 401)
})

test('12 a subresource that exists answers only its own methods', async () => {
  await using server = await startTestServer()
  await server.create(pods, aPod('a'))
  assert.equal((await server.refused('GET', `${pods}/a/eviction`)).code, 405)
  assert.equal((await server.refused('GET', `${pods}/a/nothing`)).code, 404)
})
