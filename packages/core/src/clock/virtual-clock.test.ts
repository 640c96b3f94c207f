import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { seededRandom } from '../random/seeded-random.ts'
import { VirtualClock } from './virtual-clock.ts'

const orderOfTies = async (seed: number): Promise<string> => {
  const clock = new VirtualClock({ ties: seededRandom(seed) })
  const log: number[] = []
  for (let index = 0; index < 20; index++) clock.after(7, () => log.push(index))
  await clock.advance(7)
  return log.join()
}

describe('a virtual clock', () => {
  it('stands still until it is moved', async () => {
    const clock = new VirtualClock({ start: 1000 })
    let fired = false
    clock.after(1, () => (fired = true))
    await clock.settle()
    assert.equal(clock.now(), 1000)
    assert.equal(fired, false)
  })

  it('stops at every timer on the way and ends where it was told to', async () => {
    const clock = new VirtualClock({ start: 0 })
    const seen: number[] = []
    for (const delay of [30, 10, 20, 45]) clock.after(delay, () => seen.push(clock.now()))
    await clock.advance(40)
    assert.deepEqual(seen, [10, 20, 30])
    assert.equal(clock.now(), 40)
    assert.equal(clock.monotonic(), 40)
    assert.equal(clock.pending, 1)
    assert.equal(clock.nextDue, 45)
  })

  it('lets everything that a timer set off run before the next timer fires', async () => {
    const clock = new VirtualClock({ start: 0 })
    const log: string[] = []
    clock.after(1, () => {
      void (async () => {
        for (let turn = 0; turn < 50; turn++) await Promise.resolve()
        log.push('chain of the first')
      })()
    })
    clock.after(1, () => log.push('second'))
    await clock.advance(1)
    assert.deepEqual(log, ['chain of the first', 'second'])
  })

  it('sees timers that are set by promises that have not run yet', async () => {
    const clock = new VirtualClock({ start: 0 })
    const program = (async () => {
      await clock.sleep(5)
      await clock.sleep(5)
      return clock.now()
    })()
    assert.equal(await clock.runUntilIdle(), 2)
    assert.equal(await program, 10)
  })

  it('fires timers of one instant in the order they were set', async () => {
    const clock = new VirtualClock()
    const log: number[] = []
    for (let index = 0; index < 20; index++) clock.after(7, () => log.push(index))
    await clock.advance(7)
    assert.deepEqual(log, Array.from({ length: 20 }).keys().toArray())
  })

  it('shuffles timers of one instant by its seed, the same way every time', async () => {
    assert.equal(await orderOfTies(1), await orderOfTies(1))
    assert.notEqual(await orderOfTies(1), await orderOfTies(2))
  })

  it('does not fire a cancelled timer, and cancelling twice or late does nothing', async () => {
    const clock = new VirtualClock()
    let fired = 0
    const cancel = clock.after(5, () => fired++)
    const late = clock.after(1, () => fired++)
    cancel()
    cancel()
    assert.equal(clock.pending, 1)
    await clock.advance(10)
    late()
    assert.equal(fired, 1)
    assert.equal(clock.pending, 0)
  })

  it('wakes a sleeper with the reason of the signal that aborts it, leaving no timer behind', async () => {
    const clock = new VirtualClock()
    const controller = new AbortController()
    const sleep = clock.sleep(1000, controller.signal)
    controller.abort(new Error('shutting down'))
    await assert.rejects(sleep, /shutting down/)
    assert.equal(clock.pending, 0)
    await assert.rejects(clock.sleep(1, controller.signal), /shutting down/)
  })

  it('steps one timer at a time and says when there was none', async () => {
    const clock = new VirtualClock({ start: 0 })
    clock.after(3, () => {})
    assert.equal(await clock.step(), true)
    assert.equal(clock.now(), 3)
    assert.equal(await clock.step(), false)
  })

  it('gives up on a program that is never idle and says what to do', async () => {
    const clock = new VirtualClock()
    const again = (): void => void clock.after(1000, again)
    again()
    await assert.rejects(clock.runUntilIdle({ limit: 10 }), /still 1 timers after 10 steps.*use advance/)
  })

  it('runs until something is true, or until the time is up', async () => {
    const clock = new VirtualClock({ start: 0 })
    let ticks = 0
    const tick = (): void => void clock.after(10, () => (ticks++, tick()))
    tick()
    assert.equal(await clock.advanceUntil(() => ticks === 3, 1000), true)
    assert.equal(clock.now(), 30)
    assert.equal(await clock.advanceUntil(() => false, 25), false)
    assert.equal(clock.now(), 55)
  })

  it('refuses to be moved by two at once, and to go back', async () => {
    const clock = new VirtualClock({ start: 100 })
    const first = clock.advance(1)
    await assert.rejects(clock.advance(1), /being moved already/)
    await first
    assert.throws(() => clock.advanceTo(50), /time does not go back/)
  })

  it('fires any mix of timers in order of time, cancelled ones never', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.record({ delay: fc.nat(50), isCancelled: fc.boolean() }), { maxLength: 200 }), async (timers) => {
        const clock = new VirtualClock({ start: 0 })
        const fired: { at: number; index: number }[] = []
        const cancels = timers.map(({ delay }, index) => clock.after(delay, () => fired.push({ at: clock.now(), index })))
        for (const [index, { isCancelled }] of timers.entries()) if (isCancelled) cancels[index]?.()
        const kept = timers.flatMap(({ delay, isCancelled }, index) => (isCancelled ? [] : [{ at: delay, index }]))
        assert.equal(clock.pending, kept.length)
        await clock.runUntilIdle()
        assert.deepEqual(
          fired,
          kept.sort((a, b) => a.at - b.at || a.index - b.index),
        )
      }),
      { numRuns: 30 },
    )
  })
})
