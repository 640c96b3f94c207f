import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { eventWithoutManagedFields, objectWithoutManagedFields } from './managed-fields.ts'

const managedFields = [
  {
    manager: 'kubectl',
    operation: 'Update',
    fieldsType: 'FieldsV1',
    fieldsV1: { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } }, 'f:status': { 'k:{"type":"Ready"}': { '.': {} } } },
  },
  { manager: 'operator', operation: 'Apply', subresource: 'status', fieldsV1: { 'f:status': { 'v:"a]"': {} } } },
]

const lineOf = (metadata: object, rest: object = {}): string =>
  JSON.stringify({ type: 'ADDED', object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', ...metadata }, ...rest } })

/** What it must be, the slow way. */
function expected(line: string): { readonly object: object } {
  const event = JSON.parse(line) as { object: { metadata: { managedFields?: unknown } } }
  if (typeof event.object.metadata === 'object') delete event.object.metadata.managedFields
  return event
}

describe('an event without managedFields', () => {
  it('N5 is the same event but for them, wherever they are among the metadata', () => {
    const [first = {}, second = {}] = managedFields
    for (const metadata of [
      { managedFields: [first] },
      { managedFields: [first], uid: 'u' },
      { labels: { a: 'b' }, managedFields: [first, { ...second, fieldsV1: {} }], uid: 'u' },
    ]) {
      const line = lineOf(metadata, { data: { key: 'value' } })
      assert.deepEqual(eventWithoutManagedFields(line), expected(line))
    }
  })

  it('N5 is the same when there are none, or an empty list of them', () => {
    const ownerReferences = [{ name: 'owner' }]
    for (const metadata of [{}, { ownerReferences }, { managedFields: [], ownerReferences }, { managedFields: [], labels: { a: ']' } }]) {
      const line = lineOf(metadata)
      assert.deepEqual(eventWithoutManagedFields(line), expected(line))
    }
  })

  it('N5 keeps what only looks like them: in text, and in other places', () => {
    const text = JSON.stringify({ metadata: { managedFields } })
    for (const rest of [
      { data: { text, managedFields: '[' } },
      { spec: { managedFields } },
      { spec: { template: { metadata: { managedFields } } } },
      { data: { ['x"managedFields']: [{}] } },
    ]) {
      for (const metadata of [{}, { annotations: { text } }, { annotations: { text }, managedFields: managedFields.slice(0, 1) }]) {
        const line = lineOf(metadata, rest)
        assert.deepEqual(eventWithoutManagedFields(line), expected(line))
      }
    }
  })

  it('N5 is the same when the end of the list cannot be told from a text in it', () => {
    const line = lineOf({ managedFields, uid: 'u' }, { data: { a: 'b' } })
    assert.deepEqual(eventWithoutManagedFields(line), expected(line))
  })

  it('N5 is always the same event but for them', () => {
    const name = fc.oneof(fc.string(), fc.constantFrom('managedFields', 'metadata', 'f:a', ']', ',', '"managedFields":[', '\\"', '{', '['))
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        name,
        fc.integer(),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(name, tie('value'), { maxKeys: 4 }),
      ),
    }))
    const record = fc.dictionary(name, value, { maxKeys: 4 })
    fc.assert(
      fc.property(record, record, fc.array(record, { maxLength: 2 }), (metadata, rest, list) => {
        const line = lineOf({ ...metadata, managedFields: list }, rest)
        const event = expected(line)
        assert.deepEqual(eventWithoutManagedFields(line), event)
        const text = JSON.stringify((JSON.parse(line) as { object: object }).object)
        assert.deepEqual(objectWithoutManagedFields(text), event.object)
      }),
      { numRuns: 2000 },
    )
  })

  it('N3 that is no JSON is an error', () => {
    for (const line of ['{', '{"object":{"metadata":{"managedFields":[{}],', '"managedFields":[{}]']) {
      assert.throws(() => eventWithoutManagedFields(line), SyntaxError)
    }
  })

  it('N3 that is no event stays what it is', () => {
    for (const line of ['null', '1', '[{"managedFields":[{}]}]', '{"object":null,"managedFields":[{}]}']) {
      assert.deepEqual(eventWithoutManagedFields(line), JSON.parse(line))
    }
  })
})
