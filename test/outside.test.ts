import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { formatTime, systemClock as clock } from '@windlass/core'
import { type RunningOcm, serveOcm, SimulatedOcm } from '@windlass/simulator'
import { type CleanUps, ocmToken } from './outside/monitoring.ts'
import { type MonitoredCluster, startMonitoredCluster } from './outside/stage.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'
import { temporaryFolder } from './support/windlass.ts'

const folder = temporaryFolder()
const { signal } = new AbortController()
const critical = { severity: 'critical', namespace: 'openshift-etcd' }
const minutes = 60_000
const cleanUps: CleanUps = []
let cluster: MonitoredCluster

before(async () => {
  cluster = await startMonitoredCluster(folder, cleanUps)
})

after(async () => {
  for (const cleanUp of cleanUps.toReversed()) await cleanUp()
  rmSync(folder, { recursive: true })
})

/** As health checks ask it. */
const alertsQuery = 'ALERTS{alertstate="firing",severity="critical",namespace=~"^openshift.*|^kube-.*|^default$"}'

async function alerts(promql = alertsQuery): Promise<readonly string[] | string> {
  const found = await cluster.outside.prometheus.query(promql, signal)
  return 'problem' in found ? found.problem : found.value.map(({ alertname = '' }) => alertname)
}

describe('a real Prometheus', () => {
  it('tells which critical alerts of the platform fire, and when they do no longer', { timeout: 60_000 }, async () => {
    assert.deepEqual(await alerts(), [])
    await cluster.prometheus.fire(
      { alertname: 'EtcdDown', labels: critical },
      { alertname: 'Loud', labels: { ...critical, severity: 'warning' } },
      { alertname: 'Theirs', labels: { ...critical, namespace: 'shop' } },
      { alertname: 'Homeless', labels: { severity: 'critical' } },
    )
    assert.deepEqual(await alerts(), ['EtcdDown'])
    await cluster.prometheus.fire()
    assert.deepEqual(await alerts(), [])
  })

  it('is opened with a token that the API server made for its account, over a certificate that is checked', async () => {
    assert.ok(cluster.guards.prometheus.requests.length > 0)
    assert.ok(cluster.guards.prometheus.requests.every((line) => line.endsWith(' 200')))
  })

  it('H03 T01 that refuses a query says why, and is no cluster without alerts', async () => {
    assert.match(String(await alerts('ALERTS{')), /status 400: .*parse error/)
    assert.match(String(await alerts('max_over_time(up[1h40m1s] offset 0.5s)')), /status 400/)
    assert.ok(Array.isArray(await alerts('sum by (alertname) (max_over_time(ALERTS{severity="critical"}[1h40m1s] offset 1s))')))
  })

  it('that is down is no cluster without alerts; nor is one that is slow for who stops waiting', async () => {
    cluster.guards.prometheus.mode = 'down'
    assert.match(String(await alerts()), /Prometheus did not answer: https:\/\/127\.0\.0\.1.* closed the connection/)
    cluster.guards.prometheus.mode = { slowBy: 20_000 }
    const stop = AbortSignal.timeout(200)
    await assert.rejects(cluster.outside.prometheus.query('up', stop))
    cluster.guards.prometheus.mode = 'well'
    assert.deepEqual(await alerts(), [])
  })
})

describe('a real Alertmanager', () => {
  const silence = (comment: string, length = 60 * minutes) => ({
    createdBy: 'managed-upgrade-operator',
    comment,
    matchers: [
      { name: 'severity', value: '(warning|info)', isRegex: true },
      { name: 'namespace', value: '(^openshift.*|^kube.*|^redhat.*|^default$)', isRegex: true },
    ],
    startsAt: formatTime(clock.now()),
    endsAt: formatTime(clock.now() + length),
  })
  const known = async (comment: string) => (await cluster.alertmanager.silences()).filter((each) => each.comment === comment)
  const listed = async (comment: string) => {
    const all = await cluster.outside.alertmanager.silences(signal)
    return 'problem' in all ? all.problem : all.value.filter((each) => each.comment === comment)
  }

  it('M01 M02 makes a silence, once, also when its answer is lost', async () => {
    const wanted = silence('Silence for OSD control plane upgrade to version 4.4.6')
    cluster.guards.alertmanager.mode = 'lost'
    await assert.rejects(cluster.outside.alertmanager.create(wanted, signal), /cannot be made: .*closed the connection/)
    cluster.guards.alertmanager.mode = 'well'
    for (let pass = 0; pass < 3; pass++) await cluster.outside.alertmanager.create(wanted, signal)
    const [made, ...others] = await known(wanted.comment)
    assert.deepEqual([made?.status.state, made?.createdBy, others], ['active', 'managed-upgrade-operator', []])
    assert.deepEqual(
      made?.matchers.toSorted((a, b) => (a.name < b.name ? 1 : -1)),
      wanted.matchers.map((matcher) => ({ ...matcher, isEqual: true })),
    )
  })

  it('M03 ends a silence, which can be told from one that ran out', { timeout: 60_000 }, async () => {
    const [deleted, expiring] = ['ended by hand', 'runs out']
    await cluster.outside.alertmanager.create(silence(deleted), signal)
    await cluster.outside.alertmanager.create(silence(expiring, 3000), signal)
    const before = await listed(deleted)
    assert.ok(typeof before === 'object' && before[0]?.status.state === 'active')
    const { id } = before[0]
    for (let pass = 0; pass < 2; pass++) await cluster.outside.alertmanager.end(id, signal)
    let over: Awaited<ReturnType<typeof listed>> = []
    await until('the silence to run out', async () => {
      over = await listed(expiring)
      return typeof over === 'object' && over[0]?.status.state === 'expired'
    })
    const gone = await listed(deleted)
    assert.ok(typeof over === 'object' && typeof gone === 'object')
    const lag = ({ endsAt, updatedAt }: { readonly endsAt: string; readonly updatedAt: string }) =>
      Date.parse(endsAt) - Date.parse(updatedAt)
    assert.equal(gone[0]?.status.state, 'expired')
    assert.ok(over[0] !== undefined && lag(over[0]) > 1000)
    assert.ok(gone[0] !== undefined && lag(gone[0]) < 1000)
  })

  it('M07 has silences of other people, and ends one that it never had without complaint', async () => {
    const foreign = {
      createdBy: 'sre',
      comment: 'OSD worker node',
      startsAt: formatTime(clock.now()),
      endsAt: formatTime(clock.now() + minutes),
    }
    await cluster.alertmanager.silence(foreign)
    const all = await listed(foreign.comment)
    assert.ok(typeof all === 'object' && all[0]?.createdBy === 'sre' && all[0].matchers[0]?.value === 'Theirs')
    await cluster.outside.alertmanager.end('00000000-0000-4000-8000-000000000000', signal)
  })

  it('refuses a silence in the past, and says so', async () => {
    await assert.rejects(
      cluster.outside.alertmanager.create(silence('too late', -minutes), signal),
      /"too late" cannot be made: .*status 400: .*end time/,
    )
  })

  it('that is down is not one without silences, and is found again when it is back', async () => {
    cluster.guards.alertmanager.mode = 'down'
    const unlisted = await listed('x')
    assert.ok(typeof unlisted === 'string')
    assert.match(unlisted, /silences cannot be listed: .*closed the connection/)
    await assert.rejects(cluster.outside.alertmanager.end('x', signal), /silence x cannot be ended/)
    cluster.guards.alertmanager.mode = 'well'
    assert.deepEqual(await listed('x'), [])
  })
})

