import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cutToMinutes, roundedDuration, roundedToMinutes, shortened } from './durations.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute

describe('a length of time', () => {
  for (const [milliseconds, text] of [
    [90 * second, '1m30s'],
    [3600 * second, '1h'],
    [3617 * second, '1h0m17s'],
    [5100 * second, '1h25m'],
    [0, 'now'],
    [45 * second, '45s'],
    [2 * hour, '2h'],
    [10 * minute, '10m'],
    [24 * hour + 8 * minute + 54 * second, '24h8m54s'],
    [999, 'now'],
    [1999, '1s'],
    [-90 * second, '-1m30s'],
    [-3600 * second, '-1h'],
  ] satisfies [number, string][]) {
    it(`T110 of ${milliseconds} ms reads ${text}`, () => assert.equal(shortened(milliseconds), text))
  }

  it('is as exact as is useful: seconds up to ten minutes, minutes above', () => {
    assert.equal(roundedDuration(89.4 * second), '1m29s')
    assert.equal(roundedDuration(89.5 * second), '1m30s')
    assert.equal(roundedDuration(10 * minute), '10m')
    assert.equal(roundedDuration(9 * minute + 59 * second), '9m59s')
    assert.equal(roundedDuration(10 * minute + 29 * second), '10m')
    assert.equal(roundedDuration(10 * minute + 30 * second), '11m')
  })

  it('can be rounded or cut to minutes', () => {
    assert.equal(roundedToMinutes(84.5 * minute), '1h25m')
    assert.equal(cutToMinutes(84.5 * minute), '1h24m')
  })
})
