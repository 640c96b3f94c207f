import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { compileSchema, defaultValue, type JsonSchema } from './index.ts'
import { defaultedSchema } from './recorded/defaulted-schema.ts'
import { objectWith } from './recorded/object.ts'

const compiled = compileSchema(defaultedSchema)
const applyDefaults = (object: JsonObject): JsonObject => compiled.applyDefaults(object)

/** What an empty spec becomes (PD-001). */
const completed: JsonObject = {
  empty: { a: 'x' },
  listDefault: ['a', 'b'],
  name: 'unnamed',
  nullableDefault: 'n',
  objDefault: { level: 3, mode: 'auto' },
  on: true,
  ratio: 0.5,
  replicas: 1,
}

const recorded: readonly (readonly [title: string, spec: JsonObject, expected: JsonObject])[] = [
  ['PD-001 an empty spec gets its defaults', {}, completed],
  [
    'PD-004 zero values are values',
    { replicas: 0, name: '', on: false, ratio: 0 },
    { ...completed, replicas: 0, name: '', on: false, ratio: 0 },
  ],
  [
    'PD-005 null for a field with default takes the default',
    { replicas: null, name: null, on: null, listDefault: null, objDefault: null, empty: null },
    completed,
  ],
  [
    'PD-006 null for a nullable field with default stays null',
    { nullableDefault: null, nullable: null },
    { ...completed, nullableDefault: null, nullable: null },
  ],
  ['PD-007 null for a field without default is dropped', { nonNullable: null, nonNullableObj: null }, completed],
  [
    'PD-009 a default object is itself completed, a given one keeps what it has',
    { objDefault: { mode: 'manual' } },
    { ...completed, objDefault: { mode: 'manual' } },
  ],
  ['PD-010 an object that is there gets the defaults below it', { noDefault: {} }, { ...completed, noDefault: { a: 'x' } }],
  ['PD-025 nulls in the middle are dropped', { strict: { a: null, deep: null }, list: null, map: null }, { ...completed, strict: {} }],
  ['PD-026 a null element of a list stays, to be refused', { list: [null] }, { ...completed, list: [null] }],
  ['PD-026 a null value of a map is dropped', { map: { x: null } }, { ...completed, map: {} }],
  [
    'elements of lists and values of maps get defaults',
    { list: [{ name: 'a' }, { port: 1 }], map: { x: {}, y: { weight: 1 } } },
    { ...completed, list: [{ name: 'a', port: 80 }, { port: 1 }], map: { x: { weight: 10 }, y: { weight: 1 } } },
  ],
]

describe('defaulting', () => {
  for (const [title, spec, expected] of recorded) {
    it(title, () => assert.deepEqual(applyDefaults(objectWith(spec)).spec, expected))
  }

  it('PD-002 no spec gets none', () => {
    const object = { kind: 'Defaulted', metadata: { name: 'a' } }
    assert.equal(applyDefaults(object), object)
  })

  it('PD-012 the status has defaults of its own', () => {
    assert.deepEqual(applyDefaults({ status: { ready: true } }), { status: { ready: true, phase: 'New' } })
  })

  it('PD-022 nulls that no schema describes stay', () => {
    const object = { spec: { any: [1, null, { deep: null }] } }
    assert.equal(compileSchema({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true }).applyDefaults(object), object)
  })

  it('shares one default between all objects', () => {
    const [one, other] = [applyDefaults(objectWith({})), applyDefaults(objectWith({}))]
    assert.equal((one.spec as JsonObject).objDefault, (other.spec as JsonObject).objDefault)
  })

  it('drops from a default what the schema does not know', () => {
    const schema: JsonSchema = { type: 'object', properties: { a: { type: 'object', properties: {}, default: { nope: 1 } } } }
    assert.deepEqual(defaultValue(schema, {}), { a: {} } satisfies Json)
  })
})
