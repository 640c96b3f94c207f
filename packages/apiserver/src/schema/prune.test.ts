import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { compileSchema, type JsonSchema, pruneValue } from './index.ts'
import { checkSchema } from './recorded/check-schema.ts'
import { defaultedSchema } from './recorded/defaulted-schema.ts'
import { objectWith } from './recorded/object.ts'

function prune(schema: JsonSchema, object: JsonObject, order?: 'sorted' | 'as sent'): { pruned: JsonObject; unknown: readonly string[] } {
  const unknown: string[] = []
  const pruned = compileSchema(schema).prune(object, (path) => unknown.push(path), order)
  return { pruned, unknown }
}

describe('recorded pruning', () => {
  it('PD-015 unknown fields at the top go', () => {
    const { pruned, unknown } = prune(defaultedSchema, objectWith({}, { other: 1, data: {} }))
    assert.deepEqual(pruned, objectWith({}))
    assert.deepEqual(unknown, ['data', 'other'])
  })

  it('PD-016 preserve-unknown-fields keeps everything below', () => {
    const object = objectWith({ keep: { known: 'x', unknown: { deep: [1, { a: 2 }] } }, anything: { a: [1] } })
    assert.equal(prune(defaultedSchema, object).pruned, object)
  })

  it('PD-017 pruning starts again below typed properties of a preserving object', () => {
    const { pruned, unknown } = prune(defaultedSchema, objectWith({ keepInner: { free: { a: 1 }, typed: { a: 'x', b: 'pruned' } } }))
    assert.deepEqual(pruned.spec, { keepInner: { free: { a: 1 }, typed: { a: 'x' } } })
    assert.deepEqual(unknown, ['spec.keepInner.typed.b'])
  })

  it('PD-019 embedded resources keep apiVersion, kind and metadata, whose own unknown fields are told last', () => {
    const { pruned, unknown } = prune(
      defaultedSchema,
      objectWith({
        embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: 'b' }, nope: 1 }, spec: { free: 1 } },
        embeddedStrict: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { a: '1', b: '2' }, other: 1 },
      }),
    )
    assert.deepEqual(pruned.spec, {
      embedded: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: { a: 'b' } }, spec: { free: 1 } },
      embeddedStrict: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, spec: { a: '1' } },
    })
    assert.deepEqual(unknown, ['spec.embeddedStrict.other', 'spec.embeddedStrict.spec.b', 'spec.embedded.metadata.nope'])
  })

  it('PD-022 a kind without schema keeps everything', () => {
    const object = objectWith({ any: [1, 'x', null, { deep: null }] }, { other: { a: 1.5 } })
    assert.equal(prune({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }, object).pruned, object)
  })

  it('FV-002 paths go through lists', () => {
    const { unknown } = prune(
      checkSchema,
      objectWith({ foo: 1, bar: { baz: 2 }, nested: [{ name: 'x', extra: 1 }], obj: { nope: 1 } }, { oops: true }),
    )
    assert.deepEqual(unknown, ['oops', 'spec.bar', 'spec.foo', 'spec.nested[0].extra', 'spec.obj.nope'])
  })

  it('FV-002 built-in kinds are told in the order of the object', () => {
    const { unknown } = prune({ type: 'object', properties: {} }, { kind: 'ConfigMap', foo: 1, bar: 2 }, 'as sent')
    assert.deepEqual(unknown, ['foo', 'bar'])
  })
})

describe('pruning', () => {
  it('empties objects where nothing is known, and leaves other values there', () => {
    const schema: JsonSchema = { type: 'object', additionalProperties: true }
    assert.deepEqual(pruneValue(schema, { a: { b: 1 }, c: 5 }), { a: {}, c: 5 })
    assert.deepEqual(pruneValue({ type: 'array' }, [{ a: 1 }, 2]), [{}, 2])
  })

  it('leaves the metadata of the object itself alone', () => {
    const object = { apiVersion: 'v1', kind: 'X', metadata: { name: 'a', nope: 1 } }
    assert.equal(prune({ type: 'object', properties: {} }, object).pruned, object)
  })

  it('drops the null creationTimestamp that Go clients write into templates', () => {
    const schema: JsonSchema = { type: 'object', properties: {}, 'x-kubernetes-embedded-resource': true }
    assert.deepEqual(pruneValue(schema, { kind: 'Pod', metadata: { creationTimestamp: null, name: 'x' } }), {
      kind: 'Pod',
      metadata: { name: 'x' },
    })
  })

  it('takes fields of every object for unknown when they are not listed', () => {
    assert.deepEqual(pruneValue({ type: 'object', properties: {} }, { constructor: 1, toString: 2 }), {})
  })
})
