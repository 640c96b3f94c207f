import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { systemClock } from '@windlass/core'
import { aContext } from './fixtures.ts'
import { main } from './main.ts'

const folder = mkdtempSync(join(tmpdir(), 'windlass-serve-'))
after(() => rmSync(folder, { recursive: true }))

/** Runs a server in this process. `act` is called at once, while it is starting. */
async function serveWhile(name: string, act: (source: EventEmitter, exits: readonly number[]) => void) {
  const exits: number[] = []
  const source = Object.assign(new EventEmitter(), { exit: (status: number) => void exits.push(status) })
  const { context, said } = aContext(systemClock)
  const args = ['apiserver', '--memory', '--port', '0', '--log-level', 'silent', '--kubeconfig', join(folder, name)]
  const ended = main(args, { ...context, process: source })
  // Handlers are in place once the server's code is loaded.
  while (source.listenerCount('SIGINT') === 0) await systemClock.sleep(5)
  act(source, exits)
  return { status: await ended, exits, left: source.eventNames(), ...said() }
}

describe('a server in the middle of its start', () => {
  it('ends cleanly when a signal comes, and leaves no handler behind', async () => {
    const { status, out, err, exits, left } = await serveWhile('early', (source) => source.emit('SIGTERM'))
    assert.deepEqual({ status, err, exits, left }, { status: 0, err: '', exits: [], left: [] })
    assert.match(out, /^windlass apiserver is ready at https:\/\/127\.0\.0\.1:\d+, kubeconfig in \S+early\n$/)
    assert.ok(readdirSync(folder).includes('early'))
  })

  it('says that it crashed, even when it logs nothing', async () => {
    const { err, exits } = await serveWhile('crash', (source) => {
      source.emit('uncaughtException', new Error('out of luck'))
      source.emit('SIGINT')
    })
    assert.deepEqual(exits, [1])
    assert.match(err, /^windlass: something unexpected happened: out of luck /)
  })
})
