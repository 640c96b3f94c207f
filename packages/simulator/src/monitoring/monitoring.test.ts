import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigMap, Namespace } from '@windlass/api'
import { admin, startTestServer } from '@windlass/apiserver/testing'
import { formatTime, seededRandom } from '@windlass/core'
import { createClient, inProcessTransport, type Transport } from '@windlass/kube'
import * as fc from 'fast-check'
import { place } from '../cluster/index.ts'
import { alertsAnnotation, monitoringHome, monitoringTransport } from './index.ts'
import { parseQuery, QueryError } from './promql.ts'

const hour = 3_600_000
const platform = 'ALERTS{alertstate="firing",severity="critical",namespace=~"^openshift.*|^kube-.*|^default$"}'

async function aCluster() {
  const server = await startTestServer()
  const { clock } = server
  const random = seededRandom('monitoring')
  const transport = inProcessTransport((request) => server.api.handle(request), { user: admin })
  const client = createClient({ transport, clock, random, userAgent: 'test', fieldManager: 'test' })
  await place(client, monitoringHome())
  const open = (): Transport => monitoringTransport({ client, clock, random })
  const annotate = (name: string, alerts: string | null) =>
    client.patch(Namespace, { name }, { metadata: { annotations: { [alertsAnnotation]: alerts } } })
  return { client, clock, open, annotate, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

async function ask(transport: Transport, method: 'GET' | 'POST' | 'DELETE', path: string, body?: object) {
  const headers = { authorization: 'Bearer x' }
  const answer = await transport.send({ method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
  return { status: answer.status, value: JSON.parse(answer.body.toString('utf8')) as unknown }
}

async function query(transport: Transport, promql: string) {
  const { status, value } = await ask(transport, 'GET', `/api/v1/query?query=${encodeURIComponent(promql)}`)
  const { data, error = '' } = value as { data?: { result: readonly { metric: Record<string, string> }[] }; error?: string }
  return { status, error, alerts: (data?.result ?? []).map(({ metric }) => metric) }
}

describe('a simulated Prometheus', () => {
  it('knows no alerts until somebody says that one fires, and none when that is taken back', async () => {
    await using cluster = await aCluster()
    const transport = cluster.open()
    assert.deepEqual(await query(transport, platform), { status: 200, error: '', alerts: [] })
    await cluster.annotate('openshift-monitoring', 'EtcdMembersDown job=etcd; SlowDisk severity=warning')
    const etcd = { __name__: 'ALERTS', alertname: 'EtcdMembersDown', alertstate: 'firing', job: 'etcd' }
    assert.deepEqual((await query(transport, platform)).alerts, [{ ...etcd, severity: 'critical', namespace: 'openshift-monitoring' }])
    assert.equal((await query(transport, 'ALERTS{alertstate="firing"}')).alerts.length, 2)
    assert.equal((await query(transport, platform.replace('}', ',alertname!="EtcdMembersDown"}'))).alerts.length, 0)
    await cluster.annotate('openshift-monitoring', null)
    assert.deepEqual((await query(transport, platform)).alerts, [])
  })

  it('looks at the namespace of an alert', async () => {
    await using cluster = await aCluster()
    await cluster.client.create(Namespace, { metadata: { name: 'shop', annotations: { [alertsAnnotation]: 'CheckoutDown' } } })
    assert.deepEqual((await query(cluster.open(), platform)).alerts, [])
    await cluster.annotate('default', 'CheckoutDown')
    assert.equal((await query(cluster.open(), platform)).alerts.length, 1)
  })

  it('gives each name once when names are asked for', async () => {
    await using cluster = await aCluster()
    for (const name of ['default', 'kube-system']) await cluster.annotate(name, 'UpgradeNodeDrainFailedSRE; Other')
    const asked = 'sum by (alertname) (max_over_time(ALERTS{alertname=~"UpgradeNodeDrainFailedSRE|Another"}[1h2m3s] offset 1s))'
    assert.deepEqual((await query(cluster.open(), asked)).alerts, [{ alertname: 'UpgradeNodeDrainFailedSRE' }])
  })

  it('does not answer when alerts cannot be read, and says where they are', async () => {
    await using cluster = await aCluster()
    for (const [text, why] of [
      ['Etcd Down', /"Down" is no label/],
      ['4xx', /"4xx" is no name of an alert/],
    ] as const) {
      await cluster.annotate('default', text)
      const { status, error } = await query(cluster.open(), platform)
      assert.equal(status, 422)
      assert.match(error, /^Namespace default, annotation simulator\.windlass\.dev\/alerts: /)
      assert.match(error, why)
    }
  })

  it('refuses queries that it does not understand, and whoever shows no token', async () => {
    await using cluster = await aCluster()
    for (const text of ['up', 'ALERTS', 'ALERTS{a="b}', 'ALERTS{a=~"("}', 'rate(x[5m])']) {
      const { status, error } = await query(cluster.open(), text)
      assert.equal(status, 400, text)
      assert.match(error, /^parse error/)
    }
    assert.equal((await cluster.open().send({ method: 'GET', path: '/api/v1/query?query=up' })).status, 401)
    assert.equal((await ask(cluster.open(), 'GET', '/api/v1/alerts')).status, 404)
  })

  it('takes any text as the value of a label', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (value, other) => {
        const { matches } = parseQuery(`ALERTS{a=${JSON.stringify(value)}, b!="x"}`)
        assert.ok(matches({ a: value }))
        assert.equal(matches({ a: other }), other === value)
        assert.ok(!matches({ a: value, b: 'x' }))
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          parseQuery(text)
        } catch (error) {
          assert.ok(error instanceof QueryError)
        }
      }),
    )
  })
})

