import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { applyMergePatch } from '../patch/index.ts'
import { isArray, isObject, type Json, type JsonArray, type JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { difference, isEmpty, union, noFields, type Fields } from './fields.ts'
import { fieldSet } from './field-set.ts'
import { objectType } from './field-type.ts'
import { applyConfiguration, trackUpdate, withoutIdleTimes, type ApplyContext } from './index.ts'
import { bookkeeping } from './ownership.ts'

const apiVersion = 'test.windlass.dev/v1'
const string: JsonSchema = { type: 'string' }
const schema: JsonSchema = {
  type: 'object',
  properties: {
    spec: {
      type: 'object',
      properties: {
        size: string,
        config: { type: 'object', additionalProperties: string },
        limits: { type: 'object', additionalProperties: string, 'x-kubernetes-map-type': 'atomic' },
        steps: { type: 'array', items: string },
        tags: { type: 'array', items: string, 'x-kubernetes-list-type': 'set' },
        ports: {
          type: 'array',
          items: { type: 'object', properties: { port: { type: 'integer' }, name: string } },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['port'],
        },
      },
    },
  },
}

const start = Date.UTC(2026, 0, 1)

function by(manager: string, second = 0, more: Partial<ApplyContext> = {}): ApplyContext {
  return {
    schemaOf: (version) => (version === apiVersion ? schema : undefined),
    apiVersion,
    manager,
    subresource: '',
    now: start + second * 1000,
    resetFields: [],
    isCustom: true,
    force: false,
    ...more,
  }
}

function widget(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return { apiVersion, kind: 'Widget', metadata: { name: 'a', ...metadata }, spec }
}

function entriesOf(object: JsonObject): JsonArray {
  const entries = isObject(object.metadata) ? object.metadata.managedFields : undefined
  return isArray(entries) ? entries : []
}

/** `manager operation time`, in the order in which they are stored. */
function summary(object: JsonObject): readonly string[] {
  return entriesOf(object)
    .filter(isObject)
    .map(({ manager, operation, time = '' }) => [manager, operation, time].map((part) => (typeof part === 'string' ? part : '')).join(' '))
}

function allOwned(object: JsonObject): Fields {
  return entriesOf(object)
    .map((entry) => (isObject(entry) && isObject(entry.fieldsV1) ? entry.fieldsV1 : noFields))
    .reduce(union, noFields)
}

const tags = (...values: readonly string[]): JsonObject => widget({ tags: values })

const text = fc.constantFrom('x', 'y')
const strings = fc.dictionary(fc.constantFrom('a', 'b', 'c'), text, { minKeys: 1, maxKeys: 3, noNullPrototype: true })
const ports = fc
  .uniqueArray(fc.record({ port: fc.constantFrom(1, 2, 3), name: text }), { minLength: 1, maxLength: 3, selector: ({ port }) => port })
  .map((list): Json => list)
const spec = fc.record<Record<string, Json>>(
  {
    size: text,
    config: strings,
    limits: strings,
    steps: fc.array(text, { maxLength: 2 }),
    tags: fc.uniqueArray(text, { minLength: 1, maxLength: 2 }),
    ports,
  },
  { requiredKeys: ['size'], noNullPrototype: true },
)

const forced = (manager: string, second: number): ApplyContext => by(manager, second, { force: true })

describe('server-side apply', () => {
  it('changes nothing the second time, down to the reference', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('m', 'n'), spec), { minLength: 1, maxLength: 4 }), spec, (earlier, last) => {
        let live: JsonObject | undefined
        for (const [second, [manager, each]] of earlier.entries()) live = applyConfiguration(live, widget(each), forced(manager, second))
        const once = applyConfiguration(live, widget(last), forced('m', 10))
        assert.equal(applyConfiguration(once, widget(last), forced('m', 20)), once)
      }),
    )
  })

  it('leads to an object that has everything that was applied', () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = applyConfiguration(undefined, widget(first), forced('m', 0))
        const next = applyConfiguration(live, widget(second), forced('n', 1))
        const applied = fieldSet(widget(second), objectType(schema))
        const missing = difference(applied, fieldSet(next, objectType(schema)))
        assert.ok(isEmpty(missing), JSON.stringify(missing))
      }),
    )
  })

  it('leaves only what its last configuration has when nobody else owns anything', () => {
    fc.assert(
      fc.property(spec, spec, (first, second) => {
        const live = applyConfiguration(undefined, widget(first), forced('m', 0))
        const next = applyConfiguration(live, widget(second), forced('m', 1))
        const left = difference(fieldSet(next, objectType(schema)), union(bookkeeping, fieldSet(widget(second), objectType(schema))))
        assert.ok(isEmpty(left), JSON.stringify(left))
      }),
    )
  })

  it('and updates together leave no leaf without an owner', () => {
    fc.assert(
      fc.property(spec, spec, spec, (created, applied, patch) => {
        const first = trackUpdate(undefined, widget(created), by('c', 0))
        const second = applyConfiguration(
          { ...first, metadata: { ...(first.metadata as JsonObject), uid: 'u' } },
          widget(applied),
          forced('m', 1),
        )
        const third = trackUpdate(second, applyMergePatch(second, { spec: patch }), by('u', 2))
        const { managedFields: _, uid: _uid, ...metadata } = third.metadata as JsonObject
        const leaves = difference(fieldSet({ ...third, metadata }, objectType(schema)), bookkeeping)
        const orphaned = difference(leaves, allOwned(third))
        assert.ok(isEmpty(orphaned), JSON.stringify(orphaned))
      }),
    )
  })

  it('takes no notice of a creationTimestamp that is null', () => {
    const live = applyConfiguration(undefined, widget({ size: 'x' }), by('m'))
    const stored = { ...live, metadata: { ...(live.metadata as JsonObject), creationTimestamp: '2026-01-01T00:00:00Z' } }
    assert.equal(applyConfiguration(stored, widget({ size: 'x' }, { creationTimestamp: null }), by('m', 5)), stored)
  })

  it('refuses a body with managedFields, even an empty list', () => {
    for (const managedFields of [[], [{}]]) {
      assert.throws(() => applyConfiguration(undefined, widget({}, { managedFields }), by('m')), {
        code: 400,
        message: 'metadata.managedFields must be nil',
      })
    }
  })

  it('keeps the order of shared elements as applied, and others around them', () => {
    const live = trackUpdate(undefined, tags('a', 'l', 'b'), by('c'))
    const next = applyConfiguration(live, tags('x', 'b', 'a'), forced('m', 1))
    assert.deepEqual(next.spec, { tags: ['l', 'x', 'b', 'a'] })
  })

  it('names every field that the schema does not have', () => {
    const body = widget({ foo: 1, ports: [{ port: 1, bar: 2 }] })
    const problems = ['errors:', '  .spec.foo: field not declared in schema', '  .spec.ports[port=1].bar: field not declared in schema']
    assert.throws(() => applyConfiguration(undefined, body, by('m')), {
      code: 500,
      message: `failed to create typed patch object (/a; ${apiVersion}, Kind=Widget): ${problems.join('\n')}`,
    })
  })
})

