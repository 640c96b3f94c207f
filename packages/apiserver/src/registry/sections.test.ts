import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { inChangedSections } from './sections.ts'

const spec = { replicas: 1 }
const before = { kind: 'Widget', spec, status: { ready: 0 } }

/** What was looked at, and what became of the whole. */
function changing(object: JsonObject, change: (part: JsonObject) => JsonObject, old: JsonObject | undefined) {
  let seen: JsonObject | undefined
  const result = inChangedSections(object, old, (part) => change((seen = part)))
  return { seen, result }
}

describe('sections of an object', () => {
  it('are looked at when they are not those of before', () => {
    const { seen, result } = changing({ ...before, status: { ready: 1 } }, (part) => ({ ...part, status: { ready: 2 } }), before)
    assert.deepEqual(seen, { status: { ready: 1 } })
    assert.deepEqual(result, { kind: 'Widget', spec: { replicas: 1 }, status: { ready: 2 } })
    assert.equal(result.spec, spec)
    assert.deepEqual(Object.keys(result), ['kind', 'spec', 'status'])
  })

  it('are all looked at when there is no before, or nothing of it is left', () => {
    for (const old of [undefined, {}]) {
      const { seen, result } = changing(before, (part) => part, old)
      assert.deepEqual([seen, result], [before, before])
    }
  })

  it('may go, and may come where there is nothing', () => {
    const object = { ...before, status: { ready: 1 }, junk: true }
    const { result } = changing(object, ({ junk: _, ...part }) => ({ ...part, spec: { replicas: 9 }, data: {} }), before)
    assert.deepEqual(result, { kind: 'Widget', spec: { replicas: 1 }, status: { ready: 1 }, data: {} })
  })

  it('are the same object when nothing is changed', () => {
    const object = { ...before, status: { ready: 1 } }
    assert.equal(changing(object, (part) => part, before).result, object)
  })
})
