import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ControlPlaneComponent, Event, HostedCluster, type JsonObject, Namespace, NodePool, type Resource, toCrd } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { type Embedded, type EmbeddedOptions, startEmbedded } from '@windlass/apiserver'
import { systemClock as clock, systemRandom as random } from '@windlass/core'
import { type Client, connector, parseKubeconfig, silentLog } from '@windlass/kube'
import type { ClusterView, EventView, MemberView } from '../contract/index.ts'
import { createFleet, type Fleet } from '../model/index.ts'
import { membersByContext } from './kubeconfig.ts'

const userAgent = 'test'
const definitions = [HostedCluster, ControlPlaneComponent, NodePool].map((kind) => toCrd(kind) as unknown as JsonObject)

interface Context {
  readonly name: string
  readonly server: string
  readonly ca?: string
  readonly token?: string
}

/** One kubeconfig with several contexts, as people have it who look after several clusters. */
function aKubeconfig(contexts: readonly Context[]): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: contexts.map(({ name, server, ca }) => ({
      name,
      cluster: { server, ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }) },
    })),
    users: contexts.map(({ name, token = 'nobody' }) => ({ name, user: { token } })),
    contexts: contexts.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
  })
}

/** Runs until the test is over, however it ends: a fleet that nobody stops would keep the process alive. */
async function aRunningFleet(kubeconfig: string, t: TestContext): Promise<Fleet> {
  const config = parseKubeconfig(kubeconfig, { name: 'the kubeconfig', clock })
  const fleet = createFleet({ members: membersByContext(config, { clock, userAgent }), clock, log: silentLog })
  const ending = new AbortController()
  const running = fleet.run(ending.signal)
  t.after(async () => {
    ending.abort(new Error('the test is over'))
    await running
  })
  await fleet.ready(AbortSignal.timeout(30_000))
  return fleet
}

async function aServer(options: EmbeddedOptions, t: TestContext): Promise<Embedded> {
  const server = await startEmbedded(options)
  t.after(() => server.close())
  return server
}

async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let left = 200; left > 0; left--) {
    const found = await look()
    if (found !== undefined) return found
    await sleep(100)
  }
  return assert.fail(`waited 20 s for ${what}`)
}

async function connectTo({ kubeconfig }: Embedded, t: TestContext): Promise<Client> {
  const client = await connector({ clock, random, userAgent, fieldManager: 'test' })(kubeconfig, 'the server')
  t.after(() => client.close())
  return client
}

async function withCluster(client: Client): Promise<void> {
  const { metadata, spec, status } = aHostedCluster({ release: '4.20.1' })
  await client.create(Namespace, { metadata: { name: 'clusters' } })
  await client.create(HostedCluster, { metadata: { name: metadata.name ?? '', namespace: 'clusters' }, spec })
  // Not a merge patch: to that, nulls would mean that there is nothing.
  const kind: Resource<HostedCluster> = HostedCluster
  await client.patchStatus(kind, { namespace: 'clusters', name: 'prod' }, [{ op: 'add', path: '/status', value: status }])
}

describe('members of a kubeconfig with several contexts', () => {
  it('says of each context that leads nowhere why, and what to do, and shows the others', { timeout: 60_000 }, async (t) => {
    const east = await aServer({ definitions }, t)
    const bare = await aServer({}, t)
    const client = await connectTo(east, t)
    await withCluster(client)
    const kubeconfig = aKubeconfig([
      { name: 'east', server: east.url, ca: east.ca, token: east.adminToken },
      { name: 'bare', server: bare.url, ca: bare.ca, token: bare.adminToken },
      { name: 'nobody', server: east.url, ca: east.ca, token: 'wrong' },
      { name: 'untrusted', server: east.url, token: east.adminToken },
      { name: 'refused', server: 'https://127.0.0.1:1', ca: east.ca },
    ])
    const fleet = await aRunningFleet(kubeconfig, t)
    const byName = new Map<string, MemberView>(fleet.members().map((member) => [member.name, member]))
    assert.deepEqual([byName.get('east')?.state, byName.get('east')?.clusters], ['Synced', 1])
    assert.equal(byName.get('bare')?.state, 'Synced')
    assert.match(byName.get('bare')?.message ?? '', /neither hosted clusters .* nor a ClusterVersion: install/)
    assert.equal(byName.get('nobody')?.state, 'Unreachable')
    assert.match(byName.get('nobody')?.message ?? '', /does not accept the credentials of nobody \(401\): log in again/)
    assert.match(byName.get('untrusted')?.message ?? '', /certificate that is not trusted: use the certificate authority/)
    assert.match(byName.get('refused')?.message ?? '', /127\.0\.0\.1:1 refuses connections: check that the server runs/)
    assert.deepEqual(
      fleet.view().clusters.map(({ id }) => id),
      ['east/clusters/prod'],
    )
  })

  it('keeps the clusters of a server that goes away, and goes on when it is back, with events', { timeout: 90_000 }, async (t) => {
    const server = await startEmbedded({ definitions, isPlain: true })
    const { port } = server
    const client = await connectTo(server, t)
    await withCluster(client)
    const fleet = await aRunningFleet(aKubeconfig([{ name: 'east', server: server.url, token: server.adminToken }]), t)
    const following = new AbortController()
    const heard: EventView[] = []
    t.after(() => following.abort(new Error('the test is over')))
    const listening = (async () => {
      for await (const event of fleet.events({ follow: following.signal })) heard.push(event)
    })()
    await client.create(Event, anEvent('HostedCluster', 'clusters', 'prod'))
    await until('the event of the cluster', () => heard.find(({ cluster }) => cluster === 'east/clusters/prod'))
    const view = await until('the cluster in full', async (): Promise<ClusterView | undefined> => fleet.cluster('east/clusters/prod'))
    assert.deepEqual(
      view.events.map(({ reason, object }) => [reason, object.kind, object.side]),
      [['Tested', 'HostedCluster', 'management']],
    )
    following.abort(new Error('heard enough'))
    await listening
    await server.close()
    const lost = await until('the member to be lost', () => fleet.members().find(({ state }) => state === 'Unreachable'))
    assert.match(lost.message ?? '', /refuses connections/)
    assert.deepEqual([fleet.row('east/clusters/prod')?.isCurrent, lost.clusters], [false, 1])
    // In memory: the one that comes back has forgotten everything, and that is what counts then.
    await aServer(
      {
        definitions,
        isPlain: true,
        port,
        tokens: [{ token: server.adminToken, user: { name: 'me', uid: '1', groups: ['system:masters'], extra: {} } }],
      },
      t,
    )
    await until('the member to be back', () => fleet.members().find(({ state }) => state === 'Synced'))
    await until('the cluster to be gone', () => (fleet.row('east/clusters/prod') === undefined ? true : undefined))
  })
})

function anEvent(kind: string, namespace: string, name: string): Event {
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace, name: `${name}.1` },
    eventTime: '2026-03-06T12:00:00.000000Z',
    reportingController: 'test',
    reportingInstance: 'test-1',
    action: 'Test',
    reason: 'Tested',
    regarding: { apiVersion: HostedCluster.apiVersion, kind, namespace, name },
    note: 'it was tested',
    type: 'Normal',
  }
}
