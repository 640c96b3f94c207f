import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { aContext } from '../fixtures.ts'
import { main } from '../main.ts'
import { situationNamed } from './status/golden/situations.ts'

/** A command that watches a folder; what is in the folder can be changed meanwhile. */
function aWatch(options: { readonly isTerminal: boolean }) {
  const folder = mkdtempSync(join(tmpdir(), 'windlass-watch-'))
  const clock = new VirtualClock()
  const signals = Object.assign(new EventEmitter(), { exit: () => {} })
  const { context, said } = aContext(clock)
  const terminal = options.isTerminal ? { terminal: { columns: 200, rows: 60 } } : {}
  const world = { ...context, process: signals, output: { ...context.output, ...terminal } }
  return {
    clock,
    said,
    show: (name: string): void => copyFileSync(join(situationNamed(name).folder, 'input.yaml'), join(folder, 'input.yaml')),
    breakIt: (): void => writeFileSync(join(folder, 'input.yaml'), 'a: ['),
    start: (...args: readonly string[]): Promise<number> => main(['status', '--from', folder, '--watch', ...args], world),
    interrupt: (): void => void signals.emit('SIGINT'),
    listeners: (): number => signals.listenerCount('SIGINT'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  }
}

const escape = '\u001B'

/** Loading what the command needs takes real time, once. */
await import('./show-status.ts')

describe('windlass status --watch', () => {
  it('draws in the same place, with bars, until Ctrl-C, and ends with what it saw last', async () => {
    using watch = aWatch({ isTerminal: true })
    watch.show('late')
    const ended = watch.start('--at', '2025-06-27T12:32:00Z')
    await watch.clock.advance(1000)
    assert.match(watch.said().out, /Completion: {6}██████████████████░░ 90% \(30 operators updated/)
    assert.match(watch.said().out, /worker {8}Pending {6}░{20} 0% \(0\/3\)/)
    assert.ok(!watch.said().out.includes(escape))
    watch.show('failing')
    await watch.clock.advance(5000)
    assert.ok(watch.said().out.includes(`${escape}[28A${escape}[J= Control Plane =\nAssessment:      Degraded`))
    watch.interrupt()
    await watch.clock.advance(10_000)
    assert.equal(await ended, 2)
    assert.equal(watch.listeners(), 0)
  })

  it('writes to a file only what has changed, without bars, as often as it is told', async () => {
    using watch = aWatch({ isTerminal: false })
    watch.show('not-updating')
    const ended = watch.start('--interval', '1m')
    await watch.clock.advance(10 * 60_000)
    assert.equal(watch.said().out, 'The cluster is not updating.\n')
    watch.show('late')
    await watch.clock.advance(59_000)
    watch.interrupt()
    assert.equal(await ended, 0)
    assert.ok(!watch.said().out.includes(escape) && !watch.said().out.includes('█'))
  })

  it('outlives a moment at which nothing can be read, but not a bad start', async () => {
    using watch = aWatch({ isTerminal: false })
    watch.breakIt()
    assert.equal(await watch.start(), 1)
    assert.match(watch.said().err, /input\.yaml cannot be read: it is no YAML/)
    watch.show('not-updating')
    const ended = watch.start()
    await watch.clock.advance(1000)
    watch.breakIt()
    await watch.clock.advance(5000)
    assert.match(watch.said().out, /^The cluster is not updating\.\n\nThe cluster could not be read: .*it is no YAML/)
    watch.show('not-updating')
    await watch.clock.advance(5000)
    watch.interrupt()
    assert.equal(await ended, 0)
    assert.match(watch.said().out, /no YAML.*\n\nThe cluster is not updating\.\n$/)
  })
})
