import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addressOf, canonicalJson, lettersOf } from './index.ts'

describe('identity', () => {
  it('makes letters that are fit for names, the same ones every time', () => {
    assert.equal(lettersOf('clusters-prod/etcd', 5), lettersOf('clusters-prod/etcd', 5))
    for (let number = 0; number < 100; number++) assert.match(lettersOf(`slot ${number}`, 10), /^[bcdfghjklmnpqrstvwxz2456789]{10}$/)
  })

  it('tells a thousand slots apart by five letters', () => {
    assert.equal(new Set(Array.from({ length: 1_000 }, (_, slot) => lettersOf(`kube-apiserver-6d4cf56db6/${slot}`, 5))).size, 1_000)
  })

  it('makes addresses within their block', () => {
    for (let number = 0; number < 1_000; number++) {
      const address = addressOf(`pod ${number}`, [10, 128, 0, 0], 18)
      const [first, second = 0, third, fourth] = address.split('.').map(Number)
      assert.equal(first, 10)
      assert.ok(second >= 128 && second < 132)
      assert.ok(!(third === 0 && fourth === 0) && !(second === 131 && third === 255 && fourth === 255))
    }
  })

  it('writes equal things equally', () => {
    assert.equal(canonicalJson({ b: 1, a: { d: null, c: [1, { f: 1, e: 2 }] } }), '{"a":{"c":[1,{"e":2,"f":1}]},"b":1}')
    assert.equal(canonicalJson(undefined), '')
  })
})
