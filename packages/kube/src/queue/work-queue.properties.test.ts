import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { VirtualClock } from '@windlass/core'
import { WorkQueue } from './index.ts'

/** A queue so simple that it can be seen to be right: a list of entries, searched from end to end. */
class Model {
  now = 0
  readonly #entries = new Map<string, Entry>()
  #order = 0

  add(key: string, priority: number, after: number): void {
    const entry = this.#entries.get(key)
    const due = after > 0 ? this.now + after : 0
    if (entry === undefined) this.#place({ key, priority, due, order: 0, isRunning: false, next: undefined })
    else if (entry.isRunning)
      entry.next = { priority: Math.max(priority, entry.next?.priority ?? priority), due: Math.min(due, entry.next?.due ?? due) }
    else if (due < entry.due) this.#place({ ...entry, priority: Math.max(priority, entry.priority), due })
    else if (priority > entry.priority && entry.due === 0) this.#place({ ...entry, priority })
    else entry.priority = Math.max(priority, entry.priority)
  }

  next(): string | undefined {
    const ready = [...this.#entries.values()].filter((entry) => !entry.isRunning && entry.due === 0)
    const first = ready.sort((a, b) => b.priority - a.priority || a.order - b.order)[0]
    if (first !== undefined) first.isRunning = true
    return first?.key
  }

  done(key: string): void {
    const next = this.#entries.get(key)?.next
    this.#entries.delete(key)
    if (next === undefined) return
    this.#place({ key, ...next, order: 0, isRunning: false, next: undefined })
    this.advance(0)
  }

  advance(milliseconds: number): void {
    this.now += milliseconds
    const due = [...this.#entries.values()].filter((entry) => !entry.isRunning && entry.due > 0 && entry.due <= this.now)
    for (const entry of due.sort((a, b) => a.due - b.due || a.order - b.order)) this.#place({ ...entry, due: 0 })
  }

  #place(entry: Entry): void {
    this.#entries.set(entry.key, { ...entry, order: this.#order++ })
  }
}

interface Entry {
  readonly key: string
  priority: number
  readonly due: number
  readonly order: number
  isRunning: boolean
  next: { readonly priority: number; readonly due: number } | undefined
}

const someKey = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const somePriority = fc.constantFrom(-100, 0, 0, 10)
const someStep = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('add' as const), key: someKey, priority: somePriority, after: fc.constantFrom(0, 0, 1, 5, 20) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('next' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('done' as const), which: fc.nat(4) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('advance' as const), milliseconds: fc.constantFrom(1, 2, 7) }) },
)

const manySteps = fc.array(someStep, { maxLength: 80, size: 'max' })

describe('work queue, any steps', () => {
  it('N8 does what a simple list would do', async () => {
    await fc.assert(
      fc.asyncProperty(manySteps, async (steps) => {
        const clock = new VirtualClock()
        const queue = new WorkQueue({ clock })
        const model = new Model()
        const running: string[] = []
        for (const step of steps) {
          switch (step.do) {
            case 'add':
              queue.add(step.key, step)
              model.add(step.key, step.priority, step.after)
              break
            case 'next': {
              const key = queue.next()
              assert.equal(key, model.next())
              if (key !== undefined) running.push(key)
              break
            }
            case 'done': {
              const [key] = running.splice(step.which % Math.max(1, running.length), 1)
              if (key === undefined) break
              queue.done(key)
              model.done(key)
              // One whose time came while it ran is ready at the next tick of the clock.
              await clock.advance(0)
              break
            }
            case 'advance':
              await clock.advance(step.milliseconds)
              model.advance(step.milliseconds)
              break
            default:
              assert.fail(step satisfies never)
          }
          assert.equal(new Set(running).size, running.length, 'a key runs twice')
        }
      }),
      { numRuns: 150 },
    )
  })

  it('N8 no key is ever lost, and every last add is seen', async () => {
    await fc.assert(
      fc.asyncProperty(manySteps, fc.integer({ min: 1, max: 3 }), async (steps, most) => {
        const clock = new VirtualClock()
        const queue = new WorkQueue({ clock, tenant: (key) => (key < 'c' ? 'first' : 'second'), maxRunningPerTenant: most })
        const wanted = new Map<string, number>()
        const seen = new Map<string, number>()
        const running: string[] = []
        let time = 0
        const take = (): void => {
          for (let key = queue.next(); key !== undefined; key = queue.next()) {
            running.push(key)
            seen.set(key, ++time)
            for (const tenant of [running.filter((each) => each < 'c'), running.filter((each) => each >= 'c')]) {
              assert.ok(tenant.length <= most, `${tenant.join(' ')} run at once`)
            }
          }
          const { keys } = queue.view()
          assert.ok(
            keys.every(({ stage, why }) => stage !== 'waiting' || why.includes('tenant')),
            'a key waits though its tenant may run more',
          )
        }
        for (const step of steps) {
          if (step.do === 'add') {
            queue.add(step.key, step)
            wanted.set(step.key, ++time)
          } else if (step.do === 'next') {
            take()
          } else if (step.do === 'done') {
            const key = running.shift()
            if (key !== undefined) queue.done(key)
          } else {
            await clock.advance(step.milliseconds)
          }
        }
        for (let round = 0; round < 12; round++) {
          await clock.advance(20)
          take()
          for (const key of running.splice(0)) queue.done(key)
        }
        for (const [key, at] of wanted) assert.ok((seen.get(key) ?? 0) > at, `${key} was added and never seen`)
        assert.deepEqual(queue.view(), { running: 0, waiting: 0, delayed: 0, keys: [] })
      }),
      { numRuns: 150 },
    )
  })

  it('N9 at any moment, tenants that still wait have had the same number of turns', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 50, size: 'max' }), (tenants) => {
        const queue = new WorkQueue({ clock: new VirtualClock(), tenant: (key) => key.slice(0, 1) })
        const left = new Map<string, number>()
        for (const [index, tenant] of tenants.entries()) {
          queue.add(`${tenant}${index}`)
          left.set(tenant, (left.get(tenant) ?? 0) + 1)
        }
        const turns = new Map([...left.keys()].map((tenant) => [tenant, 0]))
        for (let key = queue.next(); key !== undefined; key = queue.next()) {
          const tenant = key.slice(0, 1)
          left.set(tenant, (left.get(tenant) ?? 0) - 1)
          turns.set(tenant, (turns.get(tenant) ?? 0) + 1)
          queue.done(key)
          const waiting = [...turns].filter(([each]) => (left.get(each) ?? 0) > 0).map(([, count]) => count)
          assert.ok(
            Math.max(...waiting) - Math.min(...waiting) <= 1 || waiting.length === 0,
            `turns of those who wait: ${waiting.join(' ')}`,
          )
        }
        assert.ok([...left.values()].every((count) => count === 0))
      }),
    )
  })
})
