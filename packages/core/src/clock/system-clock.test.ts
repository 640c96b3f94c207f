import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { systemClock } from './system-clock.ts'

describe('the system clock', () => {
  it('sleeps, and measures what it slept', async () => {
    const start = systemClock.monotonic()
    await systemClock.sleep(2)
    assert.ok(systemClock.monotonic() - start >= 1)
    assert.ok(systemClock.now() > Date.UTC(2024, 0))
  })

  it('cancels a timer', async () => {
    let fired = false
    systemClock.after(1, () => (fired = true))()
    await systemClock.sleep(3)
    assert.equal(fired, false)
  })

  it('waits longer than setTimeout can', () => {
    const delays: (number | undefined)[] = []
    const timeout = mock.method(globalThis, 'setTimeout', (_fire: () => void, delay?: number) => {
      delays.push(delay)
      return { [Symbol.toPrimitive]: () => 0 }
    })
    try {
      systemClock.after(40 * 24 * 3600 * 1000, () => {})
    } finally {
      timeout.mock.restore()
    }
    assert.deepEqual(delays, [2 ** 31 - 1])
  })
})
