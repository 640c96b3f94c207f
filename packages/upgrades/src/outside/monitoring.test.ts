import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Secret, Service } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import type { Client } from '@windlass/kube'
import { newSilence } from '../windows/silence.ts'
import { aClient, aStage, type Base, type FakeServer, token } from './testing/index.ts'

async function onServer(test: (base: Base) => Promise<void>): Promise<void> {
  await using server = await startTestServer()
  await test({ client: aClient((request) => server.api.handle(request), admin, server.clock), clock: server.clock })
}

const prometheus = 'https://prometheus-k8s.openshift-monitoring.svc.cluster.local:9091'
const alertmanager = 'https://alertmanager-main.openshift-monitoring.svc.cluster.local:9094'
const monitoring = { namespace: 'openshift-monitoring' } as const
const vector = (...alertnames: readonly string[]) =>
  JSON.stringify({ status: 'success', data: { resultType: 'vector', result: alertnames.map((alertname) => ({ metric: { alertname } })) } })

const opens =
  (accepted: string, answer: FakeServer): FakeServer =>
  (request) =>
    request.headers?.['authorization'] === `Bearer ${accepted}` ? answer(request) : { status: 401, body: 'Unauthorized' }

describe('the monitoring of the cluster', () => {
  it('is asked where its Service is, with the token of its account, and trusted by the authority of services', async () => {
    await onServer(async (base) => {
      const stage = await aStage({ ...base, servers: { [prometheus]: opens(token, () => ({ status: 200, body: vector('A', 'B') })) } })
      const found = await stage.wait(stage.outside.prometheus.query('up{a="b"}', stage.signal))
      assert.deepEqual(found, { value: [{ alertname: 'A' }, { alertname: 'B' }] })
      assert.deepEqual(stage.asked, [`GET ${prometheus}/api/v1/query?query=up%7Ba%3D%22b%22%7D`])
      assert.ok((stage.opened[0]?.ca ?? '').split('BEGIN CERTIFICATE').length > 20, 'those of the system are trusted too')
      assert.equal(stage.headers[0]?.['user-agent'], 'test')
      await stage.wait(stage.outside.prometheus.query('up', stage.signal))
      assert.equal(stage.opened.length, 1, 'the connection is kept')
    })
  })

  it('gets a token of its account where no Secret has one, and uses it again', async () => {
    await onServer(async (base) => {
      const stage = await aStage({ ...base, servers: { [prometheus]: () => ({ status: 200, body: vector() }) } })
      await base.client.delete(Secret, { ...monitoring, name: 'prometheus-k8s-token-x7k2p' })
      assert.deepEqual(await stage.wait(stage.outside.prometheus.query('up', stage.signal)), { value: [] })
      await stage.wait(stage.outside.prometheus.query('up', stage.signal))
      const [first, second] = stage.headers.map(({ authorization }) => authorization)
      assert.match(first ?? '', /^Bearer ey/)
      assert.equal(first, second)
    })
  })

  it('is asked with the new token when the old one was taken back, once', async () => {
    await onServer(async (base) => {
      let accepted = token
      const stage = await aStage({
        ...base,
        servers: { [prometheus]: (request) => opens(accepted, () => ({ status: 200, body: vector() }))(request) },
      })
      const query = () => stage.wait(stage.outside.prometheus.query('up', stage.signal))
      await query()
      accepted = 'another'
      const problem = await query()
      assert.ok('problem' in problem && /does not accept the token of ServiceAccount/.test(problem.problem))
      assert.ok(!problem.problem.includes(token))
      assert.equal(stage.asked.length, 2, 'the same token is not shown twice')
      await base.client.patch(Secret, { ...monitoring, name: 'prometheus-k8s-token-x7k2p' }, { stringData: { token: 'another' } })
      assert.deepEqual(await query(), { value: [] })
    })
  })

  const refusals: readonly [what: string, change: (client: Client) => Promise<unknown>, says: RegExp][] = [
    [
      'without an authority',
      (client) => client.delete(ConfigMap, { ...monitoring, name: 'serving-certs-ca-bundle' }),
      /ConfigMap openshift-monitoring\/serving-certs-ca-bundle does not exist/,
    ],
    [
      'with an empty authority',
      (client) => client.patch(ConfigMap, { ...monitoring, name: 'serving-certs-ca-bundle' }, { data: { 'service-ca.crt': '' } }),
      /nothing under the key service-ca\.crt/,
    ],
    [
      'with an authority that is no certificate',
      (client) =>
        client.patch(
          ConfigMap,
          { ...monitoring, name: 'serving-certs-ca-bundle' },
          { data: { 'service-ca.crt': '-----BEGIN CERTIFICATE-----\nYQ==\n-----END CERTIFICATE-----' } },
        ),
      /it is no list of PEM certificates/,
    ],
    [
      'without its Service',
      (client) => client.delete(Service, { ...monitoring, name: 'prometheus-k8s' }),
      /Service openshift-monitoring\/prometheus-k8s does not exist/,
    ],
    [
      'without the port',
      (client) =>
        client.patch(
          Service,
          { ...monitoring, name: 'prometheus-k8s' },
          { spec: { ports: [{ name: 'other', port: 1, protocol: 'TCP' }] } },
        ),
      /has no port with the name web/,
    ],
  ]
  for (const [what, change, says] of refusals) {
    it(`is not asked ${what}, and says so`, async () => {
      await onServer(async (base) => {
        const stage = await aStage({ ...base, servers: { [prometheus]: () => ({ status: 200, body: vector() }) } })
        await change(base.client)
        const answer = await stage.wait(stage.outside.prometheus.query('up', stage.signal))
        assert.ok('problem' in answer)
        assert.match(answer.problem, says)
        assert.deepEqual(stage.asked, [])
      })
    })
  }

  it('H03 Δ13 that answers with an error is no cluster without alerts', async () => {
    await onServer(async (base) => {
      const answers: FakeServer[] = [
        () => ({ status: 503, body: '{"status":"error","errorType":"unavailable","error":"TSDB not ready"}' }),
        () => ({ status: 200, body: '{"status":"error"}' }),
        () => ({ status: 200, body: '<html>' }),
        () => 'ECONNREFUSED',
        () => ({ status: 200, body: vector(), after: 61_000 }),
      ]
      const stage = await aStage({
        ...base,
        servers: { [prometheus]: (request) => (answers.shift() ?? (() => ({ status: 500 })))(request) },
      })
      const problems: string[] = []
      for (let count = 0; count < 5; count++) {
        const answer = await stage.wait(stage.outside.prometheus.query('up', stage.signal))
        problems.push('problem' in answer ? answer.problem : 'none')
      }
      assert.match(problems[0] ?? '', /status 503: TSDB not ready \(check the Pods of prometheus-k8s in openshift-monitoring\)$/)
      assert.match(problems[1] ?? '', /does not say success/)
      assert.match(problems[2] ?? '', /no JSON/)
      assert.match(problems[3] ?? '', /prometheus-k8s\.openshift-monitoring.*ECONNREFUSED/)
      assert.match(problems[4] ?? '', /did not answer within 60 s: check how busy it is/)
    })
  })

  it('is left alone by who stops asking', async () => {
    await onServer(async (base) => {
      const stage = await aStage({ ...base, servers: { [prometheus]: () => ({ status: 200, body: vector(), after: 30_000 }) } })
      const stop = new AbortController()
      const asking = stage.outside.prometheus.query('up', stop.signal)
      base.clock.after(5000, () => stop.abort(new Error('enough')))
      await assert.rejects(stage.wait(asking), { message: 'enough' })
      assert.equal(stage.waited(), 5000)
    })
  })

  it('is found through its Route by programs outside of the cluster, and at other addresses when told', async () => {
    await onServer(async (base) => {
      const elsewhere = 'http://127.0.0.1:9090'
      const stage = await aStage({
        ...base,
        servers: { [elsewhere]: () => ({ status: 200, body: vector() }) },
        outside: { endpoints: { 'openshift-monitoring/prometheus-k8s': elsewhere }, usesRoutes: true },
      })
      assert.deepEqual(await stage.wait(stage.outside.prometheus.query('up', stage.signal)), { value: [] })
      assert.equal(stage.opened[0]?.ca, undefined)
      const silences = await stage.wait(stage.outside.alertmanager.silences(stage.signal))
      assert.ok('problem' in silences && /alertmanager-main was not asked/.test(silences.problem))
    })
  })
})

