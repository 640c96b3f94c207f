/**
 * A whole fleet in one command, as people run it: what `windlass up` suggests is typed into a shell as it is printed, with the real kubectl.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { stepConditions } from '@windlass/upgrades'
import { type Client, client } from './support/client.ts'
import { freePort } from './support/free-port.ts'
import { until } from './support/until.ts'
import { credentialsIn, startServer, temporaryFolder, windlass } from './support/windlass.ts'

interface Running {
  /** What it had said when it was ready. */
  readonly said: string
  readonly api: Client
  /** Asks for its end as Ctrl-C does. */
  stop(): Promise<{ readonly status: number | null; readonly err: string; readonly took: number }>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
}

const children = new Set<ChildProcess>()
const folders: string[] = []

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
})
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

function aFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  mkdirSync(join(folder, 'home'))
  return folder
}

const kubeconfigIn = (folder: string): string => join(folder, '.windlass', 'data', 'kubeconfig')

/** A hundred times as fast as a real fleet, unless told: an hour in half a minute. */
async function start(folder: string, ...args: readonly string[]): Promise<Running> {
  const { child, err, said } = await launch(folder, ['up', '--port', '0', '--speed', '100', ...args], /Ctrl-C ends it/)
  return {
    said,
    api: client(credentialsIn(kubeconfigIn(folder))),
    async stop() {
      const asked = performance.now()
      child.kill('SIGINT')
      const [status] = (await once(child, 'close')) as [number | null]
      return { status, err: err(), took: performance.now() - asked }
    },
    async kill() {
      child.kill('SIGKILL')
      await once(child, 'close')
    },
  }
}

/** Runs a command of ours until it has said that it is ready. */
async function launch(folder: string, args: readonly string[], ready: RegExp, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [windlass, ...args], { cwd: folder, env: { ...process.env, KUBECONFIG: '', ...env } })
  children.add(child)
  child.once('close', () => children.delete(child))
  let [said, complaints] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      if (ready.test(said)) resolve()
    })
    child.once('close', (status) => reject(new Error(`windlass ${args.join(' ')} ended with status ${status}: ${complaints}`)))
  })
  return { child, said, err: () => complaints }
}

/** The lines of a shell that the welcome has in it. */
const linesIn = (said: string): readonly string[] =>
  said
    .split('\n')
    .filter((line) => /^ {2}(export|kubectl|npx) /.test(line))
    .map((line) => line.trim())

/** Types a line into a shell, after the ones that set it up. */
async function type(folder: string, setup: string, line: string): Promise<string> {
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(folder, 'home') }
  // A watch does not end by itself.
  const typed = line.replace(/^npx windlass /, `'${process.execPath}' '${windlass}' `)
  const ending = line.endsWith(' -w') ? `timeout -s INT 4 ${typed}; true` : typed
  const shell = spawn('bash', ['-c', `${setup}\n${ending}`], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [status] = (await once(shell, 'close')) as [number | null]
  assert.equal(status, 0, `${line}\n${output}`)
  return output
}

interface Seen {
  readonly metadata: { readonly name: string; readonly creationTimestamp: string; readonly uid: string }
  readonly status?: {
    readonly version?: { readonly history?: readonly Entry[] }
    readonly controlPlaneVersion?: { readonly history?: readonly Entry[] }
  }
}
interface Entry {
  readonly state: string
  readonly version: string
}

const clusters = '/apis/hypershift.openshift.io/v1beta1/namespaces/clusters/hostedclusters'

async function fleetIn(api: Client): Promise<ReadonlyMap<string, Seen>> {
  const { items } = (await api.get(clusters)) as unknown as { readonly items: readonly Seen[] }
  return new Map(items.map((item) => [item.metadata.name, item]))
}

interface SeenUpgrade {
  readonly metadata: { readonly uid: string }
  readonly status?: {
    readonly history?: readonly { readonly phase: string; readonly startTime?: string; readonly conditions?: readonly unknown[] }[]
  }
}

