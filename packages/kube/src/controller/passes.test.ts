import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { currentReconcile } from '../context.ts'
import { done, type Plan, plan, requeue, requeueAfter, wait } from '../plan/index.ts'
import { aStoredWidget, Widget } from '../plan/testing/index.ts'
import { type AsyncControllerDefinition, type ControllerDefinition, type ReconcileContext, TerminalError } from './index.ts'
import { stage, type Stage } from './testing/index.ts'

const ref = { namespace: 'default', name: 'a' }

/** A controller whose decision is the test's, made again and again. */
function deciding(
  decide: (now: number) => Plan,
  parts: Partial<ControllerDefinition<Widget, true>> = {},
): ControllerDefinition<Widget, true> {
  return { name: 'widgets', for: Widget, observe: () => true, decide: (_, now) => decide(now), ...parts }
}

function reconciling(
  reconcile: (context: ReconcileContext, name: string) => Promise<Plan>,
  parts: Partial<AsyncControllerDefinition<Widget>> = {},
): AsyncControllerDefinition<Widget> {
  return { name: 'widgets', for: Widget, reconcile: ({ name }, context) => reconcile(context, name), ...parts }
}

/** Runs it with one object to look at, for so long. */
async function runFor(controller: Stage, milliseconds: number): Promise<void> {
  const run = controller.run()
  controller.runner.trigger(ref)
  await controller.clock.advance(milliseconds)
  controller.stop()
  await run
}

const finished = ({ counts }: Stage): readonly string[] =>
  counts.filter((count) => count.includes('finished')).map((count) => count.slice('widgets finished '.length))

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

describe('passes side by side', () => {
  /** Passes that end when the test says so. */
  function gate() {
    const running = new Map<string, () => void>()
    let most = 0
    const definition = reconciling((_, name) => {
      const ended = new Promise<Plan>((resolve) => running.set(name, () => resolve(done)))
      most = Math.max(most, running.size)
      return ended
    })
    const end = (name: string): void => {
      running.get(name)?.()
      running.delete(name)
    }
    return { definition, running, end, most: () => most }
  }

  it('N13 one at a time unless told', async () => {
    const { definition, running, end } = gate()
    const controller = stage(definition)
    const run = controller.run()
    for (const name of ['a', 'b', 'c']) controller.runner.trigger({ name })
    await controller.clock.settle()
    assert.deepEqual([...running.keys()], ['a'])
    end('a')
    await controller.clock.settle()
    assert.deepEqual([...running.keys()], ['b'])
    for (const name of ['b', 'c']) {
      end(name)
      await controller.clock.settle()
    }
    controller.stop()
    await run
  })

  it('N13 as many as it may, changed while it runs', async () => {
    const { definition, running, end } = gate()
    const controller = stage({ ...definition, maxConcurrent: 2 })
    const run = controller.run()
    for (let index = 0; index < 10; index++) controller.runner.trigger({ name: `w${index}` })
    await controller.clock.settle()
    assert.equal(running.size, 2)
    controller.runner.setMaxConcurrent(5)
    await controller.clock.settle()
    assert.equal(running.size, 5)
    controller.runner.setMaxConcurrent(1)
    for (const name of ['w0', 'w1', 'w2', 'w3']) end(name)
    await controller.clock.settle()
    assert.deepEqual([...running.keys()], ['w4'])
    assert.deepEqual(
      controller.counts.filter((count) => count.includes('workers')),
      ['widgets has 2 workers', 'widgets has 5 workers', 'widgets has 1 workers'],
    )
    assert.throws(() => controller.runner.setMaxConcurrent(0), /at least one/)
    controller.stop()
    for (const name of running.keys()) end(name)
    await run
  })

  it('N8 10,000 changes of one object during one pass cause exactly one more', async () => {
    let passes = 0
    const ends: (() => void)[] = []
    const controller = stage(
      reconciling(() => {
        passes++
        return new Promise((resolve) => ends.push(() => resolve(done)))
      }),
    )
    const run = controller.run()
    controller.cache.put(Widget, aStoredWidget('a'))
    await controller.clock.settle()
    for (let version = 2; version < 10_002; version++) {
      controller.cache.put(Widget, aStoredWidget('a', { metadata: { resourceVersion: String(version) } }))
    }
    for (let round = 0; round < 3; round++) {
      ends.shift()?.()
      await controller.clock.settle()
    }
    assert.equal(passes, 2)
    controller.stop()
    await run
  })

  it('N9 a tenant with much to do does not hold up the others, and has no more running than it may', async () => {
    const { definition, running } = gate()
    const controller = stage({ ...definition, maxConcurrent: 4, tenant: ({ name }) => name.slice(0, 1), maxConcurrentPerTenant: 2 })
    const run = controller.run()
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1']) controller.runner.trigger({ name })
    await controller.clock.settle()
    assert.deepEqual([...running.keys()], ['a1', 'b1', 'a2'])
    controller.stop()
    for (const end of running.values()) end()
    await run
  })

  it('N13 each pass has an id in the context of everything it sets off, and none outside', async () => {
    const seen: (string | undefined)[] = []
    const note = (): void => void seen.push(currentReconcile()?.reconcileID)
    const controller = stage(
      reconciling(
        async ({ clock, log }, name) => {
          assert.deepEqual(
            { ...currentReconcile(), reconcileID: '' },
            { controller: 'widgets', namespace: 'default', name, reconcileID: '' },
          )
          note()
          await clock.sleep(5)
          note()
          log.info({}, 'half way')
          return done
        },
        { maxConcurrent: 2 },
      ),
    )
    const run = controller.run()
    controller.runner.trigger({ namespace: 'default', name: 'a' })
    controller.runner.trigger({ namespace: 'default', name: 'b' })
    await controller.clock.advance(10)
    note()
    const [first, second, third, fourth, outside] = seen
    assert.ok(first !== undefined && second !== undefined && first !== second)
    assert.deepEqual([third, fourth, outside], [first, second, undefined])
    assert.deepEqual(
      controller.messages.map(({ fields }) => fields['reconcileID']),
      [first, second],
    )
    controller.stop()
    await run
  })

  it('N13 work pauses every few milliseconds, so that others get their turn', async () => {
    let now = 0
    let passes = 0
    const controller = stage(
      deciding(() => {
        now += 1
        passes++
        return done
      }),
    )
    // A machine on which each pass takes a millisecond.
    controller.clock.monotonic = () => now
    const run = controller.run()
    for (let index = 0; index < 40; index++) controller.runner.trigger({ name: `w${index}` })
    await controller.clock.settle()
    assert.equal(passes, 10)
    await controller.clock.step()
    assert.equal(passes, 20)
    await controller.clock.runUntilIdle()
    assert.equal(passes, 40)
    controller.stop()
    await run
  })
})

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

  it('N19 runs once', async () => {
    const controller = stage(deciding(() => done))
    await runFor(controller, 1)
    await assert.rejects(controller.run(), /has run already/)
  })
})
