import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Delayed, Delays, VirtualClock } from './index.ts'

interface Entry extends Delayed {
  readonly id: number
}

describe('delays', () => {
  it('N8 entries come when they are due, first come first within an instant, but for those that were taken out', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ after: fc.integer({ min: 1, max: 50 }), leaves: fc.boolean() }), { maxLength: 60, size: 'max' }),
        async (asked) => {
          const clock = new VirtualClock()
          const came: { readonly id: number; readonly at: number }[] = []
          const delays = new Delays<Entry>(clock, ({ id }) => void came.push({ id, at: clock.monotonic() }))
          const entries = asked.map(({ after }, id): Entry => ({ id, due: after, place: -1, sequence: 0 }))
          for (const entry of entries) delays.add(entry)
          for (const entry of entries) if (asked[entry.id]?.leaves === true) delays.remove(entry)
          await clock.runUntilIdle()
          const expected = entries.filter(({ id }) => asked[id]?.leaves === false).sort((a, b) => a.due - b.due || a.id - b.id)
          assert.deepEqual(
            came,
            expected.map(({ id, due }) => ({ id, at: due })),
          )
          assert.equal(delays.size, 0)
        },
      ),
    )
  })

  it('N8 a wall clock that jumps moves nothing', async () => {
    const clock = new VirtualClock()
    const jumping = {
      now: () => clock.now() + 86_400_000,
      monotonic: () => clock.monotonic(),
      after: clock.after.bind(clock),
      sleep: clock.sleep.bind(clock),
    }
    const came: number[] = []
    const delays = new Delays<Entry>(jumping, () => void came.push(clock.monotonic()))
    delays.add({ id: 0, due: 1_000, place: -1, sequence: 0 })
    await clock.runUntilIdle()
    assert.deepEqual(came, [1_000])
  })

  it('N8 fractions of a millisecond do not keep the timer going for ever', async () => {
    const clock = new VirtualClock()
    const came: number[] = []
    const delays = new Delays<Entry>(clock, ({ id }) => void came.push(id))
    for (let id = 0; id < 100; id++) delays.add({ id, due: 1_000 / 3 + id / 7, place: -1, sequence: 0 })
    assert.ok((await clock.runUntilIdle()) <= 100)
    assert.equal(came.length, 100)
  })

  it('N8 what is never due sets no timer', () => {
    const clock = new VirtualClock()
    const delays = new Delays<Entry>(clock, () => assert.fail())
    delays.add({ id: 0, due: Number.POSITIVE_INFINITY, place: -1, sequence: 0 })
    assert.equal(clock.pending, 0)
  })

  it('N8 whoever comes while others leave is not lost', async () => {
    const clock = new VirtualClock()
    let rounds = 0
    const delays = new Delays<Entry>(clock, (entry) => {
      if (++rounds < 10) delays.add({ ...entry, due: clock.monotonic() + 10 })
    })
    delays.add({ id: 0, due: 10, place: -1, sequence: 0 })
    await clock.runUntilIdle()
    assert.equal(rounds, 10)
    assert.equal(clock.monotonic(), 100)
  })
})
