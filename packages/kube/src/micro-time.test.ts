import assert from 'node:assert/strict'
import { test } from 'node:test'
import { microTime } from './micro-time.ts'

test('N14 N18 times have six digits after the second, whatever the clock knows', () => {
  assert.equal(microTime(0), '1970-01-01T00:00:00.000000Z')
  assert.equal(microTime(Date.UTC(2026, 0, 1, 0, 0, 0, 7)), '2026-01-01T00:00:00.007000Z')
  assert.equal(microTime(1234.5678), '1970-01-01T00:00:01.234567Z')
})
