import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { formatDuration, InvalidDurationError, parseDuration, shortDuration, tryParseDuration } from './index.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

describe("Go's durations", () => {
  for (const [text, milliseconds] of [
    ['600s', 600_000],
    ['1h30m', 90 * minute],
    ['90s', 90_000],
    ['20m', 20 * minute],
    ['0', 0],
    ['0s', 0],
    ['-2m', -2 * minute],
    ['+5s', 5000],
    ['1.5h', 90 * minute],
    ['.5s', 500],
    ['1.s', 1000],
    ['1h1m1s1ms', hour + minute + 1001],
    ['250us', 0.25],
    ['250µs', 0.25],
    ['1ns', 0.000001],
    ['2562047h47m16.854775807s', 9_223_372_036_854.775],
  ] satisfies [string, number][]) {
    it(`${text} is ${milliseconds} ms`, () => assert.equal(parseDuration(text), milliseconds))
  }

  for (const text of ['', '-', '90', '1x', 'not-a-duration', '1h 30m', '1h30', '.s', '1.2.3s', '9999999999h', 'constructor', '1toString']) {
    it(`${JSON.stringify(text)} is refused`, () => {
      assert.throws(() => parseDuration(text), InvalidDurationError)
      assert.equal(tryParseDuration(text), undefined)
    })
  }

  it('say what is wrong and what to write', () => {
    assert.throws(() => parseDuration('90'), {
      message: '"90" is not a duration: the number 90 has no unit; write numbers with the units h, m, s, ms, us or ns, as in 1h30m or 90s',
    })
    assert.throws(() => parseDuration('1d'), /unknown unit "d"/)
  })

  for (const [milliseconds, text] of [
    [120_000, '2m0s'],
    [600_000, '10m0s'],
    [0, '0s'],
    [90 * minute, '1h30m0s'],
    [1500, '1.5s'],
    [100, '100ms'],
    [0.25, '250µs'],
    [0.000001, '1ns'],
    [-90_000, '-1m30s'],
    [48 * hour, '48h0m0s'],
  ] satisfies [number, string][]) {
    it(`${milliseconds} ms is written ${text}`, () => assert.equal(formatDuration(milliseconds), text))
  }

  it('survive being written and read', () => {
    fc.assert(fc.property(fc.integer({ min: -9e12, max: 9e12 }), (value) => assert.equal(parseDuration(formatDuration(value)), value)))
    fc.assert(fc.property(fc.integer({ min: 0, max: 1e9 }), (ns) => assert.equal(parseDuration(formatDuration(ns / 1e6)), ns / 1e6)))
  })
})

describe('short durations', () => {
  for (const [milliseconds, text] of [
    [-5000, '<invalid>'],
    [-500, '0s'],
    [999, '0s'],
    [95_000, '95s'],
    [2 * minute, '2m'],
    [200_000, '3m20s'],
    [10 * minute, '10m'],
    [179 * minute, '179m'],
    [3 * hour, '3h'],
    [5 * hour + 12 * minute, '5h12m'],
    [8 * hour + 59 * minute, '8h'],
    [30 * hour, '30h'],
    [2 * day, '2d'],
    [3 * day + 4 * hour, '3d4h'],
    [8 * day + 4 * hour, '8d'],
    [400 * day, '400d'],
    [730 * day, '2y'],
    [3 * 365 * day + 20 * day, '3y20d'],
    [9 * 365 * day + 20 * day, '9y'],
  ] satisfies [number, string][]) {
    it(`show ${milliseconds} ms as ${text}`, () => assert.equal(shortDuration(milliseconds), text))
  }
})
