import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { compileSchema, type JsonSchema, type ValidationRule } from './index.ts'
import { causeText, objectWith } from './recorded/object.ts'

const ruled = (schema: JsonSchema, ...rules: ValidationRule[]): JsonSchema => ({ ...schema, 'x-kubernetes-validations': rules })
const name: JsonSchema = { type: 'string', maxLength: 64 }
const integer: JsonSchema = { type: 'integer' }

function whole(properties: { readonly [name: string]: JsonSchema }, ...rules: ValidationRule[]): JsonSchema {
  return { type: 'object', properties: { metadata: { type: 'object' }, spec: ruled({ type: 'object', properties }, ...rules) } }
}

interface Verdict {
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

function judge(schema: JsonSchema, spec: JsonObject, old?: JsonObject): Verdict {
  const context = old === undefined ? {} : { old: objectWith(old) }
  const { errors, warnings } = compileSchema(schema).validate(objectWith(spec), context)
  return { errors: errors.map(causeText), warnings }
}

const errors = (schema: JsonSchema, spec: JsonObject, old?: JsonObject): readonly string[] => judge(schema, spec, old).errors

describe('recorded rules', () => {
  it('CE-012 transition rules run on updates of values that were there', () => {
    const schema = whole({ immutable: ruled(name, { rule: 'self == oldSelf', message: 'immutable is immutable' }) })
    assert.deepEqual(errors(schema, { immutable: 'y' }), [])
    assert.deepEqual(errors(schema, { immutable: 'y' }, {}), [])
    assert.deepEqual(errors(schema, { immutable: 'y' }, { immutable: 'x' }), [
      'Invalid spec.immutable: Invalid value: "string": immutable is immutable',
    ])
  })

  it('CE-019 elements of list maps correspond by key', () => {
    const item: JsonSchema = {
      type: 'object',
      properties: { name, value: ruled(integer, { rule: 'self >= oldSelf', message: 'value may only grow' }) },
    }
    const listMap: JsonSchema = { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] }
    const old = {
      list: [
        { name: 'a', value: 5 },
        { name: 'b', value: 5 },
      ],
    }
    const moved = {
      list: [
        { name: 'b', value: 6 },
        { name: 'a', value: 4 },
      ],
    }
    assert.deepEqual(errors(whole({ list: listMap }), moved, old), [
      'Invalid spec.list[1].value: Invalid value: "integer": value may only grow',
    ])
    assert.deepEqual(errors(whole({ list: { type: 'array', items: item } }), moved, old), [], 'atomic lists have no memory')
  })

  it('CE-034 rules at the root see the name, and no other metadata', () => {
    const schema = ruled(whole({}), { rule: "self.metadata.name != 'a' || self != oldSelf", message: 'the name is reserved' })
    const old = { ...objectWith({}), metadata: { name: 'a', labels: { changed: 'yes' } } }
    const { errors } = compileSchema(schema).validate(objectWith({}), { old })
    assert.deepEqual(errors.map(causeText), ['Invalid <nil>: Invalid value: "object": the name is reserved'])
  })

  it('CE-035 rules of maps, values and elements name their places', () => {
    const positive = { rule: 'self > 0', message: 'map values must be positive' }
    const schema = whole({
      map: { type: 'object', additionalProperties: ruled(integer, positive) },
      list: { type: 'array', items: ruled(name, { rule: "self != 'bad'", message: 'element is bad' }) },
    })
    assert.deepEqual(errors(schema, { map: { x: 0 }, list: ['ok', 'bad'] }), [
      'Invalid spec.map[x]: Invalid value: "integer": map values must be positive',
      'Invalid spec.list[1]: Invalid value: "string": element is bad',
    ])
  })

  it('CE-036 schema errors keep the rules from running', () => {
    const schema = whole({ min: integer, noMessage: ruled(integer, { rule: 'self > 0' }) })
    assert.deepEqual(errors(schema, { min: 'x', noMessage: 0 }), [
      'TypeInvalid spec.min: Invalid value: "string": spec.min in body must be of type integer: "string"',
      'Invalid <nil>: Invalid value: "null": some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
    ])
  })

  it('CE-036 errors of value alone do not', () => {
    const schema = whole({ min: { type: 'integer', minimum: 1 }, noMessage: ruled(integer, { rule: 'self > 0' }) })
    assert.deepEqual(errors(schema, { min: 0, noMessage: 0 }), [
      'Invalid spec.min: Invalid value: 0: spec.min in body should be greater than or equal to 1',
      'Invalid spec.noMessage: Invalid value: "integer": failed rule: self > 0',
    ])
  })

  it('rules in allOf are rules', () => {
    const schema = whole({ a: { ...integer, allOf: [{ 'x-kubernetes-validations': [{ rule: 'self > 0', message: 'positive' }] }] } })
    assert.deepEqual(errors(schema, { a: 0 }), ['Invalid spec.a: Invalid value: "integer": positive'])
  })

  it('null values are not asked', () => {
    const schema = whole({ a: ruled({ ...name, nullable: true }, { rule: "self != 'x'" }) })
    assert.deepEqual(errors(schema, { a: null }), [])
  })
})

