import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock, VirtualClock } from '@windlass/core'
import { serveOcm, SimulatedOcm } from './index.ts'

const cluster = { id: 'c1', externalId: 'e-1', token: 't', version: '4.18.15' } as const
const authorization = 'AccessToken e-1:t'
const clusters = '/api/clusters_mgmt/v1/clusters'

function known(): SimulatedOcm {
  const ocm = new SimulatedOcm({ clock: new VirtualClock() })
  ocm.memory.register(cluster)
  ocm.memory.register({ id: 'c2', externalId: 'e-2', token: 'u', version: '4.18.15' })
  ocm.memory.schedule({ id: 'p1', clusterId: 'c1', version: '4.18.16', nextRun: '2026-01-02T00:00:00Z' })
  return ocm
}

/** Status and body of the answer. */
function ask(
  ocm: SimulatedOcm,
  method: string,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = { authorization },
) {
  const { reply } = ocm.behave({ method, path, headers, body: body === undefined ? '' : JSON.stringify(body) })
  if (typeof reply === 'string') return { status: reply, body: {} as Readonly<Record<string, unknown>> }
  const isJson = reply.headers['content-type'] === 'application/json'
  return { status: reply.status, body: (isJson ? JSON.parse(reply.body) : {}) as Readonly<Record<string, unknown>> }
}

describe('a simulated OCM', () => {
  it('finds a cluster by the id that it knows itself by, for whom it knows', () => {
    const ocm = known()
    const path = `${clusters}?search=${encodeURIComponent("external_id = 'e-1'")}&size=1`
    const { status, body } = ask(ocm, 'GET', path)
    assert.deepEqual([status, body['total']], [200, 1])
    assert.equal(ask(ocm, 'GET', `${clusters}?search=${encodeURIComponent("external_id = 'other'")}`).body['total'], 0)
    assert.equal(ask(ocm, 'GET', `${clusters}?search=name`).status, 400)
    assert.equal(ask(ocm, 'GET', path, undefined, {}).status, 401)
    assert.equal(ask(ocm, 'GET', `${clusters}/c2/upgrade_policies`).status, 403, 'one cluster does not see another')
    assert.equal(ask(ocm, 'GET', `${clusters}/c9`).status, 404)
  })

  it('lists policies page by page', () => {
    const ocm = known()
    for (let index = 0; index < 150; index++)
      ocm.memory.schedule({ id: `x${index}`, clusterId: 'c1', version: '4.18.16', nextRun: '2026-01-02T00:00:00Z' })
    const { body } = ask(ocm, 'GET', `${clusters}/c1/upgrade_policies?page=2&size=100`)
    assert.deepEqual([body['page'], body['size'], body['total']], [2, 51, 151])
  })

  it('takes states of policies that are not over, and remembers them', () => {
    const ocm = known()
    const path = `${clusters}/c1/upgrade_policies/p1/state`
    assert.equal(ask(ocm, 'GET', path).body['value'], 'scheduled')
    assert.equal(ask(ocm, 'PATCH', path, { value: 'paused' }).status, 400)
    for (const value of ['started', 'delayed', 'completed']) assert.equal(ask(ocm, 'PATCH', path, { value, description: 'd' }).status, 200)
    assert.equal(ask(ocm, 'PATCH', path, { value: 'failed' }).status, 400)
    assert.deepEqual(
      ocm.memory.told.map((told) => (told.is === 'state' ? told.value : told.summary)),
      ['started', 'delayed', 'completed'],
    )
  })

  it('may be slow to notice that an upgrade has ended', () => {
    const ocm = known()
    const path = `${clusters}/c1/upgrade_policies/p1/state`
    ocm.memory.overlookEnd('p1')
    for (const value of ['started', 'completed']) assert.equal(ask(ocm, 'PATCH', path, { value, description: 'd' }).status, 200)
    assert.equal(ask(ocm, 'GET', path).body['value'], 'started')
    ocm.memory.noticeEnd('p1')
    assert.equal(ask(ocm, 'GET', path).body['value'], 'completed')
  })

  it('keeps service logs, newest first', () => {
    const ocm = known()
    const entry = { summary: 'a', service_name: 's', severity: 'Info', cluster_id: 'c1' }
    assert.equal(ask(ocm, 'POST', '/api/service_logs/v1/cluster_logs', entry).status, 201)
    assert.equal(ask(ocm, 'POST', '/api/service_logs/v1/cluster_logs', { ...entry, summary: 'b' }).status, 201)
    for (const bad of [
      { ...entry, summary: '' },
      { ...entry, severity: 'Loud' },
      { summary: 'a', service_name: 's', severity: 'Info' },
    ])
      assert.equal(ask(ocm, 'POST', '/api/service_logs/v1/cluster_logs', bad).status, 400)
    const { items } = ask(ocm, 'GET', '/api/service_logs/v1/clusters/cluster_logs?cluster_id=c1').body
    assert.deepEqual(
      (items as readonly { readonly summary: string }[]).map(({ summary }) => summary),
      ['b', 'a'],
    )
  })

  it('goes wrong as it is told, as often as it is told', () => {
    const ocm = known()
    ocm.fail({ is: 'status', status: 503, times: 1 })
    ocm.fail({ is: 'lost', method: 'PATCH', times: 1 })
    ocm.fail({ is: 'down', path: '/upgrade_policies', times: 1 })
    assert.equal(ask(ocm, 'GET', clusters).status, 503)
    assert.equal(ask(ocm, 'PATCH', `${clusters}/c1/upgrade_policies/p1/state`, { value: 'started' }).status, 'cut')
    assert.equal(ocm.memory.stateOf('p1')?.value, 'started', 'its answer was lost, not what it did')
    assert.equal(ask(ocm, 'GET', `${clusters}/c1/upgrade_policies`).status, 'refused')
    assert.equal(ask(ocm, 'GET', `${clusters}/c1/upgrade_policies`).status, 200)
    assert.deepEqual(
      ocm.requests.map(({ status }) => status),
      [503, undefined, undefined, 200],
    )
  })
})