describe('ownership of updates', () => {
  it('keeps entries, by reference, that a write does not touch', () => {
    const live = applyConfiguration(undefined, widget({ size: 'x', tags: ['a'] }), by('m'))
    const next = trackUpdate(live, applyMergePatch(live, { spec: { config: { a: 'x' } } }), by('u', 5))
    assert.equal(entriesOf(next)[0], entriesOf(live)[0])
    assert.deepEqual(summary(next), ['m Apply 2026-01-01T00:00:00Z', 'u Update 2026-01-01T00:00:05Z'])
  })

  it('keeps the whole list when nothing changed', () => {
    const live = trackUpdate(undefined, widget({ size: 'x' }), by('c'))
    const replaced = structuredClone(live)
    assert.equal(entriesOf(trackUpdate(live, replaced, by('u', 5))), entriesOf(live))
    assert.equal(trackUpdate(live, live, by('u', 5)), live)
  })

  it('moves the time of a manager only when it changes something', () => {
    const live = trackUpdate(undefined, widget({ size: 'x', tags: ['a'] }), by('c', 1))
    const removed = trackUpdate(live, applyMergePatch(live, { spec: { tags: null } }), by('c', 2))
    assert.deepEqual(summary(removed), ['c Update 2026-01-01T00:00:01Z'])
    const changed = trackUpdate(removed, applyMergePatch(removed, { spec: { size: 'y' } }), by('c', 3))
    assert.deepEqual(summary(changed), ['c Update 2026-01-01T00:00:03Z'])
  })

  it('forgets a manager whose version is gone', () => {
    const live = trackUpdate(undefined, widget({ size: 'x' }), by('c'))
    const entries = entriesOf(live).map((entry) => ({ ...(entry as JsonObject), apiVersion: 'test.windlass.dev/v0' }))
    const old = { ...live, metadata: { ...(live.metadata as JsonObject), managedFields: entries } }
    assert.deepEqual(entriesOf(trackUpdate(old, old, by('u', 1))), [])
  })

  it('sorts entries by operation, then time, then manager', () => {
    let live = applyConfiguration(undefined, widget({ size: 'x' }), by('zeta', 1))
    live = trackUpdate(live, applyMergePatch(live, { spec: { tags: ['a'] } }), by('mid', 1))
    live = applyConfiguration(live, widget({ config: { a: 'x' } }), by('alpha', 1))
    live = applyConfiguration(live, widget({ config: { b: 'x' } }), by('beta', 2))
    live = applyConfiguration(live, widget({ size: 'x' }), by('agrees', 3))
    assert.deepEqual(summary(live), [
      'agrees Apply ',
      'alpha Apply 2026-01-01T00:00:01Z',
      'zeta Apply 2026-01-01T00:00:01Z',
      'beta Apply 2026-01-01T00:00:02Z',
      'mid Update 2026-01-01T00:00:01Z',
    ])
  })

  it('folds the oldest of more than ten updaters into one, which owns what they owned', () => {
    let live = trackUpdate(undefined, widget({ config: { k0: 'v' } }), by('u0'))
    for (let index = 1; index <= 12; index++) {
      live = trackUpdate(live, applyMergePatch(live, { spec: { config: { [`k${index}`]: 'v' } } }), by(`u${index}`, index))
    }
    const entries = entriesOf(live) as readonly JsonObject[]
    assert.equal(entries.length, 10)
    assert.deepEqual(entries[0]?.fieldsV1, {
      'f:spec': { '.': {}, 'f:config': { '.': {}, 'f:k0': {}, 'f:k1': {}, 'f:k2': {}, 'f:k3': {} } },
    })
    assert.deepEqual(summary(live).slice(0, 2), ['ancient-changes Update 2026-01-01T00:00:03Z', 'u4 Update 2026-01-01T00:00:04Z'])
  })

  it('takes entries that a client writes, in its own spelling', () => {
    const live = applyConfiguration(undefined, widget({ ports: [{ port: 1, name: 'x' }] }), by('m'))
    const entry = { manager: 'other', operation: 'Apply', apiVersion, fieldsType: 'FieldsV1' }
    const fieldsV1 = { 'f:spec': { 'f:ports': { 'k:{ "port" : 1 }': { '.': {}, 'f:name': {} } } } }
    const next = trackUpdate(live, applyMergePatch(live, { metadata: { managedFields: [{ ...entry, fieldsV1 }] } }), by('u', 1))
    const expected = { 'f:spec': { 'f:ports': { 'k:{"port":1}': { '.': {}, 'f:name': {} } } } }
    assert.deepEqual(entriesOf(next), [{ ...entry, fieldsV1: expected }])
    const throughStatus = applyMergePatch(live, { metadata: { managedFields: [{}] } })
    assert.equal(entriesOf(trackUpdate(live, throughStatus, by('u', 1, { subresource: 'status' }))), entriesOf(live))
  })

  it('CR-031 a writer without a name is unknown', () => {
    assert.deepEqual(summary(trackUpdate(undefined, widget({ size: 'x' }), by(''))), ['unknown Update 2026-01-01T00:00:00Z'])
  })

  it('leaves no trace of a write that changes nothing but times', () => {
    const live = applyConfiguration(undefined, widget({ size: 'x' }), by('m', 1))
    const entries = entriesOf(live).map((entry) => ({ ...(entry as JsonObject), time: '2026-01-01T00:00:09Z' }))
    const touched = { ...live, metadata: { ...(live.metadata as JsonObject), managedFields: entries } }
    assert.equal(withoutIdleTimes(live, touched), live)
    const changed = { ...touched, spec: { size: 'y' } }
    assert.equal(withoutIdleTimes(live, changed), changed)
  })

  it('treats elements that share a name as one field', () => {
    const live = trackUpdate(undefined, widget({ ports: [{ port: 1, name: 'x' }] }), by('c'))
    const repeated = trackUpdate(
      live,
      widget({
        ports: [
          { port: 1, name: 'x' },
          { port: 1, name: 'y' },
        ],
      }),
      by('u', 1),
    )
    const fields = (entriesOf(repeated) as readonly JsonObject[]).map(({ manager, fieldsV1 }) => [manager, fieldsV1])
    assert.deepEqual(fields, [
      ['c', { 'f:spec': { '.': {}, 'f:ports': {} } }],
      ['u', { 'f:spec': { 'f:ports': { 'k:{"port":1}': {} } } }],
    ])
  })
})
