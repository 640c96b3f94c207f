import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { command } from '../scripts/tools/command.ts'
import { aCheckout, surroundings } from './docs/shell.ts'
import { documents, fencedBlocks, read, stepsOf } from './docs/snippets.ts'
import { windlass } from './support/windlass.ts'

/**
 * Guides are read with the sample fleet at hand. What their commands print depends on when they are typed, so that it is not compared; but every command must
 * do what it is there for, and say something.
 */
const guides = documents.filter((document) => document.startsWith('docs/guides/'))

/** Readers have three minutes for something to stall, tests have not. */
const withoutPatience = (line: string): string => line.replace('--stalled-after 3m', '--stalled-after 1s')

describe('commands of guides', { timeout: 240_000 }, () => {
  const { folder, remove } = aCheckout()
  const env = { ...surroundings(folder), KUBECONFIG: join(folder, '.windlass/data/kubeconfig') }
  // npx would find the same command, a second later each time.
  const shell = (line: string): ReturnType<typeof command> => command('bash', ['-c', `npx() { "$@"; }\n${line}`], folder, env)
  const laptop = spawn(process.execPath, [windlass, 'up', '--port', '0', '--dashboard-port', '0', '--speed', '60'], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })

  before(async () => {
    await once(laptop.stdout, 'data')
    laptop.stdout.resume()
    // What the guides look at is there, and the two that are in trouble have got into it.
    for (const what of [
      `timeout 60 bash -c 'until [ "$(kubectl get hostedclusters -A -o name | wc -l)" = 8 ]; do sleep 1; done'`,
      `kubectl wait -n clusters hostedcluster --all --for=jsonpath='{.status.version.history[-1].state}'=Completed --timeout=120s`,
      `kubectl wait -n clusters hostedcluster/prod-us-2 --for=jsonpath='{.status.controlPlaneVersion.history[0].state}'=Partial --timeout=60s`,
    ]) {
      const { status, stderr } = await shell(what)
      assert.equal(status, 0, stderr)
    }
  })
  after(async () => {
    laptop.kill('SIGINT')
    await once(laptop, 'exit')
    remove()
  })

  it('are there', () => assert.equal(guides.length, 3))

  for (const guide of guides) {
    const steps = fencedBlocks(read(guide))
      .filter(({ language }) => language === 'console')
      .flatMap(stepsOf)
    it(`${guide} can be typed as they stand there`, async () => {
      assert.ok(steps.length > 0)
      for (const { command: line } of steps) {
        const { status, stdout, stderr } = await shell(withoutPatience(line))
        assert.deepEqual({ line, status, complaints: stderr }, { line, status: 0, complaints: '' })
        assert.notEqual(stdout.trim(), '', `${line} said nothing`)
        if (line.includes('--stalled')) assert.match(stdout, /\nclusters\/prod-us-2 +Stalled /)
      }
    })
  }
})