describe('OCM and its agent, over sockets', () => {
  const clusterId = '0b8c2f6e-93f1-4d0e-8a6d-2f1f0d9c7b55'
  let running: RunningOcm

  before(async () => {
    const ocm = new SimulatedOcm({ clock })
    ocm.memory.register({ id: 'c1', externalId: clusterId, token: ocmToken, version: '4.4.5', channelGroup: 'fast' })
    ocm.memory.schedule({ id: 'p1', clusterId: 'c1', version: '4.4.6', nextRun: '2030-01-01T12:00:00Z' })
    running = await serveOcm({ ocm, clock })
  })
  after(() => running.close())

  const client = () => cluster.outside.ocm({ baseUrl: running.url, clusterId })

  it('O01 wants upgrades and is told how they go', async () => {
    const answer = await client().cluster(signal)
    assert.ok(answer.is === 'found' && answer.cluster.id === 'c1')
    const policies = await client().policies('c1', signal)
    assert.ok('value' in policies && policies.value[0]?.version === '4.4.6')
    await client().setPolicyState('c1', 'p1', { kind: 'UpgradePolicyState', value: 'started', description: 'now' }, signal)
    assert.deepEqual(running.ocm.memory.stateOf('p1'), { value: 'started', description: 'now' })
  })

  it('O07 is asked again when it is busy or cuts connections', { timeout: 60_000 }, async () => {
    running.ocm.fail({ is: 'status', status: 503, times: 1 })
    assert.equal((await client().cluster(signal)).is, 'found')
    running.ocm.fail({ is: 'down', times: 1 })
    assert.equal((await client().cluster(signal)).is, 'found')
  })

  it('O08 is not told twice what it may have heard', async () => {
    running.ocm.fail({ is: 'lost', method: 'PATCH', times: 1 })
    const before = running.ocm.requests.length
    const body = { kind: 'UpgradePolicyState', value: 'completed', description: '' } as const
    await assert.rejects(client().setPolicyState('c1', 'p1', body, signal), /p1 cannot be told that it is completed/)
    assert.equal(running.ocm.requests.length - before, 1)
  })

  it('that nobody serves is left alone at once by who stops asking', async () => {
    const nobody = cluster.outside.ocm({ baseUrl: `http://127.0.0.1:${await freePort()}`, clusterId })
    await assert.rejects(nobody.cluster(AbortSignal.timeout(200)))
  })

  it('never finds its token in a log', () => {
    assert.ok(cluster.logged.some((line) => line.includes('operation-')))
    assert.ok(!cluster.logged.join('\n').includes(ocmToken))
  })
})

describe('external dependencies, over sockets', () => {
  it('A01 A02 are asked wherever they lead, and again when they are weak', { timeout: 60_000 }, async () => {
    let weak = 1
    const server = createServer((request, response) => {
      if (request.url === '/moved') response.writeHead(302, { location: '/weak' }).end()
      else if (request.url === '/weak' && weak-- > 0) response.writeHead(500).end()
      else response.writeHead(request.url === '/no' ? 404 : 200).end()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    assert.deepEqual(await cluster.outside.dependencies.check([`${url}/moved`, url], 5, signal), { value: true })
    const answer = await cluster.outside.dependencies.check([url, `${url}/no`], 5, signal)
    assert.ok('problem' in answer && answer.problem.endsWith(`${url}/no: answered with status 404`))
    server.close()
    server.closeAllConnections()
  })
})
