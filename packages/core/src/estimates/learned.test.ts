import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type FinishedUpdate, learnedEstimate, type RunningUpdate } from './index.ts'

const start = Date.UTC(2026, 0, 1)
const minute = 60_000

/** Finished parts by the minute in which they were. */
const finished = (took: number, parts: Readonly<Record<string, number>>): FinishedUpdate => ({
  took: took * minute,
  parts: new Map(Object.entries(parts).map(([name, after]) => [name, after * minute])),
})

/** The same of an update that runs; undefined for those that are awaited. */
const running = (parts: Readonly<Record<string, number | undefined>>): RunningUpdate => ({
  startedAt: start,
  parts: new Map(Object.entries(parts).map(([name, after]) => [name, after === undefined ? undefined : start + after * minute])),
})

const after = (minutes: number): number => start + minutes * minute
const usual = finished(60, { etcd: 5, dns: 40, 'machine-config': 58 })

describe('what is learned from finished updates', () => {
  it('is nothing where there is none', () => {
    assert.deepEqual(learnedEstimate(running({ etcd: undefined }), [], after(1)), { state: 'unlearned' })
  })

  it('is how long they took, before anything is done', () => {
    const estimate = learnedEstimate(running({ etcd: undefined, dns: undefined, 'machine-config': undefined }), [usual], after(0))
    assert.ok(estimate.state === 'expected')
    assert.equal(estimate.likely, after(60))
    assert.ok(estimate.earliest < after(60) && estimate.latest > after(60))
  })

  it('is what was left after the parts that are done, from when they were', () => {
    const estimate = learnedEstimate(running({ etcd: 7, dns: 50, 'machine-config': undefined }), [usual], after(51))
    assert.ok(estimate.state === 'expected')
    assert.equal(estimate.likely, after(70))
  })

  it('is the narrower the more of them there are', () => {
    const width = (count: number): number => {
      const estimate = learnedEstimate(
        running({ etcd: undefined }),
        Array.from({ length: count }, () => usual),
        after(1),
      )
      return estimate.state === 'expected' ? estimate.latest - estimate.earliest : assert.fail(estimate.state)
    }
    assert.ok(width(1) > width(2) && width(2) > width(5))
  })

  it('does not put the end off while nothing moves, and says in the end what it waits for', () => {
    const standing = running({ etcd: 5, dns: undefined, 'machine-config': undefined })
    const soon = learnedEstimate(standing, [usual], after(6))
    const later = learnedEstimate(standing, [usual], after(40))
    assert.ok(soon.state === 'expected' && later.state === 'expected')
    assert.deepEqual([later.likely, later.latest], [soon.likely, soon.latest])
    const late = learnedEstimate(standing, [usual], after(70))
    assert.ok(late.state === 'stalled')
    assert.deepEqual(late.on, ['dns'])
    assert.ok(late.due < after(70))
  })

  it('is that it takes longer than it may, when it goes on too slowly', () => {
    const slow = running({ etcd: 15, dns: 95, 'machine-config': undefined })
    assert.deepEqual(learnedEstimate(slow, [usual], after(96)).state, 'slower')
  })

  it('knows nothing of parts that were not there, and misses none that are gone', () => {
    const changed = running({ etcd: 5, newcomer: undefined, 'machine-config': undefined })
    const estimate = learnedEstimate(changed, [usual], after(6))
    assert.ok(estimate.state === 'expected')
    assert.equal(estimate.likely, after(60))
  })

  const names = ['a', 'b', 'c', 'd', 'e'] as const
  const traces = fc
    .tuple(fc.array(fc.integer({ min: 0, max: 60 }), { minLength: names.length, maxLength: names.length }), fc.integer({ min: 1, max: 30 }))
    .map(([times, rest]) => finished(Math.max(...times) + rest, Object.fromEntries(names.map((name, index) => [name, times[index] ?? 0]))))
  /** How a running update comes to its parts, at any pace. */
  const courses = fc.array(fc.integer({ min: 0, max: 90 }), { minLength: names.length, maxLength: names.length })

  /** What is said right after each of its parts is done, and once before. */
  function* told(course: readonly number[], from: readonly FinishedUpdate[]) {
    const moments = [0, ...course.toSorted((a, b) => a - b)]
    for (const moment of moments) {
      const parts = names.map((name, index) => [name, (course[index] ?? 0) <= moment ? course[index] : undefined] as const)
      yield learnedEstimate(running(Object.fromEntries(parts)), from, after(moment))
    }
  }

  it('becomes narrower with every part that is done, and never later', () => {
    fc.assert(
      fc.property(fc.array(traces, { minLength: 1, maxLength: 4 }), courses, (from, course) => {
        let [earliest, latest] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
        for (const estimate of told(course, from)) {
          if (estimate.state !== 'expected') continue
          assert.ok(estimate.latest <= latest && estimate.earliest >= earliest)
          assert.ok(estimate.earliest <= estimate.likely && estimate.likely <= estimate.latest)
          ;({ earliest, latest } = estimate)
        }
      }),
    )
  })

  it('is right about an update that goes as one of them did', () => {
    fc.assert(
      fc.property(traces, fc.array(traces, { maxLength: 3 }), fc.nat(100), (same, others, percent) => {
        const now = start + (same.took * percent) / 100
        const parts = new Map([...same.parts].map(([name, time]) => [name, start + time <= now ? start + time : undefined]))
        const estimate = learnedEstimate({ startedAt: start, parts }, [same, ...others], now)
        assert.equal(estimate.state, 'expected')
        assert.ok(estimate.state === 'expected' && estimate.earliest <= start + same.took && start + same.took <= estimate.latest)
      }),
    )
  })

  it('is no end at all for an update that stands still for long', () => {
    fc.assert(
      fc.property(traces, courses, fc.nat(4), (from, course, reached) => {
        const parts = names.map((name, index) => [name, index < reached ? course[index] : undefined] as const)
        const { state } = learnedEstimate(running(Object.fromEntries(parts)), [from], after(10_000))
        assert.equal(state, 'stalled')
      }),
    )
  })
})