describe('a simulated agent of OCM', () => {
  it('knows a few things about its cluster, and nothing else', () => {
    const ocm = known()
    const agent = new SimulatedOcm({ agentOf: ocm })
    assert.equal(ask(agent, 'GET', '/').body['id'], 'c1')
    assert.equal(ask(agent, 'GET', '/upgrade_policies').status, 200)
    assert.ok(Array.isArray(ask(agent, 'GET', '/upgrade_policies').body))
    assert.equal(ask(agent, 'PATCH', '/upgrade_policies/p1/state', { value: 'started' }).status, 200)
    assert.equal(ocm.memory.stateOf('p1')?.value, 'started', 'its OCM knows it too')
    for (const path of [clusters, '/api/service_logs/v1/cluster_logs']) assert.equal(ask(agent, 'GET', path).status, 404)
    assert.equal(ask(agent, 'GET', '/upgrade_policies/other/state').status, 404)
    assert.equal(ask(agent, 'GET', '/', undefined, {}).status, 401)
  })
})

describe('a simulated OCM on a socket', () => {
  it('answers, late when it is slow, and not at all when it is down', async () => {
    const ocm = known()
    const running = await serveOcm({ ocm, clock: systemClock })
    try {
      const get = () => fetch(`${running.url}${clusters}/c1`, { headers: { authorization } })
      const answer = await get()
      assert.equal(answer.status, 200)
      assert.match(answer.headers.get('x-operation-id') ?? '', /^operation-/)
      await answer.body?.cancel()
      ocm.fail({ is: 'down', times: 1 })
      await assert.rejects(get())
      ocm.fail({ is: 'slow', by: 30, times: 1 })
      const before = performance.now()
      assert.equal(((await (await get()).json()) as { readonly id: string }).id, 'c1')
      assert.ok(performance.now() - before >= 25)
    } finally {
      await running.close()
    }
  })
})
