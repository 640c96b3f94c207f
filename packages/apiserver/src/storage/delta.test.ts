import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { applyDelta, encodeDelta } from './delta.ts'

const object = (revision: number, ready: boolean, fields = 30): Buffer =>
  Buffer.from(
    JSON.stringify({
      kind: 'NodePool',
      metadata: { name: 'workers', resourceVersion: String(revision) },
      spec: Object.fromEntries(Array.from({ length: fields }, (_, index) => [`field${index}`, `value ${index * 31}`])),
      status: { ready },
    }),
  )

describe('the difference between two states', () => {
  it('gives back the older state, whatever the two are', () => {
    const bytes = fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array))
    fc.assert(
      fc.property(
        fc.array(bytes, { maxLength: 6 }),
        fc.array(fc.nat(5), { maxLength: 12 }),
        fc.array(fc.nat(5), { maxLength: 12 }),
        (pieces, one, two) => {
          const text = (order: readonly number[]): Buffer =>
            Buffer.concat(order.map((index) => pieces[index] ?? Buffer.from(`piece ${index} of nothing`)))
          const base = text(one)
          const target = text(two)
          assert.deepEqual(applyDelta(base, encodeDelta(base, target)), target)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('is small when a revision at the front and a condition at the end changed', () => {
    const before = object(99, false)
    const after = object(100, true)
    const delta = encodeDelta(after, before)
    assert.deepEqual(applyDelta(after, delta), before)
    assert.ok(delta.length < 100, `${delta.length} bytes`)
  })

  it('is small when a large part was inserted or removed in the middle', () => {
    const small = object(1, true, 30)
    const large = object(1, true, 300)
    assert.ok(encodeDelta(large, small).length < 100)
    assert.deepEqual(applyDelta(small, encodeDelta(small, large)), large)
  })

  it('takes empty states', () => {
    const empty = Buffer.alloc(0)
    const some = object(1, true)
    assert.deepEqual(applyDelta(empty, encodeDelta(empty, some)), some)
    assert.deepEqual(applyDelta(some, encodeDelta(some, empty)), empty)
    assert.deepEqual(applyDelta(empty, encodeDelta(empty, empty)), empty)
  })

  it('gives up quickly on two large states with nothing in common', () => {
    const base = Buffer.alloc(1_500_000, 'abcdefghijklmnopqrs')
    const target = Buffer.alloc(1_500_000, '0123456789-0123456')
    const delta = encodeDelta(base, target)
    assert.deepEqual(applyDelta(base, delta), target)
    assert.ok(delta.length < target.length + 100)
  })
})
