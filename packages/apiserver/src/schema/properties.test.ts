import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { compileSchema, type CompiledSchema } from './index.ts'
import { checkSchema } from './recorded/check-schema.ts'
import { defaultedSchema } from './recorded/defaulted-schema.ts'
import { objectWith } from './recorded/object.ts'

const schemas: readonly CompiledSchema[] = [checkSchema, defaultedSchema].map(compileSchema)

const fieldNames = [...new Set(schemas.flatMap(({ schema }) => Object.keys(schema.properties?.spec?.properties ?? {})))]
const names = fc.oneof(
  fc.constantFrom(...fieldNames),
  fc.constantFrom('a', 'b', 'k', 'v', 'name', 'port', 'apiVersion', 'kind', 'metadata', 'constructor'),
)

/** JSON whose keys often are fields of the schemas, so that walks get somewhere. */
const { value: json } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom<Json>(null, true, 0, -1, 1.5, 1e300, 2n ** 60n, 2n ** 70n, '', 'a', 'red', '5m', '2026-01-01', '😀'),
    fc.dictionary(names, tie('value'), { maxKeys: 6, noNullPrototype: true }),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}))
const objects = fc
  .record({ spec: json, status: json, other: json }, { requiredKeys: [] })
  .map((parts): JsonObject => ({ ...objectWith({}), ...parts }))

const forAll = (property: (schema: CompiledSchema, object: JsonObject) => void): void =>
  fc.assert(
    fc.property(fc.constantFrom(...schemas), objects, (schema, object) => property(schema, object)),
    { numRuns: 300 },
  )

describe('schemas, whatever the object', () => {
  it('prune to something that needs no pruning', () =>
    forAll((schema, object) => {
      const pruned = schema.prune(object)
      assert.equal(schema.prune(pruned), pruned)
    }))

  it('report a dropped field exactly when they drop one', () =>
    forAll((schema, object) => {
      const unknown: string[] = []
      const pruned = schema.prune(object, (path) => unknown.push(path))
      if (unknown.length === 0 && !hasCreationTimestamp(object)) assert.equal(pruned, object)
      if (unknown.length > 0) assert.notEqual(pruned, object)
    }))

  it('default to something that needs no defaults', () =>
    forAll((schema, object) => {
      const completed = schema.applyDefaults(object)
      assert.equal(schema.applyDefaults(completed), completed)
    }))

  it('never change the object they are given', () =>
    forAll((schema, object) => {
      const before = structuredClone(object)
      schema.applyDefaults(schema.prune(object))
      schema.validate(object)
      assert.deepEqual(object, before)
    }))

  it('validate without throwing, as new objects, as changes and as a status', () =>
    fc.assert(
      fc.property(fc.constantFrom(...schemas), objects, objects, (schema, object, old) => {
        for (const context of [{}, { old }, { old, subresource: 'status' }]) {
          for (const { field } of schema.validate(object, context).errors) assert.notEqual(field, '')
        }
        schema.typeMismatch(object)
        schema.malformedEmbedded(object)
      }),
      { numRuns: 300 },
    ))

  it('accept a change that changes nothing, however wrong the object', () =>
    forAll((schema, object) => {
      const errors = schema.validate(structuredClone(object), { old: object }).errors
      assert.deepEqual(
        errors.filter(({ field }) => !field.includes('embedded')),
        [],
      )
    }))

  it('find in a change nothing that they would not find in a new object', () =>
    fc.assert(
      fc.property(fc.constantFrom(...schemas), objects, objects, (schema, object, old) => {
        const asNew = schema.validate(object).errors.length
        assert.ok(schema.validate(object, { old }).errors.length <= asNew)
      }),
      { numRuns: 300 },
    ))
})

function hasCreationTimestamp(value: Json): boolean {
  return isObject(value) ? Object.entries(value).some(([key, each]) => key === 'creationTimestamp' || hasCreationTimestamp(each)) : false
}
