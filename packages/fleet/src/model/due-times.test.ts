import assert from 'node:assert/strict'
import { it } from 'node:test'
import * as fc from 'fast-check'
import { DueTimes } from './due-times.ts'

it('takes out what is due, soonest first, by the last time that was set', () => {
  const set = fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), at: fc.option(fc.nat(20), { nil: undefined }) })
  const step = fc.oneof(set, fc.record({ now: fc.nat(25) }))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const times = new DueTimes()
      const known = new Map<string, number>()
      for (const each of steps) {
        if ('now' in each) {
          const due = [...known].filter(([, at]) => at <= each.now).toSorted((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1))
          assert.deepEqual(
            times.take(each.now),
            due.map(([id]) => id),
          )
          for (const [id] of due) known.delete(id)
        } else {
          times.set(each.id, each.at)
          if (each.at === undefined) known.delete(each.id)
          else known.set(each.id, each.at)
        }
        assert.equal(times.next, known.size === 0 ? undefined : Math.min(...known.values()))
        assert.equal(times.size, known.size)
      }
    }),
  )
})
