import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { currentReconcile } from '../context.ts'
import { done, type Plan } from '../plan/index.ts'
import { aStoredWidget, Widget } from '../plan/testing/index.ts'
import { deciding, reconciling, stage } from './testing/index.ts'

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
