import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ageOf, countOf, momentOf, plural, roughly, shareOf, spanOf, timeOfDay, whenOf } from './index.ts'

const now = Date.UTC(2026, 2, 4, 12)

describe('times', () => {
  it('are as old as they are, and never younger than now', () => {
    assert.equal(ageOf('2026-03-04T11:48:00Z', now), '12m')
    assert.equal(ageOf('2026-03-04T12:00:30Z', now), '0s')
    assert.equal(ageOf(undefined, now), undefined)
  })

  it('are in the past or to come', () => {
    assert.equal(whenOf('2026-03-04T11:48:00Z', now), '12m ago')
    assert.equal(whenOf('2026-03-04T12:12:00Z', now), 'in 12m')
    assert.equal(spanOf('2026-03-04T11:00:00Z', undefined, now), '60m')
    assert.equal(spanOf('2026-03-04T11:00:00Z', '2026-03-04T11:30:00Z', now), '30m')
  })

  it('of an estimate are told without seconds', () => {
    assert.equal(roughly('2026-03-04T12:08:57Z', now), 'in 9m')
    assert.equal(roughly('2026-03-04T12:00:20Z', now), 'within a minute')
    assert.equal(roughly('2026-03-04T11:30:00Z', now), 'any moment')
    assert.equal(roughly('2026-03-04T17:00:00Z', now), 'in 5h')
  })

  it('are UTC', () => {
    assert.equal(momentOf('2026-03-04T13:30:05+02:00'), '4 Mar 11:30')
    assert.equal(momentOf(now, { seconds: true }), '4 Mar 12:00:00')
    assert.equal(timeOfDay(now), '12:00:00')
  })
})

describe('numbers', () => {
  it('are written as people read them', () => {
    assert.equal(countOf(10_000), '10,000')
    assert.equal(plural(1, 'cluster'), '1 cluster')
    assert.equal(plural(0, 'cluster'), '0 clusters')
    assert.equal(plural(2, 'cluster is', 'clusters are'), '2 clusters are')
    assert.equal(shareOf(1, 3), '33%')
    assert.equal(shareOf(1, 10_000), '<1%')
    assert.equal(shareOf(0, 0), '0%')
  })
})
