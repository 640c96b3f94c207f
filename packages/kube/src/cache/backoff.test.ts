import assert from 'node:assert/strict'
import { test } from 'node:test'
import { afterFailure, type Backoff, noFailures } from './backoff.ts'

function delays(count: number, chance: number, between = 0): readonly number[] {
  let backoff: Backoff = noFailures
  let now = 1_000_000
  return Array.from({ length: count }, () => {
    const next = afterFailure(backoff, now, chance)
    backoff = next.backoff
    now += next.delay + between
    return next.delay
  })
}

test('N3 failures in a row are followed by 0.8 s, twice as long each time, and never more than 30 s', () => {
  assert.deepEqual(delays(8, 0), [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000])
})

test('N3 chance spreads each delay over up to twice its length', () => {
  assert.deepEqual(delays(3, 0.5), [1200, 2400, 4800])
  assert.deepEqual(
    delays(8, 1).map((delay) => Math.round(delay)),
    [1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000],
  )
})

test('N3 a failure after more than two minutes without one is a first one', () => {
  assert.deepEqual(delays(3, 0, 119_000), [800, 1600, 800])
  const { backoff } = afterFailure(noFailures, 5, 0)
  assert.equal(afterFailure(backoff, 5 + 120_000, 0).delay, 1600)
  assert.equal(afterFailure(backoff, 5 + 120_001, 0).delay, 800)
})
