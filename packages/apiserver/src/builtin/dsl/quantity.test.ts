import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { canonicalQuantity, compareQuantities, isNegativeQuantity, isWholeQuantity, QuantityError } from './quantity.ts'

describe('quantities', () => {
  const rewritten: readonly (readonly [given: string, canonical: string])[] = [
    ['1', '1'],
    ['0', '0'],
    ['0.0m', '0'],
    ['4000m', '4'],
    ['1024Mi', '1Gi'],
    ['1536Mi', '1536Mi'],
    ['17179869184', '17179869184'],
    ['0.5', '500m'],
    ['.5', '500m'],
    ['1.', '1'],
    ['+1', '1'],
    ['-1500m', '-1500m'],
    ['1000k', '1M'],
    ['1500k', '1500k'],
    ['1e3', '1e3'],
    ['12E2', '1200'],
    ['0.5Ki', '512'],
    ['1.5Gi', '1536Mi'],
    ['0.1Ki', '102400m'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['10E', '9223372036854775807'],
    ['100', '100'],
    ['1000', '1k'],
  ]
  for (const [given, canonical] of rewritten) {
    it(`${given} is written ${canonical}`, () => assert.equal(canonicalQuantity(given), canonical))
  }

  for (const text of ['much', '', '1x', '1.2.3', '--1', '1 Gi', '1Kib', '.']) {
    it(`${JSON.stringify(text)} is no quantity`, () => assert.throws(() => canonicalQuantity(text), QuantityError))
  }

  it('is compared by value, not by text', () => {
    assert.equal(compareQuantities('1Gi', '1024Mi'), 0)
    assert.equal(compareQuantities('1', '999m'), 1)
    assert.equal(compareQuantities('1G', '1Gi'), -1)
    assert.ok(isNegativeQuantity('-1m'))
    assert.ok(!isNegativeQuantity('-0'))
    assert.ok(isWholeQuantity('2k'))
    assert.ok(!isWholeQuantity('1500m'))
  })

  const anyQuantity = fc
    .tuple(
      fc.constantFrom('', '-'),
      fc.nat(2 ** 31 - 1),
      fc.constantFrom('', '.5', '.125'),
      fc.constantFrom('', 'n', 'u', 'm', 'k', 'M', 'Ki', 'Mi', 'e3', 'E-2'),
    )
    .map((parts) => parts.join(''))

  it('a canonical quantity stays as it is and keeps its value', () => {
    fc.assert(
      fc.property(anyQuantity, (text) => {
        const canonical = canonicalQuantity(text)
        assert.equal(canonicalQuantity(canonical), canonical)
        assert.equal(compareQuantities(canonical, text), 0)
      }),
      { numRuns: 500 },
    )
  })

  it('comparison is an order', () => {
    fc.assert(
      fc.property(anyQuantity, anyQuantity, (a, b) => {
        assert.equal(compareQuantities(a, b), 0 - compareQuantities(b, a))
      }),
      { numRuns: 300 },
    )
  })
})
