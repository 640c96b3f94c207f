import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { done, type Plan } from '../plan/index.ts'
import type { Source } from './definition.ts'
import { deciding, finished, reconciling, ref, runFor, stage } from './testing/index.ts'

describe('start and stop', () => {
  it('N4 nothing is looked at before the caches are filled', async () => {
    let passes = 0
    const controller = stage(deciding(() => (passes++, done)))
    controller.cache.hasSynced = false
    const run = controller.run()
    controller.runner.trigger(ref)
    await controller.clock.advance(60_000)
    assert.equal(passes, 0)
    controller.cache.hasSynced = true
    controller.cache.catchUp()
    await controller.clock.settle()
    assert.equal(passes, 1)
    controller.stop()
    await run
    assert.equal(controller.clock.pending, 0)
  })

  it('N4 caches that are not filled within 2 min end the run, by name', async () => {
    const controller = stage(deciding(() => done))
    controller.cache.hasSynced = false
    const failed = assert.rejects(controller.run(), {
      name: 'CacheSyncError',
      message: /controller widgets: not filled within 120 s: widgets\.test\.windlass\.dev \(forbidden\)/,
    })
    await controller.clock.advance(120_000)
    await failed
  })

  it('N4 a stop while the caches are being filled is no error', async () => {
    const controller = stage(deciding(() => done))
    controller.cache.hasSynced = false
    const run = controller.run()
    await controller.clock.advance(10_000)
    controller.stop()
    await run
    assert.equal(controller.clock.pending, 0)
  })

  it('N14 a stop aborts what runs with its reason, begins nothing new, and waits', async () => {
    const reasons: unknown[] = []
    let passes = 0
    const controller = stage(
      reconciling(async ({ clock, signal }) => {
        passes++
        await assert.rejects(clock.sleep(3_600_000, signal))
        reasons.push(signal.reason)
        await clock.sleep(500)
        throw new Error('interrupted')
      }),
    )
    const run = controller.run()
    let hasEnded = false
    const ended = run.then(() => (hasEnded = true))
    for (const name of ['a', 'b']) controller.runner.trigger({ name })
    await controller.clock.advance(1_000)
    const lost = new Error('leadership was lost')
    controller.stop(lost)
    await controller.clock.advance(499)
    assert.ok(!hasEnded)
    await controller.clock.advance(1)
    await ended
    assert.deepEqual(reasons, [lost])
    assert.equal(passes, 1)
    assert.deepEqual(finished(controller), ['requeue 1.5'])
    assert.deepEqual(
      controller.messages.map(({ level }) => level),
      ['debug'],
    )
    assert.equal(controller.clock.pending, 0)
  })

  it('N14 what runs hears of a stop before sources end, which may take along what it works with', async () => {
    let takeAway = (): void => {}
    const works = (): Promise<Plan> => new Promise((_, reject) => (takeAway = () => reject(new Error('the connection was closed'))))
    const source: Source = async function* ({ clock, signal }) {
      yield ref
      await clock.sleep(3_600_000, signal).catch(() => undefined)
      takeAway()
    }
    const controller = stage(reconciling(works, { sources: [source] }))
    const run = controller.run()
    await controller.clock.advance(1_000)
    controller.stop()
    await run
    assert.deepEqual(finished(controller), ['requeue 1'])
    assert.deepEqual(
      controller.messages.map(({ level }) => level),
      ['debug'],
    )
  })

  it('N19 runs once', async () => {
    const controller = stage(deciding(() => done))
    await runFor(controller, 1)
    await assert.rejects(controller.run(), /has run already/)
  })
})