describe('a simulated Alertmanager', () => {
  const silences = '/api/v2/silences'
  const matchers = [{ name: 'severity', value: 'critical', isRegex: false }]
  const list = async (transport: Transport) =>
    (await ask(transport, 'GET', silences)).value as readonly { id: string; endsAt: string; updatedAt: string; status: { state: string } }[]

  it('keeps silences, also for the next process, and says which are in force', async () => {
    await using cluster = await aCluster()
    const { clock, open } = cluster
    const now = clock.now()
    const add = async (startsAt: number, endsAt: number) =>
      ask(open(), 'POST', silences, {
        createdBy: 'me',
        comment: 'test',
        matchers,
        startsAt: formatTime(startsAt),
        endsAt: formatTime(endsAt),
      })
    await add(now - hour, now + hour)
    await add(now + hour, now + 2 * hour)
    const first = await list(open())
    assert.deepEqual(
      first.map(({ status }) => status.state),
      ['active', 'pending'],
    )
    assert.ok(first.every((silence) => !('startsAt' in silence) || String(silence.startsAt) >= formatTime(now)))
    await clock.advance(hour)
    assert.deepEqual(
      (await list(open())).map(({ status }) => status.state),
      ['expired', 'active'],
    )
  })

  it('ends a silence at the moment of its last change, once, and knows no others', async () => {
    await using cluster = await aCluster()
    const { clock, open } = cluster
    const now = clock.now()
    const silence = { createdBy: 'me', comment: 'test', matchers, startsAt: formatTime(now), endsAt: formatTime(now + hour) }
    const { value } = await ask(open(), 'POST', silences, silence)
    const { silenceID } = value as { readonly silenceID: string }
    await clock.advance(60_000)
    assert.equal((await ask(open(), 'DELETE', `/api/v2/silence/${silenceID}`)).status, 200)
    await clock.advance(60_000)
    assert.equal((await ask(open(), 'DELETE', `/api/v2/silence/${silenceID}`)).status, 200)
    const [ended] = await list(open())
    assert.deepEqual(
      [ended?.status.state, ended?.endsAt, ended?.updatedAt],
      ['expired', formatTime(now + 60_000), formatTime(now + 60_000)],
    )
    assert.equal((await ask(open(), 'DELETE', '/api/v2/silence/another')).status, 404)
  })

  it('refuses silences that nobody could want', async () => {
    await using cluster = await aCluster()
    const { clock, open } = cluster
    const now = clock.now()
    const good = { createdBy: 'me', comment: 'test', matchers, startsAt: formatTime(now), endsAt: formatTime(now + hour) }
    const wrong: readonly [object, RegExp][] = [
      [{ ...good, createdBy: 7 }, /createdBy and comment/],
      [{ ...good, matchers: [] }, /at least one matcher/],
      [{ ...good, endsAt: 'soon' }, /startsAt and endsAt/],
      [{ ...good, endsAt: formatTime(now) }, /in the past/],
      [{ ...good, startsAt: formatTime(now + 2 * hour) }, /must be after/],
    ]
    for (const [body, why] of wrong) {
      const { status, value } = await ask(open(), 'POST', silences, body)
      assert.equal(status, 400)
      assert.match(String(value), why)
    }
    assert.deepEqual(await list(open()), [])
  })

  it('forgets silences that were over five days ago, and goes on without its ConfigMap', async () => {
    await using cluster = await aCluster()
    const { client, clock, open } = cluster
    const ref = { namespace: 'openshift-monitoring', name: 'simulated-alertmanager' }
    await client.delete(ConfigMap, ref)
    const add = async () => {
      const now = clock.now()
      const times = { startsAt: formatTime(now), endsAt: formatTime(now + hour) }
      assert.equal((await ask(open(), 'POST', silences, { createdBy: 'me', comment: 'test', matchers, ...times })).status, 200)
    }
    await add()
    await clock.advance(5 * 24 * hour)
    await add()
    assert.equal((await list(open())).length, 2)
    await clock.advance(2 * hour)
    await add()
    assert.equal((await list(open())).length, 2)
    await client.patch(ConfigMap, ref, { data: { broken: '{' } })
    assert.equal((await list(open())).length, 2)
  })
})
