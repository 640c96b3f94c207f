import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Clock, VirtualClock } from '@windlass/core'
import { Breather } from './breather.ts'

/** A clock on which every piece of work takes some milliseconds, and waiting none. */
class WorkClock extends VirtualClock implements Clock {
  #worked = 0
  breaths = 0

  work(milliseconds: number): void {
    this.#worked += milliseconds
  }

  override monotonic(): number {
    return this.#worked
  }

  override sleep(): Promise<void> {
    this.breaths++
    this.#worked += 1000
    return Promise.resolve()
  }
}

test('N4 others get a turn after some milliseconds of work, and time in which nothing was done does not count', async () => {
  const clock = new WorkClock()
  const breather = new Breather(clock)
  for (let piece = 0; piece < 30; piece++) {
    await breather.work(() => clock.work(1))
    clock.work(500)
  }
  assert.equal(clock.breaths, 3)
})

test('N4 in virtual time nobody waits, however much there is to do', async () => {
  const clock = new VirtualClock()
  const breather = new Breather(clock)
  for (let piece = 0; piece < 100; piece++) await breather.work(() => {})
  assert.equal(clock.pending, 0)
})
