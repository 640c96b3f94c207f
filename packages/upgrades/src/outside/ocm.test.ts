import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { type OcmFault, ocmTransport, SimulatedOcm } from '@windlass/simulator'
import type { ServiceLog } from '../notifications/ocm.ts'
import type { Ocm } from './types.ts'
import { aClient, aStage, type Stage, token } from './testing/index.ts'

const clusterId = '0b8c2f6e-93f1-4d0e-8a6d-2f1f0d9c7b55'
const api = 'https://api.example.com'
const agent = 'http://ocm-agent.openshift-ocm-agent-operator.svc.cluster.local:8081'
const log: ServiceLog = {
  kind: 'LogEntry',
  severity: 'Info',
  service_name: 'RedHat Managed Upgrade Notifications',
  log_type: 'Cluster Updates',
  summary: 'Cluster has finished control plane upgrade',
  description: 'it has',
  internal_only: false,
}

interface Scene {
  readonly stage: Stage
  readonly server: SimulatedOcm
  readonly ocm: Ocm
  /** What the client came to, with time passing. */
  readonly run: <T>(call: (ocm: Ocm, signal: AbortSignal) => Promise<T>) => Promise<T>
}

/** A cluster that OCM knows, and a simulated OCM or agent. */
async function scene(baseUrl: string, test: (scene: Scene) => Promise<void>): Promise<void> {
  await using server = await startTestServer()
  const { clock } = server
  const whole = new SimulatedOcm({ clock })
  const asked = baseUrl === agent ? new SimulatedOcm({ agentOf: whole }) : whole
  whole.memory.register({
    id: 'c1',
    externalId: clusterId,
    token,
    version: '4.4.5',
    channelGroup: 'fast',
    gracePeriod: { value: 60, unit: 'minutes' },
  })
  whole.memory.schedule({ id: 'p1', clusterId: 'c1', version: '4.4.6', nextRun: '2030-01-01T12:00:00Z', capacityReservation: false })
  const stage = await aStage({
    client: aClient((request) => server.api.handle(request), admin, clock),
    clock,
    outside: { connect: ({ server: address }) => ocmTransport(asked, clock, address) },
  })
  const ocm = stage.outside.ocm({ baseUrl, clusterId })
  await test({ stage, server: asked, ocm, run: (call) => stage.wait(call(ocm, stage.signal)) })
}

const paths = ({ server }: Scene) => server.requests.map(({ method, path, status }) => `${method} ${path} ${status ?? '-'}`)
const failing = async (test: Scene, fault: OcmFault) => {
  test.server.fail(fault)
  const before = test.stage.waited()
  const answer = await test.run((ocm, signal) => ocm.cluster(signal))
  test.server.recover()
  return { answer, waited: test.stage.waited() - before }
}

