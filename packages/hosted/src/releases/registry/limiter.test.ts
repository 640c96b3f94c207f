import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { Limiter } from './limiter.ts'

const never = new AbortController().signal

describe('a limiter', () => {
  it('lets so many run at once for each key, and the others in the order they came', async () => {
    const clock = new VirtualClock({ start: 0 })
    const limiter = new Limiter(2)
    const log: string[] = []
    const work = (key: string, name: string): Promise<void> =>
      limiter.run(key, never, async () => {
        log.push(`${name} at ${clock.now()}`)
        await clock.sleep(10)
      })
    const all = [work('a', 'a1'), work('a', 'a2'), work('a', 'a3'), work('b', 'b1'), work('a', 'a4'), work('a', 'a5')]
    await clock.runUntilIdle()
    await Promise.all(all)
    assert.deepEqual(log, ['a1 at 0', 'a2 at 0', 'b1 at 0', 'a3 at 10', 'a4 at 10', 'a5 at 20'])
  })

  it('hands the place on when the work fails', async () => {
    const limiter = new Limiter(1)
    const failing = limiter.run('a', never, () => Promise.reject(new Error('failed')))
    const next = limiter.run('a', never, () => Promise.resolve('done'))
    await assert.rejects(failing, /failed/)
    assert.equal(await next, 'done')
  })

  it('lets go of who is aborted in line, and of nobody else', async () => {
    const clock = new VirtualClock({ start: 0 })
    const limiter = new Limiter(1)
    const control = new AbortController()
    const first = limiter.run('a', never, () => clock.sleep(10))
    const second = limiter.run('a', control.signal, () => Promise.resolve())
    const third = limiter.run('a', never, () => Promise.resolve('third'))
    control.abort(new Error('left'))
    await assert.rejects(second, /left/)
    await clock.runUntilIdle()
    await first
    assert.equal(await third, 'third')
    await assert.rejects(
      limiter.run('a', control.signal, () => Promise.resolve()),
      /left/,
    )
  })
})
