import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { DecodeError } from '../../errors/decode-error.ts'
import type { Json } from '../../json.ts'
import {
  always,
  at,
  boolean,
  bytes,
  canonicalOf,
  defaulted,
  int32,
  int64,
  intOrString,
  jsonOnly,
  list,
  listBy,
  map,
  microTime,
  pointer,
  quantity,
  raw,
  schemaOf,
  string,
  struct,
  time,
  zeroOf,
} from './index.ts'

const inner = struct({ name: string, size: int32 })
const thing = struct({
  text: string,
  shown: always(string),
  flag: pointer(boolean),
  count: int64,
  inside: inner,
  maybe: pointer(inner),
  lines: list(string),
  rules: always(list(string)),
  parent: always(pointer(inner)),
  byName: map(quantity),
  when: time,
  exactly: pointer(microTime),
  blob: bytes,
  port: pointer(intOrString),
  protocol: defaulted('TCP', string),
  open: raw,
})
const canonical = canonicalOf(thing)
const empty = { shown: '', inside: {}, rules: null, parent: null, when: null, protocol: 'TCP' }

describe('canonical form', () => {
  it('an empty object gets what Go always writes, and nothing else', () => {
    assert.deepEqual(canonical({}), empty)
    assert.deepEqual(zeroOf(thing), empty)
  })

  it('empty values go where Go leaves them out', () => {
    const given = { text: '', count: 0, lines: [], byName: {}, blob: '', rules: [], maybe: null, flag: null, open: null, inside: null }
    assert.deepEqual(canonical(given), empty)
  })

  it('empty values behind pointers stay', () => {
    const object = { ...empty, flag: false, maybe: {}, parent: {}, port: 0 }
    assert.equal(canonical(object), object)
  })

  it('nulls inside lists and maps become zero values', () => {
    assert.deepEqual(canonical({ ...empty, lines: [null, 'a'], byName: { cpu: null } }), {
      ...empty,
      lines: ['', 'a'],
      byName: { cpu: '0' },
    })
  })

  it('fields it does not know are left alone', () => {
    const object = { ...empty, other: null, inside: { more: [] } }
    assert.equal(canonical(object), object)
  })

  it('times are brought to UTC and to their number of decimals', () => {
    assert.deepEqual(canonical({ when: '2026-01-01T02:00:00.75+02:00', exactly: '2026-01-01T02:00:00.123456+02:00' }), {
      ...empty,
      when: '2026-01-01T00:00:00Z',
      exactly: '2026-01-01T00:00:00.123456Z',
    })
  })

  it('base64 is written the usual way', () => {
    assert.deepEqual(canonical({ ...empty, blob: 'YQ\r\n==' }), { ...empty, blob: 'YQ==' })
    assert.deepEqual(canonical({ ...empty, blob: 'YR==' }), { ...empty, blob: 'YQ==' })
  })

  const refused: readonly (readonly [what: string, value: Json, reason: string])[] = [
    ['text for a number', { count: 'x' }, 'json: cannot unmarshal string into Go struct field .count of type int64'],
    ['a number too large', { inside: { size: 2 ** 31 } }, 'json: cannot unmarshal number into Go struct field .inside.size of type int32'],
    ['a number in a list of texts', { lines: ['a', 1] }, 'json: cannot unmarshal number into Go struct field .lines[1] of type string'],
    ['a list for a map', { byName: [] }, 'json: cannot unmarshal array into Go struct field .byName of type map[string]'],
    ['a text for an object', { inside: 'x' }, 'json: cannot unmarshal string into Go struct field .inside of type struct'],
    ['no base64', { blob: '***' }, 'illegal base64 data at input byte 0'],
    ['base64 cut off', { blob: 'YWE' }, 'illegal base64 data at input byte 3'],
    [
      'no quantity',
      { byName: { cpu: 'much' } },
      "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'",
    ],
    ['no time', { when: 'today' }, 'parsing time "today" as "2006-01-02T15:04:05Z07:00": cannot parse "today" as "2006"'],
  ]
  for (const [what, value, reason] of refused) {
    it(`refuses ${what}`, () => assert.throws(() => canonical(value), new DecodeError(reason)))
  }

  it('what is canonical stays the same object', () => {
    const value = fc.record(
      {
        text: fc.string(),
        flag: fc.option(fc.boolean()),
        count: fc.integer(),
        inside: fc.record({ name: fc.string(), size: fc.nat() }, { requiredKeys: [] }),
        lines: fc.array(fc.string()),
        byName: fc.dictionary(fc.constantFrom('cpu', 'memory'), fc.constantFrom('1', '1000m', '2048Ki', '0.1')),
        when: fc.option(fc.constantFrom('2026-01-01T00:00:00Z', '2026-01-01T01:00:00+01:00')),
        port: fc.option(fc.oneof(fc.nat(65_535), fc.constant('http'))),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(value, (given) => {
        const once = canonical(given)
        assert.equal(canonical(once), once)
      }),
      { numRuns: 300 },
    )
  })
})

describe('schemas of declarations', () => {
  it('carry the marks of lists, maps and defaults', () => {
    const item = struct({ port: always(int32), protocol: defaulted('TCP', string) })
    const type = struct({
      ports: list(item, { keys: ['port', 'protocol'], merge: 'port' }),
      names: listBy('name', inner),
      tags: list(string, { set: true }),
      kind: jsonOnly(string),
    })
    const { properties } = schemaOf(type)
    assert.deepEqual(properties?.ports, {
      type: 'array',
      items: { type: 'object', properties: { port: { type: 'integer', format: 'int32' }, protocol: { type: 'string', default: 'TCP' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['port', 'protocol'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'port',
    })
    assert.equal(properties?.names?.['x-kubernetes-patch-merge-key'], 'name')
    assert.equal(properties?.tags?.['x-kubernetes-list-type'], 'set')
  })

  it('fields are numbered in order, from where `at` says', () => {
    const { fields } = struct({ a: string, b: at(4, string), c: string, d: jsonOnly(string) })
    assert.deepEqual(
      fields.map(({ name, number }) => [name, number]),
      [
        ['a', 1],
        ['b', 4],
        ['c', 5],
        ['d', undefined],
      ],
    )
  })
})
