import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { compileSchema, type JsonSchema, validateValue } from './index.ts'
import { recordedCases } from './recorded/check-cases.ts'
import { checkSchema } from './recorded/check-schema.ts'
import { causeText, objectWith } from './recorded/object.ts'

/** The way of a write: null handling and defaults come before validation. */
function causes(schema: JsonSchema, object: JsonObject, context = {}): readonly string[] {
  const compiled = compileSchema(schema)
  return compiled.validate(compiled.applyDefaults(compiled.prune(object)), context).errors.map(causeText)
}

/** Texts up to `…`, which stands for what a recording does not compare. */
function comparable(actual: readonly string[], expected: readonly string[]): readonly string[] {
  return actual.map((text) => expected.find((each) => each.endsWith('…') && text.startsWith(each.slice(0, -1))) ?? text)
}

describe('recorded validation', () => {
  for (const { id, title, refused, accepted } of recordedCases) {
    it(`${id} ${title}`, () => {
      for (const [spec, ...expected] of refused) {
        const actual = comparable(causes(checkSchema, objectWith(spec)), expected)
        // A real server walks maps in no order: between fields there is none to keep.
        assert.deepEqual(actual.toSorted(), expected.toSorted(), JSON.stringify(spec))
      }
      for (const spec of accepted) assert.deepEqual(causes(checkSchema, objectWith(spec)), [])
    })
  }
})

describe('messages', () => {
  it('show duplicate keys of a list as Go prints them', () => {
    const spec = {
      map: [{ k: 'a' }, { k: 'b' }, { k: 'a', v: 2 }],
      setObj: [
        { a: 'x', b: 1 },
        { b: 1, a: 'x' },
      ],
    }
    assert.deepEqual(causes(checkSchema, objectWith(spec)), [
      'Duplicate spec.map[2]: Duplicate value: map[string]interface {}{"k":"a"}',
      'Duplicate spec.setObj[1]: Duplicate value: map[string]interface {}{"a":"x", "b":1}',
    ])
  })

  it('name the missing format where a number or boolean stands for a formatted value', () => {
    assert.deepEqual(causes(checkSchema, objectWith({ int32: true, dateTime: 5 })), [
      'TypeInvalid spec.int32: Invalid value: "": spec.int32 in body must be of type int32: ""',
      'TypeInvalid spec.dateTime: Invalid value: "int64": spec.dateTime in body must be of type date-time: "int64"',
    ])
  })

  it('explain the alternative that came closest', () => {
    assert.deepEqual(causes(checkSchema, objectWith({ oneOf: {} })), [
      'Invalid <nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found none valid',
      'Required spec.oneOf.a: Required value',
    ])
    assert.deepEqual(causes(checkSchema, objectWith({ oneOf: { a: 'x', b: 'y' } })), [
      'Invalid <nil>: Invalid value: "": "spec.oneOf" must validate one and only one schema (oneOf). Found 2 valid alternatives',
    ])
  })

  it('tell each complaint once, however many alternatives make it', () => {
    const schema = { type: 'object', properties: { spec: { type: 'object', required: ['a'], allOf: [{ required: ['a'] }] } } } as const
    assert.deepEqual(causes(schema, objectWith({})), [
      'Required spec.a: Required value',
      'Invalid <nil>: Invalid value: "": "spec" must validate all the schemas (allOf). None validated',
    ])
  })

  it('keep all digits of integers beyond 2^53', () => {
    const spec = { type: 'object', properties: { n: { type: 'integer', maximum: 5 } } } as const
    assert.deepEqual(causes({ type: 'object', properties: { spec } }, objectWith({ n: 9007199254740993n })), [
      'Invalid spec.n: Invalid value: 9007199254740993: spec.n in body should be less than or equal to 5',
    ])
  })
})

