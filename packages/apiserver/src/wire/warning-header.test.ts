import assert from 'node:assert/strict'
import { test } from 'node:test'
import { warningHeaders } from './warning-header.ts'

test('FV-007 FV-031 each text once, quoted', () => {
  const texts = ['duplicate field "spec.foo"', 'unknown field "spec.foo"', 'duplicate field "spec.foo"', '']
  assert.deepEqual(warningHeaders(texts), [
    String.raw`299 - "duplicate field \"spec.foo\""`,
    String.raw`299 - "unknown field \"spec.foo\""`,
  ])
  assert.deepEqual(warningHeaders([String.raw`a\b`]), [String.raw`299 - "a\\b"`])
})

const long = (count: number): string[] => Array.from({ length: count }, (_, index) => `unknown field "spec.${'x'.repeat(300)}${index}"`)

test('FV-032 long ones are cut when all together pass 4096 characters, and only then', () => {
  const three = warningHeaders(long(3))
  assert.equal(three.length, 3)
  assert.ok(three[2]?.endsWith(String.raw`x2\""`))
  const many = warningHeaders(long(20))
  assert.deepEqual(
    many.map((header) => header.length),
    Array(16).fill(265),
  )
})

test('texts that no header can carry are left out, others are sent as UTF-8', () => {
  assert.deepEqual(warningHeaders(['line\nbreak', 'fine']), ['299 - "fine"'])
  assert.equal(Buffer.from(warningHeaders(['größer'])[0] ?? '', 'latin1').toString('utf8'), '299 - "größer"')
})
