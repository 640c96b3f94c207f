import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { equalJson, isArray, isObject, type Json, type JsonObject } from '../json.ts'
import { applyMergePatch } from './index.ts'

const { value, object } = fc.letrec<{ value: Json; object: JsonObject; list: Json[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom<Json>(null, 0, 1, 'x', true, 9007199254740993n), tie('object'), tie('list')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  list: fc.array(tie('value'), { maxLength: 3 }),
}))

/** The RFC's algorithm, word for word; real servers also drop nulls from objects inside lists. */
function reference(target: Json | undefined, patch: Json): Json {
  if (isArray(patch)) return patch.map((item) => (isObject(item) || isArray(item) ? reference(undefined, item) : item))
  if (!isObject(patch)) return patch
  const result: Record<string, Json> = isObject(target) ? { ...target } : {}
  for (const [key, change] of Object.entries(patch)) {
    if (change === null) delete result[key]
    else result[key] = reference(result[key], change)
  }
  return result
}

describe('merge patch', () => {
  it('does what the RFC says', () => {
    fc.assert(fc.property(object, object, (target, patch) => assert.deepEqual(applyMergePatch(target, patch), reference(target, patch))))
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const once = applyMergePatch(target, patch)
        assert.equal(applyMergePatch(once, patch), once)
      }),
    )
  })

  it('returns the object itself when nothing changes', () => {
    fc.assert(
      fc.property(object, object, (target, patch) => {
        const result = applyMergePatch(target, patch)
        assert.equal(result === target, equalJson(result, target))
      }),
    )
  })

  it('shares the parts that it does not touch', () => {
    const target = { spec: { replicas: 1, ports: [{ port: 80 }] }, status: { phase: 'Up' } }
    const result = applyMergePatch(target, { spec: { replicas: 2, ports: [{ port: 80 }] } })
    assert.equal(result.status, target.status)
    assert.equal(isObject(result.spec) && result.spec.ports, target.spec.ports)
  })

  it('must be an object', () => {
    fc.assert(
      fc.property(
        value.filter((patch) => !isObject(patch)),
        (patch) => assert.throws(() => applyMergePatch({}, patch), { code: 400 }),
      ),
    )
  })
})
