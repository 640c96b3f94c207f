import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { fitting, laneOf, lastUpdate, moved, placeOf, ticksOf, zoomed } from './index.ts'

const at = (hour: number, minute = 0): number => Date.UTC(2026, 2, 4, hour, minute)
const text = (hour: number, minute = 0): string => new Date(at(hour, minute)).toISOString().replace('.000', '')

const history = [
  { version: '4.20.8', state: 'Partial', startedTime: text(11) },
  { version: '4.20.7', state: 'Partial', startedTime: text(10), completionTime: text(11) },
  { version: '4.19.12', state: 'Completed', startedTime: text(2), completionTime: text(3) },
] as const

describe('a lane', () => {
  it('has an update, what ran after it, what was given up and what is under way', () => {
    assert.deepEqual(
      laneOf(history, at(12)).map(({ kind, version, from, to }) => [kind, version, from, to]),
      [
        ['Rollout', '4.19.12', at(2), at(3)],
        ['Runs', '4.19.12', at(3), at(10)],
        ['GivenUp', '4.20.7', at(10), at(11)],
        ['UnderWay', '4.20.8', at(11), at(12)],
      ],
    )
  })

  it('never runs backwards, whatever the times are', () => {
    const entry = fc.record({
      version: fc.constant('4.20.1'),
      state: fc.constantFrom('Completed' as const, 'Partial' as const),
      startedTime: fc.integer({ min: 0, max: 23 }).map((hour) => text(hour)),
      completionTime: fc.integer({ min: 0, max: 23 }).map((hour) => text(hour)),
    })
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        for (const { from, to } of laneOf(entries, at(12))) assert.ok(from <= to)
      }),
    )
  })

  it('leaves out what has no time', () =>
    assert.deepEqual(laneOf([{ version: '4.20.1', state: 'Completed', startedTime: '' }], at(12)), []))
})

describe('the part of time that is shown', () => {
  const lane = laneOf(history, at(12))

  it('has everything in it', () => {
    const { from, to } = fitting([lane], at(12))
    assert.ok(from < at(2) && from > at(1) && to > at(12) && to < at(13))
  })

  it('has the last update in it, and not those before', () => {
    const { from, to } = lastUpdate([lane], at(12))
    assert.ok(from < at(11) && from > at(10) && to > at(12))
  })

  it('of two sides has the update of both in it', () => {
    const dataPlane = laneOf([{ version: '4.20.8', state: 'Partial', startedTime: text(11, 40) }], at(12))
    const { from } = lastUpdate([lane, dataPlane], at(12))
    assert.ok(from < at(11))
  })

  it('is half as long when it is closer, around what one points at', () => {
    assert.deepEqual(zoomed({ from: at(0), to: at(4) }, 0.5, 0), { from: at(0), to: at(2) })
    assert.deepEqual(zoomed({ from: at(0), to: at(4) }, 0.5, 1), { from: at(2), to: at(4) })
    assert.deepEqual(moved({ from: at(0), to: at(4) }, 0.25), { from: at(1), to: at(5) })
    const { from, to } = zoomed({ from: at(0), to: at(0, 1) }, 0.001)
    assert.equal(to - from, 60_000)
  })
})

describe('ticks', () => {
  it('stand at round moments', () => {
    const ticks = ticksOf({ from: at(10, 48), to: at(12) }, 10)
    assert.deepEqual(
      ticks.map(({ text: each }) => each),
      ['10:50', '11:00', '11:10', '11:20', '11:30', '11:40', '11:50', '12:00'],
    )
    assert.equal(placeOf(at(12), { from: at(10, 48), to: at(12) }), 1)
  })

  it('say the day where it changes', () => {
    assert.deepEqual(
      ticksOf({ from: at(20), to: at(30) }, 4).map(({ text: each }) => each),
      ['21:00', '5 Mar', '03:00', '06:00'],
    )
  })

  it('are never more than asked for, and in order, however long the time is', () => {
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 3e11 }), fc.integer({ min: 2, max: 20 }), (length, most) => {
        const ticks = ticksOf({ from: at(0), to: at(0) + length }, most)
        assert.ok(ticks.length <= most + 1)
        for (const { x } of ticks) assert.ok(x >= 0 && x <= 1)
      }),
    )
  })
})
