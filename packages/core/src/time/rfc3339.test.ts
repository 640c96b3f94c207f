import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { formatTime, parseTime, wholeSeconds } from './rfc3339.ts'

describe('times on the wire', () => {
  it('are UTC with whole seconds, the fraction dropped and not rounded', () => {
    assert.equal(formatTime(Date.UTC(2025, 5, 27, 12, 0, 0, 999)), '2025-06-27T12:00:00Z')
    assert.equal(wholeSeconds(Date.UTC(2025, 5, 27, 12, 0, 0, 999)), Date.UTC(2025, 5, 27, 12))
  })

  it('survive being written and read', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => {
        assert.equal(parseTime(formatTime(date.getTime())), wholeSeconds(date.getTime()))
      }),
    )
  })

  it('are read with fractions and offsets', () => {
    assert.equal(parseTime('2020-07-05T01:35:36Z'), Date.UTC(2020, 6, 5, 1, 35, 36))
    assert.equal(parseTime('2020-07-05T01:35:36.123456Z'), Date.UTC(2020, 6, 5, 1, 35, 36, 123))
    assert.equal(parseTime('2020-07-05T03:05:36+01:30'), Date.UTC(2020, 6, 5, 1, 35, 36))
    assert.equal(parseTime('2020-07-04T20:35:36-05:00'), Date.UTC(2020, 6, 5, 1, 35, 36))
    assert.equal(parseTime('2024-02-29T00:00:00Z'), Date.UTC(2024, 1, 29))
  })

  for (const text of [
    '2025-02-25 15:00',
    '2025-02-25T15:00Z',
    '2025-02-25T15:00:00',
    '2026-13-45T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2025-02-25T24:00:00Z',
    '2025-02-25T15:60:00Z',
    '2025-02-25T15:00:00+25:00',
    'true',
    '',
  ]) {
    it(`are not read from ${JSON.stringify(text)}`, () => assert.equal(parseTime(text), undefined))
  }

  it('may be absent or null, which is the same', () => {
    assert.equal(parseTime(undefined), undefined)
    assert.equal(parseTime(null), undefined)
  })
})
