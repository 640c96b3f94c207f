import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import { hashOfBytes, hashOfText } from './hash.ts'
import { resourcesNameOf, shortName } from './names.ts'

describe('the hash', () => {
  it('NP-29 of texts is FNV-1a in eight digits', () => {
    assert.equal(hashOfText(''), '811c9dc5')
    assert.equal(hashOfText('abc'), '1a47e90b')
    assert.equal(hashOfText('null'), '77074ba4')
  })

  it('NP-29 of bytes is that of their decimal text', () => {
    assert.equal(hashOfBytes(Buffer.from('abc')), '88bfcb9e')
    assert.equal(hashOfBytes(Buffer.from('{"auths":{}}')), '217e580d')
  })
})

describe('a short name', () => {
  it('NP-29 is both parts when they fit', () => {
    assert.equal(shortName('prod-7k2xq-prod', 'workers', 43), 'prod-7k2xq-prod-workers')
    assert.equal(resourcesNameOf(aHostedCluster(), aNodePool()), 'prod-7k2xq-prod-workers')
  })

  it('NP-29 drops a second part that is too long by itself', () => {
    assert.equal(shortName('prod-7k2xq-prod', 'x'.repeat(50), 43), 'prod-7k2xq-prod-0e264793')
  })

  it('keeps the second part and cuts the first, with its hash', () => {
    const base = 'prod-7k2xq-'.repeat(4)
    assert.equal(shortName(base, 'workers', 43), `${base.slice(0, 26)}-${hashOfText(base)}-workers`)
  })

  it('is never too long', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, maxLength: 80 }),
        fc.string({ minLength: 1, maxLength: 80 }),
        (base, suffix) => shortName(base, suffix, 43).length <= 43,
      ),
    )
  })
})
