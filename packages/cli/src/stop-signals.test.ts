import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { listenForStop } from './stop-signals.ts'

function aProcess(): { source: EventEmitter & { exit(status: number): void }; exits: number[] } {
  const exits: number[] = []
  return { source: Object.assign(new EventEmitter(), { exit: (status: number) => void exits.push(status) }), exits }
}

describe('signals that ask for the end', () => {
  for (const [signal, status] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`the first ${signal} asks for a clean end, the second one ends at once with ${status}`, async () => {
      const clock = new VirtualClock()
      const { source, exits } = aProcess()
      const stop = listenForStop(source, clock)
      source.emit(signal)
      assert.equal(await stop.received, signal)
      assert.deepEqual(exits, [])
      await clock.advance(1000)
      source.emit(signal)
      assert.deepEqual(exits, [status])
    })
  }

  it('a signal that npm repeats gives the clean end its time', async () => {
    const clock = new VirtualClock()
    const { source, exits } = aProcess()
    listenForStop(source, clock)
    source.emit('SIGINT')
    await clock.advance(5)
    source.emit('SIGINT')
    assert.deepEqual(exits, [])
    await clock.advance(1000)
    assert.deepEqual(exits, [130])
  })

  it('nothing is left behind when the end was clean', async () => {
    const clock = new VirtualClock()
    const { source, exits } = aProcess()
    const stop = listenForStop(source, clock)
    source.emit('SIGINT')
    source.emit('SIGINT')
    stop.ignore()
    await clock.advance(1000)
    assert.deepEqual(exits, [])
    assert.deepEqual([clock.pending, source.eventNames()], [0, []])
  })
})
