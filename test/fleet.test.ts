/**
 * A fleet, as people look at it: the commands and the web page against a real `windlass up`, with a second context that leads nowhere.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { EventView, ExposureView, FleetView, WhyView } from '@windlass/fleet'
import { dump, load } from 'js-yaml'
import { type Client, client } from './support/client.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'
import { credentialsIn, temporaryFolder, windlass } from './support/windlass.ts'

interface Ended {
  readonly status: number | null
  readonly out: string
  readonly err: string
}

interface Running {
  readonly child: ChildProcess
  readonly out: () => string
  readonly ended: Promise<Ended>
}

const folder = temporaryFolder()
const upKubeconfig = join(folder, 'data', 'kubeconfig')
const twoContexts = join(folder, 'two.kubeconfig')
const ofAlice = join(folder, 'alice.kubeconfig')
const children = new Set<ChildProcess>()
let up: Running
let api: Client

function start(...args: readonly string[]): Running {
  const env = { ...process.env, KUBECONFIG: upKubeconfig, NO_COLOR: '' }
  const child = spawn(process.execPath, [windlass, ...args], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.add(child)
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const ended = once(child, 'close').then((): Ended => {
    children.delete(child)
    return { status: child.exitCode, out, err }
  })
  return { child, out: () => out, ended }
}

const run = (...args: readonly string[]): Promise<Ended> => start(...args).ended

async function json<T>(...args: readonly string[]): Promise<T> {
  const { out, err } = await run(...args, '-o', 'json')
  assert.notEqual(out, '', err)
  return JSON.parse(out) as T
}

async function untilSaid(running: Running, what: RegExp): Promise<void> {
  await until(`"${what.source}" to be said`, () => what.test(running.out()) || running.child.exitCode !== null)
  assert.match(running.out(), what)
}

async function stop(running: Running): Promise<Ended> {
  running.child.kill('SIGINT')
  return running.ended
}

interface Kubeconfig {
  readonly contexts: readonly object[]
  readonly clusters: readonly { readonly name: string }[]
  readonly users: readonly { readonly name: string }[]
}

/** Alice sees hosted clusters, and nothing that belongs to them. */
function writeAlice(): void {
  const { clusters, ...rest } = load(readFileSync(upKubeconfig, 'utf8')) as Kubeconfig
  const contexts = [{ name: 'alice', context: { cluster: clusters[0]?.name, user: 'alice' } }]
  const users = [{ name: 'alice', user: { token: 'alice-token' } }]
  writeFileSync(ofAlice, dump({ ...rest, clusters, contexts, users, 'current-context': 'alice' }))
}

/** A kubeconfig whose second context leads to a port where nobody listens. */
async function writeTwoContexts(): Promise<void> {
  const config = load(readFileSync(upKubeconfig, 'utf8')) as Kubeconfig
  const nowhere = { name: 'nowhere', cluster: { server: `https://127.0.0.1:${await freePort()}`, 'insecure-skip-tls-verify': true } }
  const context = { name: 'nowhere', context: { cluster: 'nowhere', user: config.users[0]?.name } }
  writeFileSync(twoContexts, dump({ ...config, contexts: [...config.contexts, context], clusters: [...config.clusters, nowhere] }))
}

before(
  async () => {
    const tokens = 'alice-token,alice,alice\nbob-token,bob,bob\n'
    writeFileSync(join(folder, 'tokens.csv'), tokens)
    const more = ['--token-auth-file', join(folder, 'tokens.csv'), '--dashboard-port', '0', '--no-classic']
    up = start('up', '--memory', '--data-dir', join(folder, 'data'), '--port', '0', '--clusters', '4', '--speed', '200', ...more)
    await untilSaid(up, /Ctrl-C ends it/)
    api = client(credentialsIn(upKubeconfig))
    await writeTwoContexts()
    writeAlice()
    const rbac = '/apis/rbac.authorization.k8s.io/v1'
    const rules = [{ apiGroups: ['hypershift.openshift.io'], resources: ['hostedclusters'], verbs: ['get', 'list', 'watch'] }]
    await api.create(`${rbac}/clusterroles`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'looker' },
      rules,
    })
    await api.create(`${rbac}/clusterrolebindings`, {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name: 'looker' },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'looker' },
      subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'alice' }],
    })
    await until('an upgrade that is stuck', async () => isStuck(await stuckPods()), 60_000)
  },
  { timeout: 90_000 },
)

