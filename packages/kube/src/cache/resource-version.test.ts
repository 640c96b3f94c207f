import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isOlder } from './resource-version.ts'

test('N7 resourceVersions compare as integers of any size', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 70n }), fc.bigInt({ min: 0n, max: 2n ** 70n }), (a, b) => {
      assert.equal(isOlder(String(a), String(b)), a < b)
    }),
  )
  assert.equal(isOlder('9', '10'), true)
  assert.equal(isOlder('10', '9'), false)
  assert.equal(isOlder('10', '10'), false)
})

test('N7 what is not an integer is never older, so that its news is taken', () => {
  for (const [a, b] of [
    ['', '1'],
    ['1', ''],
    ['abc', '5'],
    ['5', 'abc'],
    ['1a', '2'],
    ['-1', '2'],
  ] as const) {
    assert.equal(isOlder(a, b), false)
  }
})
