import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { memoryGiver } from './operator-memory.ts'

describe('memory that was needed for the start', () => {
  it('is given back once, when everything was looked at', async () => {
    const clock = new VirtualClock()
    let isIdle = false
    let given = 0
    const run = memoryGiver(
      clock,
      () => isIdle,
      () => given++,
    ).run(new AbortController().signal)
    await clock.advance(60_000)
    assert.equal(given, 0)
    isIdle = true
    await clock.advance(5_000)
    await run
    await clock.advance(60_000)
    assert.equal(given, 1)
  })

  it('is left alone when the process stops before that', async () => {
    const clock = new VirtualClock()
    const stop = new AbortController()
    const run = memoryGiver(
      clock,
      () => false,
      () => assert.fail('it is too late for that'),
    ).run(stop.signal)
    await clock.advance(7_000)
    stop.abort()
    await run
  })

  it('is collected by V8 itself', async () => {
    const clock = new VirtualClock()
    const run = memoryGiver(clock, () => true).run(new AbortController().signal)
    await clock.advance(5_000)
    await run
  })
})