describe('ratcheting', () => {
  const atMost = ruled(integer, { rule: 'self <= 10', message: 'at most 10' })

  it('CE-039 rules on unchanged values are not judged again, but warn', () => {
    const schema = whole({ a: atMost, b: name })
    assert.deepEqual(judge(schema, { a: 50, b: 'y' }, { a: 50, b: 'x' }), {
      errors: [],
      warnings: ['spec.a: Invalid value: "integer": at most 10'],
    })
    assert.deepEqual(errors(schema, { a: 60, b: 'x' }, { a: 50, b: 'x' }), ['Invalid spec.a: Invalid value: "integer": at most 10'])
  })

  it('CE-040 rules on a changed parent are judged', () => {
    const schema = whole({ a: integer, b: name }, { rule: 'self.a <= 10', message: 'a at most 10' })
    assert.deepEqual(judge(schema, { a: 50, b: 'x' }, { a: 50, b: 'x' }), {
      errors: [],
      warnings: ['spec: Invalid value: "object": a at most 10'],
    })
    assert.deepEqual(errors(schema, { a: 50, b: 'y' }, { a: 50, b: 'x' }), ['Invalid spec: Invalid value: "object": a at most 10'])
  })

  it('CE-041 transition rules are always judged', () => {
    const schema = whole({ a: ruled(integer, { rule: 'self > oldSelf', message: 'must grow' }), b: name })
    assert.deepEqual(judge(schema, { a: 5, b: 'y' }, { a: 5, b: 'x' }), {
      errors: ['Invalid spec.a: Invalid value: "integer": must grow'],
      warnings: [],
    })
  })

  it('CE-042 schema errors ratchet too, in lists only by key', () => {
    const item: JsonSchema = { type: 'object', properties: { k: name, n: { type: 'integer', maximum: 10 } } }
    const schema = whole({
      atomic: { type: 'array', items: item },
      keyed: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    })
    const old = { atomic: [{ n: 50 }], keyed: [{ k: 'a', n: 50 }] }
    assert.deepEqual(errors(schema, { ...old, more: 1 }, old), [])
    assert.deepEqual(
      errors(
        schema,
        {
          ...old,
          keyed: [
            { k: 'b', n: 1 },
            { k: 'a', n: 50 },
          ],
        },
        old,
      ),
      [],
    )
    assert.deepEqual(errors(schema, { ...old, atomic: [{ n: 50 }, { n: 1 }] }, old), [
      'Invalid spec.atomic[0].n: Invalid value: 50: spec.atomic[0].n in body should be less than or equal to 10',
    ])
    assert.deepEqual(errors(schema, { ...old, keyed: [{ k: 'b', n: 11 }] }, old), [
      'Invalid spec.keyed[0].n: Invalid value: 11: spec.keyed[0].n in body should be less than or equal to 10',
    ])
  })

  it('finds elements of long lists by key as well', () => {
    const item: JsonSchema = { type: 'object', properties: { k: name, n: { type: 'integer', maximum: 10 } } }
    const schema = whole({ keyed: { type: 'array', items: item, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] } })
    const keyed = Array.from({ length: 40 }, (_, index) => ({ k: `k${index}`, n: 50 }))
    assert.deepEqual(errors(schema, { keyed: structuredClone(keyed).reverse().slice(1) }, { keyed }), [])
    assert.equal(errors(schema, { keyed: keyed.map((each) => ({ ...each, k: `${each.k}x` })) }, { keyed }).length, 40)
  })

  it('alternatives are judged as if new', () => {
    const schema = whole({ a: name, b: name }, { rule: 'true' })
    const either: JsonSchema = {
      ...schema.properties?.spec,
      oneOf: [{ properties: { a: { enum: ['x'] } } }, { properties: { a: { enum: ['y'] } } }],
    }
    assert.deepEqual(errors({ type: 'object', properties: { spec: either } }, { a: 'x', b: '2' }, { a: 'x', b: '1' }), [])
  })

  it('lists that were not unique before may stay so', () => {
    const schema = whole({ set: { type: 'array', items: name, 'x-kubernetes-list-type': 'set' }, b: name })
    assert.deepEqual(errors(schema, { set: ['a', 'a'], b: '2' }, { set: ['a', 'a'], b: '1' }), [])
    assert.deepEqual(errors(schema, { set: ['a', 'a'] }, { set: ['a'] }), ['Duplicate spec.set[1]: Duplicate value: "a"'])
  })
})
