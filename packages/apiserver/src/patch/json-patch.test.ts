import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { applyPatch, createPatch } from 'rfc6902'
import { equalJson, type Json, type JsonObject } from '../json.ts'
import { applyJsonPatch } from './index.ts'

const { object } = fc.letrec<{ value: Json; object: JsonObject; list: Json[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom<Json>(0, 1, 'x', true), tie('object'), tie('list')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c/d', 'e~f', ''), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  list: fc.array(tie('value'), { maxLength: 3 }),
}))

describe('JSON patch', () => {
  it('leads from any object to any other, like a library that keeps to the RFC', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const patch = createPatch(from, to)
        const theirs = structuredClone(from)
        applyPatch(theirs, patch)
        const ours = applyJsonPatch(from, JSON.parse(JSON.stringify(patch)) as Json)
        assert.deepEqual(ours, theirs)
        assert.ok(equalJson(ours, to))
      }),
    )
  })

  it('never changes what it is given', () => {
    fc.assert(
      fc.property(object, object, (from, to) => {
        const before = structuredClone(from)
        applyJsonPatch(from, JSON.parse(JSON.stringify(createPatch(from, to))) as Json)
        assert.deepEqual(from, before)
      }),
    )
  })

  it('returns the object itself when the operations cancel out', () => {
    const document = { spec: { size: 'x' } }
    const operations = [
      { op: 'add', path: '/spec/arch', value: 'arm64' },
      { op: 'remove', path: '/spec/arch' },
    ]
    assert.equal(applyJsonPatch(document, operations), document)
  })

  it('compares big integers by value', () => {
    const document = { spec: { big: 9007199254740993n } }
    assert.equal(applyJsonPatch(document, [{ op: 'test', path: '/spec/big', value: 9007199254740993n }]), document)
    assert.throws(() => applyJsonPatch(document, [{ op: 'test', path: '/spec/big', value: 9007199254740992 }]), { code: 422 })
  })

  it('refuses copies that would double what they copied before, again and again', () => {
    const doublings = (count: number): Json =>
      Array.from({ length: count }, (_, index) => ({ op: 'copy', from: '/spec', path: `/spec/k${index}` }))
    assert.equal(JSON.stringify(applyJsonPatch({ spec: { a: 'x' } }, doublings(10))).length > 2 ** 10, true)
    assert.throws(() => applyJsonPatch({ spec: { a: 'x' } }, doublings(60)), { code: 422 })
  })

  for (const path of ['', 'spec', '/spec/list/x', '/spec/list/01x', '/spec/size/deeper', '/spec/list/3', '/spec/list/-4']) {
    it(`cannot remove ${JSON.stringify(path)}`, () => {
      assert.throws(() => applyJsonPatch({ spec: { size: 'x', list: [1, 2, 3] } }, [{ op: 'remove', path }]), { code: 422 })
    })
  }
})
