import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { aNodePool } from '@windlass/api/fixtures'
import { equalJson, mergePatchBetween, setIn } from './index.ts'
import { changes } from './merge-patch.ts'
import { mergePatch, someObject as object } from './testing/json.ts'

describe('JSON values', () => {
  it('N17 two values are equal when they say the same, in whatever order', () => {
    assert.ok(equalJson({ a: 1, b: [{ c: 2 }] }, { b: [{ c: 2 }], a: 1 }))
    assert.ok(equalJson({ a: 1, b: undefined }, { a: 1 }), 'undefined is not sent')
    assert.ok(equalJson({ a: 1 }, { b: undefined, a: 1 }))
    assert.ok(!equalJson({ a: 1 }, { a: 1, b: null }))
    assert.ok(!equalJson([1, 2], [2, 1]))
    assert.ok(!equalJson([], {}))
    assert.ok(!equalJson({}, []))
    assert.ok(!equalJson('1', 1))
  })

  it('N17 equality is that of what is sent', () => {
    fc.assert(fc.property(object, object, (a, b) => assert.equal(equalJson(a, b), isDeepEqual(a, b))))
  })

  it('N17 applying the merge patch between two objects gives the second', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const patch = mergePatchBetween(before, after)
        assert.deepEqual(patch === undefined ? before : mergePatch(before, patch), after)
      }),
    )
  })

  it('N17 there is a merge patch exactly when the objects differ, and it says nothing that is so already', () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const patch = mergePatchBetween(before, after)
        assert.equal(patch === undefined, equalJson(before, after))
        if (patch !== undefined) assert.ok(Object.entries(patch).every(([name, value]) => changes(before[name], value)))
      }),
    )
  })

  it('N17 a merge patch changes something exactly when applying it does', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => assert.equal(changes(target, patch), !isDeepEqual(mergePatch(target, patch), target))),
    )
    assert.ok(changes({ a: 1 }, { a: null }))
    assert.ok(!changes({}, { a: null }))
    assert.ok(!changes({ a: 1 }, { a: 1, b: undefined }))
  })
})

function isDeepEqual(a: unknown, b: unknown): boolean {
  try {
    assert.deepEqual(a, b)
    return true
  } catch {
    return false
  }
}

describe('setIn', () => {
  const pool = aNodePool()

  it('N17 changes one value and shares everything beside its path', () => {
    const changed = setIn(pool, ['spec', 'replicas'], 7)
    assert.equal(changed.spec.replicas, 7)
    assert.notEqual(pool.spec.replicas, 7)
    assert.equal(changed.status, pool.status)
    assert.equal(changed.spec.release, pool.spec.release)
  })

  it('N17 gives the object itself when the value is equal already', () => {
    assert.equal(setIn(pool, ['spec', 'release'], { ...pool.spec.release }), pool)
    assert.equal(setIn(pool, ['metadata', 'annotations', 'a'], undefined), pool)
  })

  it('N17 makes parents that are absent, and removes with undefined', () => {
    const marked = setIn(pool, ['metadata', 'annotations', 'windlass.dev/mark'], 'yes')
    assert.deepEqual(marked.metadata.annotations, { ...pool.metadata.annotations, 'windlass.dev/mark': 'yes' })
    const unmarked = setIn(marked, ['metadata', 'annotations', 'windlass.dev/mark'], undefined)
    assert.deepEqual(unmarked.metadata.annotations, pool.metadata.annotations ?? {})
    assert.ok(!('status' in setIn(pool, ['status'], undefined)))
  })

  it('N17 takes only paths that there are, and values that fit', () => {
    // @ts-expect-error: replicas is a number
    assert.ok(setIn(pool, ['spec', 'replicas'], '3'))
    // @ts-expect-error: there is no such field
    assert.ok(setIn(pool, ['spec', 'replica'], 3))
  })
})