after(async () => {
  api?.close()
  if (up !== undefined) await stop(up)
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

interface SeenPod {
  readonly status?: { readonly initContainerStatuses?: readonly { readonly state?: { readonly waiting?: { readonly reason?: string } } }[] }
}

/** Pods of the control plane of prod-us-2, whose upgrade cannot go on. */
async function stuckPods(): Promise<readonly SeenPod[]> {
  const { status, body } = await api.send('GET', '/api/v1/namespaces/clusters-prod-us-2/pods?labelSelector=app%3Dkube-apiserver')
  return status === 200 ? (body['items'] as readonly SeenPod[]) : []
}

const isStuck = (pods: readonly SeenPod[]): boolean => JSON.stringify(pods).includes('ImagePullBackOff')

describe('windlass fleet', () => {
  it('shows all clusters of a management cluster, worst first', async () => {
    const [{ status, out, err }, stalled, none] = await Promise.all([
      run('fleet'),
      json<FleetView>('fleet', '--stalled', '--stalled-after', '1s'),
      json<FleetView>('fleet', '--version', '4.17'),
    ])
    assert.deepEqual([status, err], [0, ''])
    assert.match(out, /^4 clusters: .*Upgrading.*; \d+ nodes/)
    assert.match(out, /\nclusters\/prod-us-2 +Upgrading +4\.19\.14 -> 4\.20\.8 .*kube-apiserver/)
    assert.ok(!out.includes('\u001B'), 'colours are for terminals')
    assert.ok(stalled.clusters.some(({ name, attention }) => name === 'prod-us-2' && attention === 'Stalled'))
    assert.equal(stalled.figures.clusters, stalled.clusters.length)
    assert.deepEqual(none.clusters, [])
  })

  it('never shows a member that cannot be reached as empty', async () => {
    const fleet = (...args: readonly string[]): Promise<Ended> => run('fleet', '--kubeconfig', twoContexts, ...args)
    const [both, chosen, lost, missing] = await Promise.all([
      fleet('--all-contexts'),
      fleet('--context', 'nowhere,windlass', '-o', 'json'),
      fleet('--context', 'nowhere'),
      fleet('--context', 'south'),
    ])
    assert.equal(both.status, 0)
    assert.match(both.out, /^4 clusters known, in 1 of 2 members/)
    assert.match(both.out, /\nnowhere +\* +Unreachable +\? .*nothing is known of it: /)
    assert.match(both.err, /^windlass: nowhere cannot be reached: .*127\.0\.0\.1:\d+/)
    const { members } = JSON.parse(chosen.out) as FleetView
    assert.deepEqual(members.map(({ name, state }) => `${name} ${state}`).toSorted(), ['nowhere Unreachable', 'windlass Synced'])
    assert.equal(lost.status, 1)
    assert.deepEqual([missing.status, missing.out], [1, ''])
    assert.match(missing.err, /has no context south: it has windlass, nowhere\n$/)
  })

  it('shows the same from files', async () => {
    const files = join(folder, 'files')
    const { body } = await api.send('GET', '/apis/hypershift.openshift.io/v1beta1/hostedclusters')
    mkdirSync(files)
    writeFileSync(
      join(files, 'hostedclusters.json'),
      JSON.stringify({ ...body, kind: 'HostedClusterList', apiVersion: 'hypershift.openshift.io/v1beta1' }),
    )
    const { status, out, err } = await run('fleet', '--from', files)
    assert.deepEqual([status, err], [0, ''])
    assert.match(out, /\nclusters\/prod-us-2 +/)
  })
})

describe('windlass why', () => {
  it('names the object at the root, and what to do', async () => {
    const [{ status, out, err }, { chains }, missing] = await Promise.all([
      run('why', 'prod-us-2'),
      json<WhyView>('why', 'clusters/prod-us-2'),
      run('why', 'prod', '--kubeconfig', twoContexts, '--all-contexts'),
    ])
    assert.deepEqual([status, err], [0, ''])
    assert.match(out, /^clusters\/prod-us-2\n.*4\.20\.8.*image/)
    assert.match(out, /HostedCluster clusters\/prod-us-2: [^]*└─ Pod clusters-prod-us-2\/kube-apiserver-\S+: [^]*What to do: /)
    assert.equal(chains[0]?.links.at(-1)?.object.kind, 'Pod')
    assert.equal(missing.status, 1)
    assert.match(missing.err, /there is no cluster prod: there are .*; nothing is known of nowhere, where it may be\n$/)
  })
})

describe('windlass exposure', () => {
  it('ends with 3 when a cluster is vulnerable, and not with 0 when somebody could not be asked', async () => {
    const fixes = ['--fixed-in', '4.18.1,4.19.1,4.20.1']
    const [vulnerable, fixed, partly, unread, nonsense, unsaid] = await Promise.all([
      run('exposure', '--fixed-in', '4.19.15,4.20.8'),
      run('exposure', ...fixes, '--summary'),
      run('exposure', ...fixes, '--kubeconfig', twoContexts, '--all-contexts', '-o', 'json'),
      run('exposure', ...fixes, '--kubeconfig', ofAlice),
      run('exposure', '--fixed-in', 'soon'),
      run('exposure'),
    ])
    assert.equal(vulnerable.status, 3)
    assert.match(vulnerable.out, /\nclusters\/prod-eu-1 +Vulnerable +Vulnerable +Vulnerable +.*4\.19\.12/)
    assert.deepEqual([fixed.status, fixed.err], [0, ''])
    assert.match(fixed.out, /^Fixed in 4\.18\.1, 4\.19\.1, 4\.20\.1: 0 of 4 clusters are vulnerable\n/)
    assert.equal(partly.status, 1)
    assert.equal((JSON.parse(partly.out) as ExposureView).counts.Vulnerable, 0)
    assert.match(partly.err, /^windlass: nowhere cannot be reached/)
    assert.equal(unread.status, 1)
    assert.match(
      unread.out,
      /\nclusters\/prod-eu-1 +Unknown +Fixed +Unknown +data plane: its node pools are not known: nodepools\.\S+ cannot be read/,
    )
    assert.match(
      unread.err,
      /^windlass: alice is known in part: .*nodepools\.hypershift\.openshift\.io.* cannot be read: let the user of alice/,
    )
    assert.deepEqual([nonsense.status, nonsense.out], [1, ''])
    assert.match(nonsense.err, /^windlass: --fixed-in: .*soon/)
    assert.equal(unsaid.status, 2)
  })
})

describe('windlass history', () => {
  it('finds a cluster in several contexts, by its member too, and says who could not be asked', async () => {
    const [named, everywhere] = await Promise.all([
      run('history', 'windlass/clusters/prod-us-2', '--kubeconfig', twoContexts, '--all-contexts'),
      run('history', 'prod-us-2', '--kubeconfig', twoContexts, '--all-contexts'),
    ])
    assert.deepEqual([named.status, named.err], [0, ''])
    assert.match(named.out, /^clusters\/prod-us-2\nManagement side: /)
    assert.equal(everywhere.status, 0)
    assert.match(everywhere.out, /^windlass\/clusters\/prod-us-2\n/)
    assert.match(everywhere.err, /^windlass: nowhere cannot be reached: /)
  })
})

describe('windlass skew', () => {
  it('is of every context that can be reached, and does not end as if all had been', async () => {
    const { status, out, err } = await run('skew', '--kubeconfig', twoContexts, '--all-contexts')
    assert.equal(status, 1)
    assert.match(out, /^windlass\/clusters\/prod-eu-1\n/)
    assert.match(err, /^windlass: nowhere cannot be reached: /)
  })
})

describe('windlass events', () => {
  it('shows what was told of a cluster, and goes on until Ctrl-C', async () => {
    const past = await run('events', 'prod-us-2', '--since', '1h')
    assert.equal(past.status, 0)
    assert.match(past.out, /^TIME +TYPE +CLUSTER +REASON +OBJECT +MESSAGE\n/)
    assert.match(past.out, /clusters\/prod-us-2 +ControlPlaneUpdateStarted/)
    assert.doesNotMatch(past.out, /clusters\/prod-eu-1 /)
    const following = start('events', '--follow', '--since', '1h', '-o', 'json')
    await untilSaid(following, /ControlPlaneUpdateStarted/)
    const body = { spec: { release: { image: 'example.com/ocp/release:4.19.15-x86_64' } } }
    await api.merge('/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/prod-eu-1', body)
    await untilSaid(following, /4\.19\.15/)
    const { status, out, err } = await stop(following)
    assert.deepEqual([status, err], [0, ''])
    const events = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as EventView)
    assert.ok(events.some(({ cluster, message }) => cluster === 'windlass/clusters/prod-eu-1' && /4\.19\.15/.test(message)))
  })
})

describe('completion', () => {
  it('knows names of clusters, pools and contexts, and is silent when it cannot ask', async () => {
    // A machine that is busy may take longer than somebody waits for a completion.
    const named = async (...args: readonly string[]): Promise<string> => {
      let out = ''
      await until(`an answer to ${args.join(' ')}`, async () => (out = (await run('__complete', ...args)).out) !== '')
      return out
    }
    assert.equal(await named('clusters', '--', 'why', ''), 'prod-eu-1\nprod-eu-2\nprod-us-1\nprod-us-2\n')
    assert.match(await named('clusters', '--', 'history', 'windlass/'), /^windlass\/clusters\/prod-eu-1\n/)
    assert.match(await named('pools', '--', 'scale', 'nodepool', ''), /^prod-eu-1-workers$/m)
    assert.equal((await run('__complete', 'contexts', '--', 'fleet', '--kubeconfig', twoContexts)).out, 'windlass\nnowhere\n')
    const lost = await run('__complete', 'clusters', '--', 'why', '--kubeconfig', twoContexts, '--context', 'nowhere')
    assert.deepEqual(lost, { status: 0, out: '', err: '' })
  })
})

/** A browser without a screen: it keeps the cookie of whoever is signed in. */
function browser(url: string) {
  let cookie = ''
  const send = async (method: string, path: string, body?: object): Promise<IncomingMessage> => {
    const headers = { ...(cookie === '' ? {} : { cookie }), ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
    const outgoing = request(`${url}${path}`, { method, headers })
    outgoing.end(body === undefined ? undefined : JSON.stringify(body))
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    cookie = incoming.headers['set-cookie']?.[0]?.split(';')[0] ?? cookie
    return incoming
  }
  return {
    send,
    async ask(method: string, path: string, body?: object) {
      const incoming = await send(method, path, body)
      let text = ''
      for await (const chunk of incoming as AsyncIterable<Buffer>) text += chunk.toString('utf8')
      return { status: incoming.statusCode, body: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown> }
    },
  }
}

describe('the web page of windlass up', () => {
  const link = (): URL => new URL(/http:\/\/127\.0\.0\.1:\d+\/#code=\S+/.exec(up.out())?.[0] ?? assert.fail(up.out()))
  const patch = '/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters/prod-eu-2'

  it('lets in whoever has the link, shows what changes as it does, and acts', async () => {
    const { origin, hash } = link()
    const page = browser(origin)
    assert.equal((await page.ask('GET', '/api/v1/fleet')).status, 401)
    const { body: session } = await page.ask('POST', '/api/v1/session', { code: hash.replace('#code=', '') })
    assert.deepEqual([session['user'], session['mayAct']], ['windlass', true])
    await untilSaid(up, /The link to the web page was used\. The next one: http/)
    const { body: fleet } = await page.ask('GET', '/api/v1/fleet')
    assert.equal((fleet as unknown as FleetView).clusters.length, 4)
    const stream = await page.send('GET', '/api/v1/stream')
    let seen = ''
    stream.on('data', (chunk: Buffer) => (seen += chunk.toString()))
    await until('the fleet', () => seen.includes('event: fleet'))
    const labels = { metadata: { labels: { touched: 'yes' } }, spec: { pausedUntil: 'true' } }
    await api.merge(patch, labels)
    await until('a change of prod-eu-2', () => /event: change[^]*prod-eu-2[^]*Paused/.test(seen))
    stream.destroy()
    // It stays so when all is said.
    await until('all to be said', async () => JSON.stringify(await api.get(patch)).includes('"reason":"Blocked"'))
    const shown = async (): Promise<unknown> => {
      const { clusters } = (await page.ask('GET', '/api/v1/fleet')).body as unknown as FleetView
      return clusters.find(({ name }) => name === 'prod-eu-2')?.attention
    }
    await until('prod-eu-2 to be shown as paused', async () => (await shown()) === 'Paused')
    const resumed = await page.ask('POST', '/api/v1/clusters/windlass/clusters/prod-eu-2/actions', { do: 'resume' })
    assert.deepEqual(resumed, { status: 200, body: { message: 'HostedCluster clusters/prod-eu-2 is looked after again.' } })
    const { spec } = (await api.get(patch)) as { spec?: { pausedUntil?: string } }
    assert.equal(spec?.pausedUntil, undefined)
    const why = await page.ask('GET', '/api/v1/clusters/windlass/clusters/prod-us-2/why')
    assert.match(String(why.body['verdict']), /image/)
  })

  it('lets people in by their token, with the rights that they have', async () => {
    const { origin } = link()
    const page = browser(origin)
    const signIn = (token: string) => page.ask('POST', '/api/v1/session', { token })
    assert.equal((await signIn('stolen')).status, 401)
    const bob = await signIn('bob-token')
    assert.equal(bob.status, 403)
    assert.match(String(bob.body['message']), /^bob may neither list hostedclusters/)
    assert.deepEqual((await signIn('alice-token')).body['user'], 'alice')
    assert.equal(((await page.ask('GET', '/api/v1/fleet')).body as unknown as FleetView).clusters.length, 4)
    const forbidden = await page.ask('POST', '/api/v1/clusters/windlass/clusters/prod-eu-2/actions', { do: 'pause' })
    assert.equal(forbidden.status, 403)
    assert.match(String(forbidden.body['message']), /"alice" cannot patch resource "hostedclusters"/)
    assert.equal((await page.ask('DELETE', '/api/v1/session')).status, 204)
  })
})

describe('windlass dashboard', () => {
  it('serves a fleet of several contexts, only shows unless told, and ends cleanly', async () => {
    const dashboard = start('dashboard', '--kubeconfig', twoContexts, '--all-contexts', '--port', '0', '--log-level', 'silent')
    await untilSaid(dashboard, /Ctrl-C ends it/)
    assert.match(dashboard.out(), /^windlass dashboard is at http:\/\/127\.0\.0\.1:\d+, for windlass, nowhere\n/)
    const { origin, hash } = new URL(/http:\S+#code=\S+/.exec(dashboard.out())?.[0] ?? assert.fail())
    const page = browser(origin)
    await page.ask('POST', '/api/v1/session', { code: hash.replace('#code=', '') })
    const isThere = async (): Promise<boolean> => {
      const { members } = (await page.ask('GET', '/api/v1/fleet')).body as unknown as FleetView
      return members.map(({ state }) => state).join() === 'Synced,Unreachable'
    }
    await until('one member that is known and one that is not', isThere)
    const refused = await page.ask('POST', '/api/v1/clusters/windlass/clusters/prod-eu-2/actions', { do: 'pause' })
    assert.equal(refused.status, 403)
    assert.match(String(refused.body['message']), /--allow-actions/)
    const alice = browser(origin)
    assert.equal((await alice.ask('POST', '/api/v1/session', { token: 'alice-token' })).status, 200)
    const seen = (await alice.ask('GET', '/api/v1/fleet')).body as unknown as FleetView
    assert.deepEqual(
      seen.members.map(({ name }) => name),
      ['windlass'],
    )
    const { status, err } = await stop(dashboard)
    assert.deepEqual([status, err], [0, ''])
  })

  it('does not open itself to other machines without TLS', async () => {
    const { status, out, err } = await run('dashboard', '--host', '0.0.0.0')
    assert.deepEqual([status, out], [1, ''])
    assert.match(err, /^windlass: 0\.0\.0\.0 can be reached from other machines, .*: give --tls-cert and --tls-key, or leave --host out\n$/)
    assert.match((await run('dashboard', '--client-ca', 'ca.crt')).err, /--client-ca is for TLS/)
  })
})
