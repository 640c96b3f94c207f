import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError } from '../errors/api-error.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import { applyJsonPatch, applyMergePatch } from './index.ts'
import recorded from './recorded/patches.json' with { type: 'json' }

/** Patches that a real server was sent, and what they made of an object there. */
interface Recorded {
  readonly id: string
  readonly title: string
  readonly from: JsonObject
  readonly steps: readonly { readonly by: 'json' | 'merge'; readonly patch: Json; readonly gives?: JsonObject; readonly fails?: number }[]
}

const scenarios: unknown = recorded

describe('recorded JSON and merge patches', () => {
  for (const { id, title, from, steps } of scenarios as readonly Recorded[]) {
    it(`${id} ${title}`, () => {
      let document = asStored(from)
      for (const { by, patch, gives, fails } of steps) {
        const apply = (): JsonObject => (by === 'json' ? applyJsonPatch(document, patch) : applyMergePatch(document, patch))
        if (fails !== undefined) {
          assert.throws(apply, (error) => error instanceof ApiError && error.code === fails)
          continue
        }
        document = asStored(apply())
        assert.deepEqual(document, gives)
      }
    })
  }

  it('PA-017 more than 10,000 operations are too many', () => {
    const operations = Array.from({ length: 10_000 }, () => ({ op: 'test', path: '/spec/size', value: 'big' }))
    const document = { spec: { size: 'big' } }
    assert.equal(applyJsonPatch(document, operations), document)
    assert.throws(
      () => applyJsonPatch(document, [...operations, { op: 'remove', path: '/spec' }]),
      (error) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.code, 413)
        assert.equal(error.message, 'Request entity too large: The allowed maximum operations in a JSON patch is 10000, got 10001')
        return true
      },
    )
  })

  it('a failed patch says what real servers say', () => {
    assert.throws(
      () => applyJsonPatch({ spec: {} }, [{ op: 'test', path: '/spec/size', value: 1 }]),
      (error) => {
        assert.ok(error instanceof ApiError)
        assert.deepEqual(error.status, {
          kind: 'Status',
          apiVersion: 'v1',
          metadata: {},
          status: 'Failure',
          message: 'the server rejected our request due to an error in our request',
          reason: 'Invalid',
          details: {},
          code: 422,
        })
        return true
      },
    )
  })
})

/** What the rest of the server makes of a Widget, Loose or ConfigMap: port defaults, no nulls where the schema has none, no stray fields. */
function asStored(object: JsonObject): JsonObject {
  const { size: _, spec, metadata, ...others } = object
  const rest = isObject(metadata) && Object.keys(metadata).length > 0 ? { ...others, metadata } : others
  if (!isObject(spec)) return rest
  const present = Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== null))
  const { ports } = present
  if (!isArray(ports)) return { ...rest, spec: present }
  return { ...rest, spec: { ...present, ports: ports.map((port) => (isObject(port) ? { protocol: 'TCP', ...port } : port)) } }
}