describe('a status write', () => {
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      spec: { type: 'object', properties: { n: { type: 'integer', maximum: 3 } } },
      status: {
        type: 'object',
        properties: {
          replicas: { type: 'integer' },
          conditions: {
            type: 'array',
            items: { type: 'object', properties: { type: { type: 'string' }, status: { type: 'string' } }, required: ['type'] },
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['type'],
          },
        },
      },
    },
  }
  const status = (value: JsonObject) =>
    causes(schema, objectWith({ n: 9 }, { status: value }), { subresource: 'status', old: objectWith({}) })

  it('SU-007 names paths without the prefix in its messages, and leaves the spec alone', () => {
    assert.deepEqual(status({ replicas: 'x' }), [
      'TypeInvalid status.replicas: Invalid value: "string": replicas in body must be of type integer: "string"',
    ])
    assert.deepEqual(status({ conditions: [{ status: 'True' }] }), ['Required status.conditions[0].type: Required value'])
  })

  it('SU-007 refuses conditions of the same type', () => {
    assert.deepEqual(status({ conditions: [{ type: 'A' }, { type: 'A' }] }), [
      'Duplicate status.conditions[1]: Duplicate value: map[string]interface {}{"type":"A"}',
    ])
  })
})

describe('a circular schema', () => {
  it('is followed as far as the object goes', () => {
    const node: { -readonly [Key in keyof JsonSchema]: JsonSchema[Key] } = { type: 'object' }
    node.properties = { name: { type: 'string', default: 'x' }, child: node }
    const compiled = compileSchema({ type: 'object', properties: { spec: node } })
    const object = compiled.applyDefaults(compiled.prune(objectWith({ child: { child: { name: 'y', nope: 1 } } })))
    assert.deepEqual(object.spec, { name: 'x', child: { name: 'x', child: { name: 'y' } } })
    assert.deepEqual(compiled.validate(objectWith({ child: { child: { name: 5 } } })).errors.map(causeText), [
      'TypeInvalid spec.child.child.name: Invalid value: "integer": spec.child.child.name in body must be of type string: "integer"',
    ])
  })
})

describe('validateValue', () => {
  const field = 'spec.validation.openAPIV3Schema.properties[spec].properties[a].default'

  it('CD-036 CD-037 name the field of the default, and no path in the message', () => {
    assert.deepEqual(validateValue({ type: 'string' }, 5, field).map(causeText), [
      `TypeInvalid ${field}: Invalid value: "integer":  in body must be of type string: "integer"`,
    ])
    assert.deepEqual(validateValue({ type: 'integer', minimum: 3 }, 1, field).map(causeText), [
      `Invalid ${field}: Invalid value: 1:  in body should be greater than or equal to 3`,
    ])
    assert.deepEqual(validateValue({ type: 'string', enum: ['x'] }, 'y', field).map(causeText), [
      `NotSupported ${field}: Unsupported value: "y": supported values: "x"`,
    ])
  })

  it('asks the rules of the value, as a new value too', () => {
    const rules = [{ rule: 'oldSelf.hasValue() || self > 3', message: 'too small', optionalOldSelf: true }]
    const schema: JsonSchema = { type: 'integer', 'x-kubernetes-validations': rules }
    assert.deepEqual(validateValue(schema, 1, field).map(causeText), [`Invalid ${field}: Invalid value: "integer": too small`])
    assert.deepEqual(validateValue(schema, 4, field), [])
  })
})

function count(schema: JsonSchema, object: JsonObject): number {
  return compileSchema(schema).validate(object).errors.length
}

describe('hostile objects', () => {
  it('with very many errors are judged all the same', () => {
    const list = Array.from({ length: 130_000 }, () => 1)
    assert.equal(count(checkSchema, objectWith({ arr: list })), 130_000)
    assert.equal(count(checkSchema, objectWith({ set: list.map((_, index) => `${index % 65_000}`) })), 65_000)
    const either: JsonSchema = { anyOf: [{ items: { type: 'string' } }, { type: 'object' }] }
    assert.equal(count({ type: 'object', properties: { spec: either } }, { spec: list }), 130_001)
  })

  it('cost no more than they should in deeply nested alternatives', () => {
    let schema: JsonSchema = { type: 'string' }
    for (let depth = 0; depth < 60; depth++) schema = depth % 2 === 0 ? { anyOf: [schema] } : { allOf: [schema] }
    assert.equal(causes({ type: 'object', properties: { spec: { properties: {}, ...schema } } }, objectWith({})).length, 3)
  })
})
