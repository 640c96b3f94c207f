/**
 * Why clusters of the sample fleet wait, as people ask it: `windlass up`, `windlass why`, and the commands that it names typed into a shell with the real kubectl.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CauseLink, WhyView } from '@windlass/fleet'
import { temporaryFolder, windlass } from './support/windlass.ts'

const folder = temporaryFolder()
const kubeconfig = join(folder, '.windlass', 'data', 'kubeconfig')
/** With a home of its own, so that it finds no other clusters than these. */
const env = { PATH: process.env['PATH'] ?? '', HOME: folder, KUBECONFIG: kubeconfig }

let server: ChildProcess | undefined

/** The first five clusters, among them the two that wait; a hundred times as fast as real ones. */
before(async () => {
  const child = spawn(process.execPath, [windlass, 'up', '--port', '0', '--speed', '100', '--clusters', '5'], {
    cwd: folder,
    env: { ...env, KUBECONFIG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  server = child
  let [said, complaints] = ['', '']
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => /Ctrl-C ends it/.test((said += chunk.toString())) && resolve())
    child.once('close', (status) => reject(new Error(`windlass up ended with status ${status}: ${complaints}`)))
  })
})

after(async () => {
  if (server !== undefined && server.exitCode === null && server.signalCode === null) {
    server.kill('SIGKILL')
    await once(server, 'close')
  }
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a line in bash, and gives what it printed. */
async function type(line: string): Promise<string> {
  const shell = spawn('bash', ['-c', line], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let [printed, complaints] = ['', '']
  shell.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  shell.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString()))
  const [status] = (await once(shell, 'close')) as [number | null]
  assert.equal(status, 0, `${line}\n${printed}${complaints}`)
  return printed
}

const ask = (cluster: string, ...flags: readonly string[]): Promise<string> =>
  type([`'${process.execPath}' '${windlass}' why`, cluster, ...flags].join(' '))

/** Asks until the root of the first chain has this reason for a second at least: a cause that was just found has no age to tell yet. */
async function whyUntil(cluster: string, reason: string): Promise<WhyView> {
  const end = performance.now() + 240_000
  for (let last = ''; ; await sleep(1000)) {
    const view = JSON.parse((last = await ask(cluster, '-o json'))) as WhyView
    const found = view.chains[0]?.links.at(-1)?.reason === reason
    if (found && view.verdict.includes(' has waited for ')) return view
    if (performance.now() > end) throw new Error(`waited in vain for ${cluster} to wait because of ${reason}:\n${last}`)
  }
}

const kindsOf = (links: readonly CauseLink[] = []): readonly string[] => links.map(({ object }) => object.kind)

describe('windlass why', { timeout: 600_000 }, () => {
  it('leads from a stalled upgrade to the Pod whose image cannot be pulled, with a command that shows it', async () => {
    const view = await whyUntil('prod-us-2', 'ImagePullBackOff')
    const [first] = view.chains
    assert.deepEqual(kindsOf(first?.links), ['HostedCluster', 'ControlPlaneComponent', 'Deployment', 'Pod'])
    assert.match(
      view.verdict,
      /^The upgrade to 4\.20\.8 has waited for .* for kube-apiserver: the image of container .* cannot be pulled: /,
    )
    assert.deepEqual(view.unknown, [])
    assert.match(await type(first?.command ?? ''), /ImagePullBackOff/)
    assert.ok((await ask('prod-us-2')).includes(view.verdict.slice(0, 30)), 'people are told the same')
  })

  it('leads from a pool through machine, node and Pod to the budget that allows no disruption, in the guest', async () => {
    const view = await whyUntil('prod-ap-1', 'NeverAllowsDisruption')
    const [first] = view.chains
    assert.deepEqual(kindsOf(first?.links), ['HostedCluster', 'NodePool', 'Machine', 'Node', 'Pod', 'PodDisruptionBudget'])
    assert.match(
      view.verdict,
      /^Node pool prod-ap-1-workers has waited for .* for PodDisruptionBudget shop\/checkout: it allows no disruption/,
    )
    assert.deepEqual(view.unknown, [])
    assert.match(await type(first?.command ?? ''), /Name: +checkout/)
  })

  it('says of a cluster that rests that it waits for nothing', async () => {
    const end = performance.now() + 240_000
    let text = await ask('prod-eu-1')
    while (!text.includes('waits for nothing: its control plane runs 4.19.12')) {
      assert.ok(performance.now() < end, `waited in vain for prod-eu-1 to rest:\n${text}`)
      await sleep(1000)
      text = await ask('prod-eu-1')
    }
  })
})