describe('OCM', () => {
  it('knows the cluster, its policies and their states', async () => {
    await scene(api, async (test) => {
      assert.deepEqual(await test.run((ocm, signal) => ocm.cluster(signal)), {
        is: 'found',
        cluster: {
          id: 'c1',
          version: { id: 'openshift-v4.4.5', channel_group: 'fast' },
          node_drain_grace_period: { unit: 'minutes', value: 60 },
        },
      })
      const policies = await test.run((ocm, signal) => ocm.policies('c1', signal))
      assert.deepEqual(policies, { value: [{ id: 'p1', version: '4.4.6', next_run: '2030-01-01T12:00:00Z', capacity_reservation: false }] })
      const state = await test.run((ocm, signal) => ocm.policyState('c1', 'p1', signal))
      assert.deepEqual(state, { value: { value: 'scheduled', description: 'Upgrade scheduled.' } })
      assert.equal(test.server.requests[0]?.headers['authorization'], `AccessToken ${clusterId}:${token}`)
      assert.ok(test.stage.logged.some((line) => line.includes('operation-1')))
      assert.equal(test.stage.outside.ocm({ baseUrl: api, clusterId }), test.ocm, 'it is the same one each time')
    })
  })

  it('Δ33 has more policies than fit on a page', async () => {
    await scene(api, async (test) => {
      for (let index = 0; index < 249; index++)
        test.server.memory.schedule({ id: `x${index}`, clusterId: 'c1', version: '4.4.6', nextRun: '2030-01-01T12:00:00Z' })
      const policies = await test.run((ocm, signal) => ocm.policies('c1', signal))
      assert.ok('value' in policies && policies.value.length === 250)
      assert.equal(test.server.requests.length, 3)
    })
  })

  it('is told states and service logs', async () => {
    await scene(api, async (test) => {
      const body = { kind: 'UpgradePolicyState', value: 'started', description: 'it has begun' } as const
      await test.run((ocm, signal) => ocm.setPolicyState('c1', 'p1', body, signal))
      assert.deepEqual(await test.run((ocm, signal) => ocm.hasServiceLog('c1', log, signal)), { value: false })
      await test.run((ocm, signal) => ocm.postServiceLog('c1', log, signal))
      assert.deepEqual(await test.run((ocm, signal) => ocm.hasServiceLog('c1', log, signal)), { value: true })
      // Whoever may not look cannot know, and says it twice rather than not at all; whoever gets no answer asks again later.
      test.server.fail({ is: 'status', status: 403, times: 1 })
      assert.deepEqual(await test.run((ocm, signal) => ocm.hasServiceLog('c1', log, signal)), { value: false })
      test.server.fail({ is: 'status', status: 500 })
      assert.ok('problem' in (await test.run((ocm, signal) => ocm.hasServiceLog('c1', log, signal))))
      test.server.recover()
      assert.deepEqual(test.server.memory.told, [
        { is: 'state', policyId: 'p1', value: 'started', description: 'it has begun' },
        { is: 'log', clusterId: 'c1', summary: log.summary, description: 'it has' },
      ])
    })
  })

  it('O06 does not know a cluster, and that is not the same as being away', async () => {
    await scene(api, async (test) => {
      const { answer } = await failing(test, { is: 'stranger' })
      assert.ok(answer.is === 'not found' && /cluster id not found/.test(answer.problem))
    })
  })

  it('O07 is asked again, after 2 and after 4 seconds, when it is busy', async () => {
    await scene(api, async (test) => {
      const { answer, waited } = await failing(test, { is: 'status', status: 503, times: 2 })
      assert.equal(answer.is, 'found')
      assert.equal(test.server.requests.length, 3)
      assert.ok(waited >= 6000 * 0.7 && waited <= 6000 * 1.3, `${waited} ms`)
    })
  })

  it('O07 is given up after five retries, whatever is wrong, and the message says what', async () => {
    await scene(api, async (test) => {
      for (const [fault, says] of [
        [
          { is: 'status', status: 503 },
          /OCM Provider unavailable: https:\/\/api\.example\.com answered GET .* with status 503.*operation-\d+/,
        ],
        [{ is: 'status', status: 429 }, /status 429/],
        [{ is: 'down' }, /OCM Provider unavailable: .*ECONNREFUSED/],
        [{ is: 'slow', by: 61_000 }, /did not answer within 60 s/],
      ] satisfies [OcmFault, RegExp][]) {
        const before = test.server.requests.length
        const { answer } = await failing(test, fault)
        assert.ok(answer.is === 'unreadable')
        assert.match(answer.problem, says)
        assert.equal(test.server.requests.length - before, 6)
      }
      const wrong = await failing(test, { is: 'wrong' })
      assert.ok(wrong.answer.is === 'unreadable')
    })
  })

  it('O08 Δ35 is told once: what may have arrived is not sent again, and what was turned away is', async () => {
    await scene(api, async (test) => {
      const body = { kind: 'UpgradePolicyState', value: 'started', description: '' } as const
      const tell = () => test.run((ocm, signal) => ocm.setPolicyState('c1', 'p1', body, signal))
      for (const fault of [{ is: 'status', status: 500 }, { is: 'lost' }] satisfies OcmFault[]) {
        test.server.fail(fault)
        const before = test.server.requests.length
        await assert.rejects(tell(), /upgrade policy p1 cannot be told that it is started/)
        assert.equal(test.server.requests.length - before, 1)
        test.server.recover()
      }
      for (const fault of [
        { is: 'status', status: 503, times: 1 },
        { is: 'down', times: 1 },
      ] satisfies OcmFault[]) {
        test.server.fail(fault)
        await tell()
      }
    })
  })

  it('O12 is not asked without a token, and the message says which piece is missing', async () => {
    await scene(api, async (test) => {
      const ref = { namespace: 'openshift-config', name: 'pull-secret' }
      await test.stage.client.patch(Secret, ref, { stringData: { '.dockerconfigjson': '{"auths":{}}' } })
      const answer = await test.run((ocm, signal) => ocm.cluster(signal))
      assert.ok(answer.is === 'unreadable')
      assert.match(answer.problem, /was not asked: Secret openshift-config\/pull-secret.*auths has no entry for cloud\.openshift\.com/)
      assert.deepEqual(test.server.requests, [])
      assert.equal(test.stage.waited(), 0, 'to wait would not help')
    })
  })

  it('is asked with the new token after the pull secret was rotated, and no token is ever told', async () => {
    await scene(api, async (test) => {
      await test.run((ocm, signal) => ocm.cluster(signal))
      test.server.memory.register({ id: 'c1', externalId: clusterId, token: 'rotated-one', version: '4.4.5' })
      const refused = await test.run((ocm, signal) => ocm.cluster(signal))
      assert.ok(refused.is === 'unreadable' && /status 401.*pull secret is of this cluster/.test(refused.problem))
      const text = JSON.stringify({ auths: { 'cloud.openshift.com': { auth: 'rotated-one' } } })
      await test.stage.client.patch(
        Secret,
        { namespace: 'openshift-config', name: 'pull-secret' },
        { stringData: { '.dockerconfigjson': text } },
      )
      assert.equal((await test.run((ocm, signal) => ocm.cluster(signal))).is, 'found')
      const all = [...test.stage.logged, refused.problem].join('\n')
      assert.ok(!all.includes(token) && !all.includes('rotated-one'))
    })
  })

  it('is left alone at once by who stops asking', async () => {
    await scene(api, async (test) => {
      test.server.fail({ is: 'status', status: 503 })
      const stop = new AbortController()
      const asking = test.ocm.cluster(stop.signal)
      const waiting = test.stage.wait(asking)
      await Promise.resolve()
      stop.abort(new Error('enough'))
      await assert.rejects(waiting, { message: 'enough' })
    })
  })
})