describe('silences', () => {
  const wanted = newSilence('Silence for OSD control plane upgrade to version 4.4.6', [], Date.UTC(2030, 0, 1), Date.UTC(2030, 0, 2))

  /** Keeps silences as Alertmanager does; loses the answers of so many posts. */
  function keeper(lost: number) {
    const kept: object[] = []
    const server: FakeServer = ({ method, body, path }) => {
      if (method === 'GET') return { status: 200, body: JSON.stringify(kept) }
      if (method === 'DELETE') {
        if (path.endsWith('/gone')) return { status: 404 }
        return path.endsWith('/old') ? { status: 500, body: '"silence not found"' } : { status: 500, body: '"disk full"' }
      }
      kept.push({ ...(JSON.parse(String(body)) as object), id: `s${kept.length}`, status: { state: 'active' }, updatedAt: '' })
      return kept.length <= lost ? 'ECONNRESET' : { status: 200, body: '{"silenceID":"s"}' }
    }
    return { kept, server }
  }

  for (const lost of [0, 1]) {
    it(`M02 are made once, ${lost === 0 ? 'however often that is asked' : 'though the answer is lost'}`, async () => {
      await onServer(async (base) => {
        const { kept, server } = keeper(lost)
        const stage = await aStage({ ...base, servers: { [alertmanager]: server } })
        for (let pass = 0; pass < 3; pass++) await stage.wait(stage.outside.alertmanager.create(wanted, stage.signal))
        assert.equal(kept.length, 1)
        const all = await stage.wait(stage.outside.alertmanager.silences(stage.signal))
        assert.ok('value' in all && all.value[0]?.comment === wanted.comment && all.value[0].status.state === 'active')
      })
    })
  }

  it('are ended; one that is gone is ended already, in the words of old servers and of new ones', async () => {
    await onServer(async (base) => {
      const stage = await aStage({ ...base, servers: { [alertmanager]: keeper(0).server } })
      for (const id of ['gone', 'old']) await stage.wait(stage.outside.alertmanager.end(id, stage.signal))
      await assert.rejects(
        stage.wait(stage.outside.alertmanager.end('stuck', stage.signal)),
        /silence stuck cannot be ended: .*status 500: disk full/,
      )
    })
  })

  it('cannot be made while nobody is there, and say so', async () => {
    await onServer(async (base) => {
      const stage = await aStage(base)
      await assert.rejects(
        stage.wait(stage.outside.alertmanager.create(wanted, stage.signal)),
        /control plane upgrade.* cannot be made: .*ECONNREFUSED/,
      )
    })
  })
})