const classic = '/clusters/classic-eu-1'
const upgradePath = `${classic}/apis/upgrade.managed.openshift.io/v1alpha1/namespaces/openshift-managed-upgrade-operator/upgradeconfigs/managed-upgrade-config`

/** How the managed upgrade of the classic cluster goes; undefined while there is none. */
async function upgradeIn(api: Client): Promise<SeenUpgrade | undefined> {
  return api.get(upgradePath).then(
    (found) => found as unknown as SeenUpgrade,
    () => undefined,
  )
}

async function untilPhase(api: Client, phase: RegExp, patience: number): Promise<SeenUpgrade> {
  let seen: SeenUpgrade | undefined
  const isThere = async (): Promise<boolean> => {
    await sleep(200)
    seen = await upgradeIn(api)
    return phase.test(seen?.status?.history?.[0]?.phase ?? '')
  }
  await until(`the upgrade of the classic cluster to be ${phase.source}`, isThere, patience)
  return seen ?? assert.fail('there is no upgrade')
}

interface SeenPool {
  readonly metadata: { readonly name: string }
  readonly status?: { readonly version?: string; readonly replicas?: number }
}

async function poolsIn(api: Client): Promise<ReadonlyMap<string, SeenPool>> {
  const { items } = (await api.get(clusters.replace(/hostedclusters$/, 'nodepools'))) as unknown as { readonly items: readonly SeenPool[] }
  return new Map(items.map((item) => [item.metadata.name, item]))
}

/** `Completed 4.19.12` of the management side and of the guest. */
function newestOf(cluster: Seen | undefined): readonly [management: string, guest: string] {
  const text = (history: readonly Entry[] | undefined): string => `${history?.[0]?.state} ${history?.[0]?.version}`
  return [text(cluster?.status?.controlPlaneVersion?.history), text(cluster?.status?.version?.history)]
}

async function untilAt(api: Client, name: string, management: string, guest = management, patience = 60_000): Promise<void> {
  const isThere = async (): Promise<boolean> => {
    // Whoever looks all the time keeps the fleet from coming up.
    await sleep(200)
    return newestOf((await fleetIn(api)).get(name)).join() === [management, guest].join()
  }
  await until(`${name} to be ${management}, and its guest ${guest}`, isThere, patience)
}

/** Each cluster has been seen where it is to be: newest state of the management side and of the guest. Some stay there for a while only. */
async function untilAllWere(api: Client, wanted: Readonly<Record<string, readonly string[]>>): Promise<void> {
  const left = new Map(Object.entries(wanted))
  const areThere = async (): Promise<boolean> => {
    await sleep(200)
    const fleet = await fleetIn(api)
    for (const [name, states] of left) if (newestOf(fleet.get(name)).join() === states.join()) left.delete(name)
    return left.size === 0
  }
  await until(`all clusters to get to ${JSON.stringify(wanted)}`, areThere, 120_000)
}