describe('the agent of OCM', () => {
  it('Δ34 N05 has ways of its own, and no service logs', async () => {
    await scene(agent, async (test) => {
      assert.equal((await test.run((ocm, signal) => ocm.cluster(signal))).is, 'found')
      const policies = await test.run((ocm, signal) => ocm.policies('c1', signal))
      assert.ok('value' in policies && policies.value[0]?.id === 'p1')
      const body = { kind: 'UpgradePolicyState', value: 'started', description: '' } as const
      await test.run((ocm, signal) => ocm.setPolicyState('c1', 'p1', body, signal))
      for (let count = 0; count < 2; count++) await test.run((ocm, signal) => ocm.postServiceLog('c1', log, signal))
      assert.deepEqual(await test.run((ocm, signal) => ocm.hasServiceLog('c1', log, signal)), { value: true })
      assert.deepEqual(paths(test).slice(0, 5), [
        'GET / 200',
        'GET /upgrade_policies 200',
        'PATCH /upgrade_policies/p1/state 200',
        'POST /api/service_logs/v1/cluster_logs 404',
        'POST /api/service_logs/v1/cluster_logs 404',
      ])
      assert.equal(test.stage.logged.filter((line) => line.includes('no route for service logs')).length, 1)
    })
  })

  it('Δ34 is asked by the ways of OCM where it does not know its own', async () => {
    await scene(agent, async (test) => {
      test.server.fail({ is: 'status', status: 404 })
      const answer = await test.run((ocm, signal) => ocm.cluster(signal))
      assert.ok(answer.is === 'unreadable')
      assert.deepEqual(
        test.server.requests.map(({ path }) => path.slice(0, 30)),
        ['/', '/api/clusters_mgmt/v1/clusters'],
      )
    })
  })

  it('is asked twice more, and never through a proxy', async () => {
    await scene(agent, async (test) => {
      const { answer } = await failing(test, { is: 'status', status: 500 })
      assert.equal(answer.is, 'unreadable')
      assert.equal(test.server.requests.length, 3)
    })
  })
})
