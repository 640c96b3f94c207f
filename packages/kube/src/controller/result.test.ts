import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { done, plan, requeue, requeueAfter, wait } from '../plan/index.ts'
import { closedError } from '../transport/connection-problem.ts'
import { aStoredWidget, Widget } from '../plan/testing/index.ts'
import { TerminalError } from './index.ts'
import { deciding, finished, reconciling, ref, runFor, stage } from './testing/index.ts'

describe('the result of a pass', () => {
  it('N12 done: nothing until something changes', async () => {
    let passes = 0
    const controller = stage(deciding(() => (passes++, done)))
    await runFor(controller, 3_600_000)
    assert.equal(passes, 1)
    assert.deepEqual(finished(controller), ['success 0'])
  })

  it('N12 nothing is decided about an object that is gone', async () => {
    const controller = stage(deciding(() => assert.fail(), { observe: () => undefined }))
    await runFor(controller, 1)
    assert.deepEqual(finished(controller), ['success 0'])
  })

  it('N12 requeueAfter: looks again at that time, though nothing has changed', async () => {
    const times: number[] = []
    const controller = stage(deciding((now) => (times.push(now), requeueAfter(30_000, 'the drain'))))
    const start = controller.clock.now()
    await runFor(controller, 90_000)
    assert.deepEqual(
      times.map((time) => time - start),
      [0, 30_000, 60_000, 90_000],
    )
    assert.equal(finished(controller)[0], 'requeue_after 0')
  })

  it('N12 requeueAfter: a change before that time takes its place', async () => {
    const times: number[] = []
    const controller = stage(deciding((now) => (times.push(now), times.length < 3 ? requeueAfter(30_000) : done)))
    const start = controller.clock.now()
    const run = controller.run()
    controller.runner.trigger(ref)
    await controller.clock.advance(10_000)
    controller.runner.trigger(ref)
    await controller.clock.settle()
    await controller.clock.advance(100_000)
    assert.deepEqual(
      times.map((time) => time - start),
      [0, 10_000, 40_000],
    )
    controller.stop()
    await run
  })

  it('N12 requeueAfter(0) is soon, and holds up nothing else', async () => {
    let passes = 0
    const controller = stage(deciding(() => (passes++, requeueAfter(0))))
    await runFor(controller, 10)
    assert.equal(passes, 11)
  })

  it('N12 requeue: looks again soon, and later each time in a row', async () => {
    const times: number[] = []
    const controller = stage(deciding((now) => (times.push(now), requeue('the load balancer'))))
    const start = controller.clock.now()
    await runFor(controller, 100)
    assert.deepEqual(
      times.map((time) => time - start),
      [0, 5, 15, 35, 75],
    )
    assert.equal(finished(controller)[0], 'requeue 0')
  })

  it('N12 an error is tried again with back-off, and forgotten with the first success', async () => {
    const times: number[] = []
    const controller = stage(
      deciding((now) => {
        times.push(now)
        if (times.length === 4) return requeueAfter(1_000)
        throw new Error('the server is busy')
      }),
    )
    const start = controller.clock.now()
    await runFor(controller, 1_050)
    assert.deepEqual(
      times.map((time) => time - start),
      [0, 5, 15, 35, 1_035, 1_040, 1_050],
    )
    assert.deepEqual(finished(controller).slice(0, 4), ['error 0', 'error 0', 'error 0', 'requeue_after 0'])
    const [message] = controller.messages
    assert.equal(message?.level, 'error')
    assert.match(message.message, /tried again: the server is busy/)
    assert.equal(message.fields['controller'], 'widgets')
    assert.equal(message.fields['name'], 'a')
  })

  it('N12 a connection that this program has closed is a reason to look again, and nobody is told', async () => {
    let passes = 0
    const controller = stage(
      deciding(() => {
        if (++passes === 1) throw closedError('guest.example.com')
        return done
      }),
    )
    await runFor(controller, 1_000)
    assert.deepEqual([passes, finished(controller)], [2, ['requeue 0', 'success 0']])
    assert.ok(controller.messages.every(({ level }) => level === 'debug'))
  })

  it('N12 a delay that was asked for does not count when the pass throws', async () => {
    const times: number[] = []
    const controller = stage(
      deciding((now) => {
        times.push(now)
        // The plan fails on its way: nothing may be sent here.
        const action = { do: 'delete', kind: Widget, object: aStoredWidget('a'), propagation: 'Background', reason: 'a test' } as const
        return plan(action, requeueAfter(3_600_000))
      }),
    )
    controller.cache.put(Widget, aStoredWidget('a'))
    const start = controller.clock.now()
    await runFor(controller, 20)
    assert.deepEqual(
      times.map((time) => time - start),
      [0, 5, 15],
    )
  })

  it('N12 a TerminalError is counted and told, and not tried again', async () => {
    let passes = 0
    const controller = stage(
      deciding(() => {
        passes++
        throw new TerminalError('release 4.21.0 skips 4.20')
      }),
    )
    await runFor(controller, 3_600_000)
    assert.equal(passes, 1)
    assert.ok(controller.counts.includes('widgets terminal error'))
    assert.deepEqual(finished(controller), ['error 0'])
    assert.match(controller.messages[0]?.message ?? '', /waits for the next change: release 4.21.0 skips 4.20/)
  })

  it('N12 a mistake in the code is an error with its stack, counted as a panic', async () => {
    const nothing = undefined as unknown as { readonly phase: string }
    for (const mistake of [
      () => wait(nothing.phase),
      () => {
        // oxlint-disable-next-line no-throw-literal, typescript/only-throw-error
        throw 'a text'
      },
    ]) {
      const controller = stage(deciding(mistake))
      await runFor(controller, 5)
      assert.equal(controller.counts.filter((count) => count === 'widgets panicked').length, 2)
      assert.deepEqual(finished(controller), ['error 0', 'error 0'])
      const error = controller.messages[0]?.fields['err']
      assert.ok(error instanceof Error && error.stack !== undefined)
    }
  })

  it('N12 a pass that takes too long is aborted by its signal, counted, and tried again', async () => {
    let passes = 0
    const controller = stage(
      reconciling(
        async ({ clock, signal }) => {
          passes++
          await clock.sleep(passes === 1 ? 3_600_000 : 0, signal)
          return done
        },
        { timeout: 30_000 },
      ),
    )
    await runFor(controller, 30_006)
    assert.equal(passes, 2)
    assert.ok(controller.counts.includes('widgets timed out'))
    assert.deepEqual(finished(controller), ['error 30', 'success 0'])
    assert.match(controller.messages[0]?.message ?? '', /took longer than 30 s/)
    assert.equal(controller.clock.pending, 0)
  })

  it('N12 a pass that goes on although its time is over sends nothing any more', async () => {
    const controller = stage(
      reconciling(
        async ({ clock, signal }) => {
          assert.ok(!signal.aborted)
          await clock.sleep(2_000)
          return plan({ do: 'delete', kind: Widget, object: aStoredWidget('a'), propagation: 'Background', reason: 'a test' })
        },
        { timeout: 1_000 },
      ),
    )
    await runFor(controller, 2_000)
    assert.deepEqual(finished(controller), ['error 2'])
    assert.ok(controller.counts.includes('widgets timed out'))
  })

  it('N20 the history of an object says what happened to it', async () => {
    const controller = stage(deciding(() => requeueAfter(60_000, 'the machine to join')))
    await runFor(controller, 120_000)
    assert.deepEqual(
      controller.runner.history.of(ref).map(({ result, times, waitingFor }) => ({ result, times, waitingFor })),
      [{ result: 'requeue_after', times: 3, waitingFor: 'the machine to join' }],
    )
    assert.equal(controller.runner.kind, Widget)
  })
})