describe('windlass up', () => {
  it('runs a fleet; everything that it suggests can be typed as it is printed', { timeout: 180_000 }, async () => {
    const folder = aFolder()
    const up = await start(folder)
    const [setup = '', ...lines] = linesIn(up.said)
    assert.match(setup, /^export KUBECONFIG=/)
    assert.ok(lines.length >= 7, up.said)
    const say = (line: string): Promise<string> => type(folder, setup, line)
    const take = (pattern: RegExp): readonly string[] => lines.filter((line) => pattern.test(line))

    for (const line of take(/get hostedclusters/)) await say(line)
    const steady = ['prod-eu-1', 'prod-us-1', 'prod-ap-1', 'stage-eu-1', 'stage-us-1', 'dev-eu-1']
    const versions = ['4.19.12', '4.20.6', '4.18.19', '4.20.10', '4.21.1', '4.21.3']
    await untilAllWere(up.api, {
      ...Object.fromEntries(steady.map((name, index) => [name, [`Completed ${versions[index]}`, `Completed ${versions[index]}`]])),
      // One is on its way, for a while, one is stuck on it, and only the latter says so.
      'prod-eu-2': ['Partial 4.20.8', 'Completed 4.19.14'],
      'prod-us-2': ['Partial 4.20.8', 'Completed 4.19.14'],
    })
    assert.equal((await fleetIn(up.api)).size, 8)

    // Nodes that are being upgraded wait for somebody; those of another cluster are as old as they may be.
    const blocked = async (): Promise<boolean> => /Deleting/.test(await say(take(/clusters-prod-ap-1 get machines/)[0] ?? ''))
    await until('a machine that cannot be drained', blocked, 90_000)
    for (const line of take(/prod-ap-1-admin-kubeconfig|prod-ap-1\.kubeconfig/)) await say(line)
    assert.match(await say(take(/^npx windlass skew/)[0] ?? ''), /A control plane at 4\.21\.1 would leave behind: prod-us-1-batch/)

    for (const line of take(/patch|controlplanecomponents/)) await say(line)
    const [secret = '', guest = ''] = take(/prod-eu-1\.kubeconfig/)
    await say(secret)
    assert.match(
      await say(guest),
      /clusterversion\.config\.openshift\.io\/version\s+4\.19\.1[25][\s\S]*clusteroperator\.config\.openshift\.io\/dns/,
    )

    await untilPhase(up.api, /Upgrading|Upgraded/, 60_000)
    const [key = '', timeline = '', update = '', configs = ''] = take(/classic-eu-1/)
    await say(key)
    assert.match(await say(timeline), /4\.19\.15[\s\S]*Phase: Upgrad/)
    // Its first steps are checks: the cluster itself is asked to update when they have passed.
    await until('an update of the classic cluster', async () => /4\.19\.15/.test(await say(update)), 90_000)
    assert.match(await say(configs), /managed-upgrade-config +4\.19\.15 +Upgrad/)

    const [pods = '', mend = ''] = take(/clusters-prod-us-2/)
    await until('a Pod that cannot pull its image', async () => /ImagePullBackOff/.test(await say(pods)))
    assert.match(await say(take(/^npx windlass why/)[0] ?? ''), /kube-apiserver[^]*image[^]*cannot be pulled/)
    assert.match(await say(take(/^npx windlass fleet/)[0] ?? ''), /^8 clusters: [^]*clusters\/prod-us-2 +\w+ +4\.19\.14 -> 4\.20\.8/)
    assert.deepEqual(newestOf((await fleetIn(up.api)).get('prod-us-2')), ['Partial 4.20.8', 'Completed 4.19.14'])
    await say(mend)
    await untilAt(up.api, 'prod-us-2', 'Completed 4.20.8')
    await untilAt(up.api, 'prod-eu-1', 'Completed 4.19.15')
    const upgraded = async (): Promise<boolean> => (await poolsIn(up.api)).get('prod-ap-1-workers')?.status?.version === '4.18.19'
    await until('nodes that are upgraded', upgraded, 60_000)

    const { status, err, took } = await up.stop()
    assert.deepEqual([status, err], [0, ''])
    assert.ok(took < 5_000, `it took ${took} ms to end`)
    up.api.close()
  })

  it('goes on with what is there, after Ctrl-C and after a power cut, and never makes the fleet again', { timeout: 240_000 }, async () => {
    const folder = aFolder()
    const first = await start(folder, '--clusters', '1', '--speed', '600')
    await until('the fleet', async () => (await fleetIn(first.api)).size === 1)
    const uid = (await fleetIn(first.api)).get('prod-eu-1')?.metadata.uid
    const pending = await untilPhase(first.api, /Pending|Upgrading/, 40_000)
    await first.kill()
    first.api.close()

    const second = await start(folder, '--clusters', '1', '--speed', '600')
    const begun = await untilPhase(second.api, /Upgrading/, 40_000)
    assert.equal(begun.metadata.uid, pending.metadata.uid)
    assert.deepEqual(await second.stop().then(({ status, err }) => [status, err]), [0, ''])
    second.api.close()

    const third = await start(folder, '--clusters', '3', '--speed', '600')
    await untilAt(third.api, 'prod-eu-1', 'Completed 4.19.12')
    await third.api.merge(`${clusters}/prod-eu-1`, { spec: { release: { image: 'example.com/ocp/release:4.19.15-x86_64' } } })
    await untilAt(third.api, 'prod-eu-1', 'Completed 4.19.15')
    assert.equal((await fleetIn(third.api)).get('prod-eu-1')?.metadata.uid, uid)
    assert.equal((await fleetIn(third.api)).size, 1, 'a fleet is made once')
    const upgraded = await untilPhase(third.api, /Upgraded/, 80_000)
    assert.deepEqual(
      [upgraded.metadata.uid, upgraded.status?.history?.[0]?.startTime, upgraded.status?.history?.[0]?.conditions?.length],
      [begun.metadata.uid, begun.status?.history?.[0]?.startTime, stepConditions.length],
    )
    await third.stop()
    third.api.close()
  })

  it('without controllers leaves the fleet to windlass operator', { timeout: 90_000 }, async () => {
    const folder = aFolder()
    const up = await start(folder, '--clusters', '1', '--controllers', 'none', '--ignition-at', `127.0.0.1:${await freePort()}`)
    const [, line = ''] = linesIn(up.said)
    assert.match(line, /^npx windlass operator --release-catalogue sample --ignition-port \d+$/)
    await until('the fleet', async () => (await fleetIn(up.api)).size === 1)
    assert.equal((await fleetIn(up.api)).get('prod-eu-1')?.status, undefined)
    assert.doesNotMatch(up.said, /classic/)
    const { child, err } = await launch(folder, line.split(' ').slice(2), /runs at/, { KUBECONFIG: kubeconfigIn(folder) })
    await untilAt(up.api, 'prod-eu-1', 'Completed 4.19.12')
    await until('three nodes', async () => (await poolsIn(up.api)).get('prod-eu-1-workers')?.status?.replicas === 3, 60_000)
    child.kill('SIGTERM')
    const [status] = (await once(child, 'close')) as [number | null]
    assert.equal(status, 0, err())
    const upgrade = await upgradeIn(up.api)
    assert.ok(upgrade !== undefined && upgrade.status?.history === undefined, 'nobody runs managed upgrades')
    assert.equal((await up.stop()).status, 0)
    up.api.close()
  })
})

describe('windlass simulator', () => {
  it('makes workloads of any server roll out, and ends when it is asked to', { timeout: 60_000 }, async () => {
    const folder = aFolder()
    const server = await startServer({ directory: folder, args: ['--memory'] })
    const api = client(server)
    const args = ['simulator', '--kubeconfig', server.kubeconfig, '--speed', '1000', '--log-level', 'warn']
    const { child, said, err } = await launch(folder, args, /\n/)
    assert.match(said, /^windlass simulator runs at \S+, at 1000 times the speed of real clusters\n$/)
    const labels = { app: 'web' }
    const template = { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'example.com/web:1' }] } }
    const spec = { replicas: 2, selector: { matchLabels: labels }, template }
    const deployments = '/apis/apps/v1/namespaces/default/deployments'
    await api.create(deployments, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
    const ready = async (): Promise<unknown> =>
      ((await api.get(`${deployments}/web`))['status'] as { readyReplicas?: number }).readyReplicas
    await until('two Pods', async () => (await ready()) === 2)
    child.kill('SIGINT')
    const [status] = (await once(child, 'close')) as [number | null]
    assert.deepEqual([status, err()], [0, ''])
    api.close()
    await server.stop()
  })
})
