import { spawn } from 'node:child_process'
import { existsSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import assert from 'node:assert/strict'
import { type RunningServer, startServer, windlass } from './support/windlass.ts'
import { client } from './support/client.ts'

/**
 * What a real kube-apiserver answered to hundreds of scripted conversations, compared with what this one answers. The recordings are
 * not part of the project: where the folder is missing there is nothing to compare with.
 */
const folder = join(import.meta.dirname, '../../shared/recorded-api')
const isHere = existsSync(join(folder, 'replay.mjs'))
// The program only runs when it is started by the name it has on disk.
const recordings = isHere ? realpathSync(folder) : folder

const tokens = 'dev-token,dev,dev-uid\nalice-token,alice,alice-uid,"devs,ops"\nbob-token,bob,bob-uid\n'

interface Outcome {
  readonly id: string
  readonly title: string
  readonly requires: readonly string[]
  readonly outcome: string
}

/** Replays everything and gives the scenarios that did not pass, without those that real servers get wrong themselves. */
async function replay(server: RunningServer, url: string): Promise<readonly string[]> {
  const ca = join(server.directory, 'ca.crt')
  writeFileSync(ca, server.ca)
  const args = ['--server', url, '--ca', ca, '--token', server.token, '--json']
  for (const user of ['dev', 'alice', 'bob']) args.push('--token-user', `${user}=${user}-token`)
  args.push('--compact-command', `${process.execPath} ${windlass} compact --kubeconfig ${server.kubeconfig}`)
  const child = spawn(process.execPath, [join(recordings, 'replay.mjs'), ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
  const status = await new Promise((resolve) => child.once('close', resolve))
  assert.notEqual(output, '', `the replay ended with status ${String(status)}: ${errors}`)
  const { scenarios: results } = JSON.parse(output) as { scenarios: readonly Outcome[] }
  assert.ok(results.length > 700, `only ${results.length} scenarios ran`)
  return results
    .filter(({ outcome, requires }) => outcome !== 'passed' && !requires.includes('quirk'))
    .map(({ id, outcome, title }) => `${id} ${outcome}: ${title}`)
}

describe('answers are those of a real kube-apiserver', { skip: isHere ? false : 'the recordings are not here', concurrency: true }, () => {
  for (const args of [['--memory'], ['--engine', 'lmdb'], ['--engine', 'sqlite']]) {
    it(`with ${args.join(' ')}`, async () => {
      const server = await startServer({ args, tokens })
      try {
        assert.deepEqual(await replay(server, server.server), [])
      } finally {
        await server.stop()
      }
    })
  }

  it('in a logical cluster', async () => {
    const server = await startServer({ args: ['--memory'], tokens })
    try {
      await client(server).create('/apis/windlass.dev/v1alpha1/logicalclusters', {
        apiVersion: 'windlass.dev/v1alpha1',
        kind: 'LogicalCluster',
        metadata: { name: 'a' },
        spec: {},
      })
      assert.deepEqual(await replay(server, `${server.server}/clusters/a`), [])
    } finally {
      await server.stop()
    }
  })
})
