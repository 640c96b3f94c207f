import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { compileSchema, type JsonSchema, type TypeMismatch } from './index.ts'

const schema: JsonSchema = {
  type: 'object',
  properties: {
    data: { type: 'object', additionalProperties: { type: 'string' } },
    spec: {
      type: 'object',
      properties: {
        replicas: { type: 'integer', format: 'int32' },
        paused: { type: 'boolean' },
        maxSurge: { 'x-kubernetes-int-or-string': true },
        containers: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
        free: { 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
}
const compiled = compileSchema(schema)
const typeMismatch = (object: JsonObject): TypeMismatch | undefined => compiled.typeMismatch(object)

describe('typeMismatch', () => {
  it('accepts what Go would decode: nulls, unknown fields, either form of int-or-string', () => {
    for (const maxSurge of [1, '25%', null]) {
      const spec = { replicas: null, paused: true, maxSurge, containers: [null, { name: 'c' }], free: [1, {}], unknown: 5 }
      assert.equal(typeMismatch({ metadata: 7, data: { a: 'b' }, spec }), undefined)
    }
  })

  it('tells the first place that does not fit, in words of Go', () => {
    assert.deepEqual(typeMismatch({ data: { k: 5 } }), { path: 'data.k', expected: 'string', actual: 'number' })
    assert.deepEqual(typeMismatch({ spec: { replicas: '3' } }), { path: 'spec.replicas', expected: 'int32', actual: 'string' })
    assert.deepEqual(typeMismatch({ spec: { containers: [{ name: 'a' }, { name: true }] } }), {
      path: 'spec.containers[1].name',
      expected: 'string',
      actual: 'bool',
    })
    assert.deepEqual(typeMismatch({ spec: [] }), { path: 'spec', expected: 'map', actual: 'array' })
    assert.deepEqual(typeMismatch({ spec: { maxSurge: 1.5 } }), { path: 'spec.maxSurge', expected: 'intstr.IntOrString', actual: 'number' })
  })

  it('knows how much an int32 holds, and that integers have no fraction', () => {
    assert.equal(typeMismatch({ spec: { replicas: 2147483647 } }), undefined)
    assert.deepEqual(typeMismatch({ spec: { replicas: 2147483648 } }), {
      path: 'spec.replicas',
      expected: 'int32',
      actual: 'number 2147483648',
    })
    assert.deepEqual(typeMismatch({ spec: { replicas: 1.5 } }), { path: 'spec.replicas', expected: 'int32', actual: 'number 1.5' })
  })
})
