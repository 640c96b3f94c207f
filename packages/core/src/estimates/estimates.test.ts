import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { formatTime } from '../time/index.ts'
import { baselineOf, estimateRemaining, timewiseCompletion, type TimedUpdate, usualUpdate } from './index.ts'

const start = Date.UTC(2025, 5, 27, 12)
const minute = 60_000
const at = (time: string): number => Date.parse(`2025-06-27T${time}Z`)

describe('the part of the time that has passed', () => {
  for (const [completion, timewise] of [
    [0, -0.030788],
    [0.01, -0.004882],
    [0.03, 0.044636],
    [0.1, 0.193859],
    [0.2, 0.342026],
    [0.25, 0.382183],
    [0.5, 0.389515],
    [0.8, 0.432676],
    [0.9, 0.478541],
    [0.95, 0.688881],
    [0.97, 0.698154],
    [0.99, 0.832055],
    [1, 1.03],
  ] satisfies [number, number][]) {
    it(`when ${completion} of the operators are done is ${timewise}`, () => {
      assert.equal(timewiseCompletion(completion).toFixed(6), timewise.toFixed(6))
    })
  }

  it('is negative while nearly nothing is done', () => {
    assert.ok(timewiseCompletion(0.011917) < 0)
    assert.ok(timewiseCompletion(0.011919) > 0)
  })
})

describe('how long updates of a cluster take', () => {
  const took = (state: string, minutes: number): TimedUpdate => ({
    state,
    startedTime: formatTime(start),
    completionTime: formatTime(start + minutes * minute),
  })
  const running: TimedUpdate = { state: 'Partial', startedTime: formatTime(start), completionTime: null }

  it('T57 says nothing about the oldest entry: it is the installation', () => {
    assert.equal(baselineOf([running, took('Partial', 10), took('Completed', 20)]), usualUpdate)
  })

  it('T58 is what the newest completed update took', () => {
    assert.equal(baselineOf([running, took('Partial', 10), took('Completed', 25), took('Completed', 40)]), 1500_000)
  })

  it('T59 overlooks an update that never ended, or ended before it began', () => {
    const endless = { ...took('Completed', 5), completionTime: null }
    assert.equal(baselineOf([running, endless, took('Completed', 30), took('Completed', 40)]), 1800_000)
    for (const odd of [took('Completed', 0), took('Completed', -5), { ...running, state: 'Completed', startedTime: 'soon' }]) {
      assert.equal(baselineOf([running, odd, took('Completed', 30), took('Completed', 40)]), 1800_000)
    }
  })

  it('is an hour where there are fewer than three entries', () => {
    for (const history of [[], [running], [running, took('Completed', 20)]]) assert.equal(baselineOf(history), 3600_000)
  })
})

describe('how much longer an update takes', () => {
  for (const [id, now, lastProgress, baseline, done, all, remaining, end] of [
    ['W1', '12:01:00', '12:00:00', 3600, 0, 33, '71m', '13:12:00'],
    ['W2', '12:10:00', '12:00:00', 1200, 0, 33, '12m', '12:22:00'],
    ['W3', '12:15:00', '12:00:05', 1200, 0, 33, '6m0s', '12:21:00'],
    ['W4', '12:25:00', '12:00:05', 1200, 0, 33, '-4m10s', '12:20:50'],
    ['W5', '12:05:00', '12:05:00', 3600, 2, 33, '66m', '13:11:00'],
    ['W6', '12:05:01', '12:05:01', 3600, 2, 33, '47m', '12:52:01'],
    ['W7', '12:20:00', '12:20:00', 3600, 1, 100, '48m', '13:08:00'],
    ['W8', '12:30:00', '12:25:00', 3600, 9, 33, '42m', '13:12:00'],
    ['W9', '12:40:00', '12:40:00', 1200, 1, 2, '75m', '13:55:00'],
    ['W10', '12:50:00', '12:40:00', 1200, 1, 2, '63m', '13:53:00'],
    ['W11', '12:50:00', '12:40:00', 3600, 32, 33, '8m48s', '12:58:48'],
    ['W12', '13:00:00', '12:40:00', 3600, 32, 33, '-2m13s', '12:57:47'],
    ['W13', '13:20:00', '12:40:00', 3600, 32, 33, '-18m53s', '13:01:07'],
    ['W14', '12:58:00', '12:55:00', 3600, 33, 33, '0s', '12:58:00'],
    ['W15', '12:32:00', '12:31:00', 3600, 30, 33, '32m', '13:04:00'],
    ['W16', '12:32:00', '12:31:00', 3600, 29, 33, '43m', '13:15:00'],
  ] satisfies [string, string, string, number, number, number, string, string][]) {
    it(`${id} ${done} of ${all} done at ${now}: ${remaining}, so it ends at ${end}`, () => {
      const progress = { startedAt: start, lastProgressAt: at(lastProgress), completion: done / all, baseline: baseline * 1000 }
      assert.equal(formatTime(at(now) + estimateRemaining(progress, at(now))), `2025-06-27T${end}Z`)
    })
  }

  it('T56 in seconds when it is not long', () => {
    const progress = { startedAt: start, lastProgressAt: start + 2400_000, completion: 0.97, baseline: 3600_000 }
    assert.equal(estimateRemaining(progress, start + 3000_000), 525_000)
  })

  it('is in seconds up to ten minutes, and in whole minutes beyond', () => {
    const early = { startedAt: start, lastProgressAt: start, completion: 0, baseline: 1000_000 }
    assert.equal(estimateRemaining(early, start + 500_000), 600_000)
    assert.equal(estimateRemaining(early, start + 499_000), 600_000)
    assert.equal(estimateRemaining(early, start + 450_000), 660_000)
  })

  const progresses = fc.record({
    startedAt: fc.constant(start),
    lastProgressAt: fc.integer({ min: 0, max: 7200 }).map((seconds) => start + seconds * 1000),
    completion: fc.integer({ min: 0, max: 40 }).map((done) => done / 40),
    baseline: fc.integer({ min: 1, max: 20_000 }).map((seconds) => seconds * 1000),
  })

  it('is less the later it is, as long as nothing moves', () => {
    fc.assert(
      fc.property(progresses, fc.nat(20_000), fc.nat(20_000), (progress, wait, more) => {
        const soon = progress.lastProgressAt + wait * 1000
        assert.ok(estimateRemaining(progress, soon + more * 1000) <= estimateRemaining(progress, soon))
      }),
    )
  })

  it('does not recede: an update that stands still is late in the end', () => {
    fc.assert(
      fc.property(progresses, (progress) => {
        const remaining = estimateRemaining(progress, start + 30 * 24 * 60 * minute)
        assert.ok(progress.completion === 1 ? remaining === 0 : remaining < 0)
      }),
    )
  })
})
