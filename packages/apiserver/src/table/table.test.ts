import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aBuiltInType, aCustomType, aVersion } from '../discovery/sample-types.ts'
import { ApiError } from '../errors/api-error.ts'
import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import type { PathColumn, ResourceType } from '../registry/resource.ts'
import { partialList, partialObject } from './partial.ts'
import { objectTable, parseIncludeObject, tableColumns, tableOf, watchTables } from './table.ts'

const now = Date.UTC(2026, 0, 4, 4)
const created = '2026-01-01T00:00:00Z'

const widgets = withColumns([
  { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', description: 'Wanted copies' },
  { name: 'Arch', type: 'string', jsonPath: '.spec.arch' },
  { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
  { name: 'Phase', type: 'string', jsonPath: '.status.phase', priority: 1 },
  { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
])

const printables = withColumns([
  { name: 'Text', type: 'string', jsonPath: '.spec.text', description: 'a text' },
  { name: 'Count', type: 'integer', jsonPath: '.spec.count', format: 'int32' },
  { name: 'Ratio', type: 'number', jsonPath: '.spec.ratio' },
  { name: 'On', type: 'boolean', jsonPath: '.spec.on' },
  { name: 'When', type: 'date', jsonPath: '.spec.when' },
  { name: 'First', type: 'string', jsonPath: '.spec.list[0]' },
  { name: 'All', type: 'string', jsonPath: '.spec.list[*]' },
  { name: 'List', type: 'string', jsonPath: '.spec.list', priority: 1 },
  { name: 'Map', type: 'string', jsonPath: '.spec.map', priority: 1 },
  { name: 'Key', type: 'string', jsonPath: ".spec.map['a.b/c']" },
  { name: 'Filter', type: 'integer', jsonPath: '.spec.items[?(@.name=="x")].value' },
  { name: 'Names', type: 'string', jsonPath: '.spec.items[*].name' },
  { name: 'Ios', type: 'string', jsonPath: '.spec.ios' },
  { name: 'Ns', type: 'string', jsonPath: '.metadata.namespace' },
  { name: 'Label', type: 'string', jsonPath: '.metadata.labels.tier' },
  { name: 'CountText', type: 'string', jsonPath: '.spec.count' },
  { name: 'TextCount', type: 'integer', jsonPath: '.spec.text' },
])

function withColumns(columns: readonly PathColumn[]): ResourceType {
  return aCustomType({ versions: [aVersion({ columns })] })
}

function versionOf(type: ResourceType): ResourceType['versions'][number] {
  const [version] = type.versions
  assert.ok(version)
  return version
}

function anObject(name: string, rest: JsonObject = {}, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'test.windlass.dev/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'ns', uid: 'u', resourceVersion: '7', creationTimestamp: created, ...metadata },
    ...rest,
  }
}

function cells(type: ResourceType, object: JsonObject): Json {
  const { rows } = objectTable(type, versionOf(type), object, { now })
  const row = isArray(rows) ? rows[0] : undefined
  return isObject(row) ? (row.cells ?? null) : null
}

test('TA-001 a list as Table', () => {
  const a = anObject('a', { spec: { replicas: 3, arch: 'arm64' } })
  const b = anObject('b', { spec: {} }, { labels: { x: 'y' } })
  const metadata = { resourceVersion: '9', continue: 'token', remainingItemCount: 1 }
  assert.deepEqual(tableOf(widgets, versionOf(widgets), [a, b], metadata, { now }), {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: tableColumns(widgets, versionOf(widgets)),
    rows: [
      { cells: ['a', 3, 'arm64', null, null, '3d4h'], object: partialObject(a) },
      { cells: ['b', null, null, null, null, '3d4h'], object: partialObject(b) },
    ],
  })
  assert.deepEqual(partialObject(b), { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: b.metadata })
})

test('TA-001 TA-016 column definitions', () => {
  const definitions = tableColumns(printables, versionOf(printables))
  assert.equal(definitions.length, 18)
  assert.deepEqual({ ...definitions[0], description: '' }, { name: 'Name', type: 'string', format: 'name', description: '', priority: 0 })
  assert.deepEqual(definitions[1], { name: 'Text', type: 'string', format: '', description: 'a text', priority: 0 })
  assert.deepEqual(definitions[2], {
    name: 'Count',
    type: 'integer',
    format: 'int32',
    description: 'Custom resource definition column (in JSONPath format): .spec.count',
    priority: 0,
  })
  assert.equal(definitions[8]?.priority, 1)
})

test('TA-002 one object as Table has its revision', () => {
  const object = anObject('a', { spec: { replicas: 3 }, status: { phase: 'Up', conditions: [{ type: 'Ready', status: 'True' }] } })
  const table = objectTable(widgets, versionOf(widgets), object, { now })
  assert.deepEqual(table.metadata, { resourceVersion: '7' })
  assert.deepEqual(cells(widgets, object), ['a', 3, null, 'True', 'Up', '3d4h'])
})

test('TA-005 v1beta1 Tables', () => {
  const table = objectTable(widgets, versionOf(widgets), anObject('a'), { now, version: 'v1beta1' })
  assert.equal(table.apiVersion, 'meta.k8s.io/v1beta1')
  assert.deepEqual(isArray(table.rows) && table.rows.map((row) => Object(row).object.apiVersion), ['meta.k8s.io/v1beta1'])
})

test('TA-009 a kind without columns shows its age, a built-in one when it was created', () => {
  const gadgets = aCustomType()
  assert.deepEqual(cells(gadgets, anObject('x')), ['x', '3d4h'])
  assert.deepEqual(
    tableColumns(gadgets, versionOf(gadgets)).map(({ name, type }) => [name, type]),
    [
      ['Name', 'string'],
      ['Age', 'date'],
    ],
  )
  const roles = aBuiltInType({ resource: 'roles' })
  assert.deepEqual(cells(roles, anObject('x')), ['x', created])
  assert.equal(tableColumns(roles, versionOf(roles))[1]?.name, 'Created At')
})

const items = [
  { name: 'x', value: 7 },
  { name: 'y', value: 8 },
]

test('TA-012 cells: every type filled', () => {
  const spec = {
    text: 'hello',
    count: 5,
    ratio: 1.5,
    on: true,
    when: '2020-01-01T00:00:00Z',
    list: ['x', 'y'],
    map: { z: '1', 'a.b/c': 'v' },
    items,
    ios: '50%',
  }
  const expected = [
    'a',
    'hello',
    5,
    1.5,
    true,
    '6y5d',
    'x',
    'x',
    '["x","y"]',
    '{"a.b/c":"v","z":"1"}',
    null,
    7,
    'x',
    '50%',
    'ns',
    'web',
    '5',
    null,
  ]
  assert.deepEqual(cells(printables, anObject('a', { spec }, { labels: { tier: 'web' } })), expected)
})

test('TA-014 cells: zero values', () => {
  const spec = { text: '', count: 0, ratio: 0, on: false, list: [], map: {}, items: [], ios: 0 }
  const expected = ['a', '', 0, 0, false, null, null, null, '[]', '{}', null, null, null, '0', 'ns', null, '0', null]
  assert.deepEqual(cells(printables, anObject('a', { spec })), expected)
})

test('TA-015 cells: odd values', () => {
  const text = 'line\nbreak "quoted"'
  const twice = [
    { name: 'x', value: 1 },
    { name: 'x', value: 2 },
  ]
  const spec = { text, count: -3, ratio: 1e21, list: ['only'], items: twice, ios: 8080 }
  const expected = ['a', text, -3, 1e21, null, null, 'only', 'only', '["only"]', null, null, 1, 'x', '8080', 'ns', null, '-3', null]
  assert.deepEqual(cells(printables, anObject('a', { spec })), expected)
})

test('TA-017 WA-039 a watch as Tables: columns only in the first', () => {
  const next = watchTables(widgets, versionOf(widgets))
  const first = next(anObject('a', { spec: { replicas: 1 } }), { now })
  assert.deepEqual(first.columnDefinitions, tableColumns(widgets, versionOf(widgets)))
  assert.deepEqual(first.metadata, { resourceVersion: '7' })
  const second = next(anObject('a', { spec: { replicas: 2 } }), { now })
  assert.equal(second.columnDefinitions, null)
  assert.deepEqual(isArray(second.rows) && second.rows.length, 1)
  const bookmark = next({ metadata: { resourceVersion: '12' } }, { now })
  assert.deepEqual([bookmark.metadata, bookmark.rows], [{ resourceVersion: '12' }, []])
})

test('TA-022 a list of partial objects; an empty one has null items', () => {
  const metadata = { resourceVersion: '9' }
  const a = anObject('a')
  const list = { kind: 'PartialObjectMetadataList', apiVersion: 'meta.k8s.io/v1', metadata }
  assert.deepEqual(partialList([a], metadata), { ...list, items: [partialObject(a)] })
  assert.deepEqual(partialList([], metadata), { ...list, items: null })
})

test('P2 includeObject', () => {
  const object = anObject('a')
  const rowObject = (text: string | undefined): unknown => {
    const { rows } = objectTable(widgets, versionOf(widgets), object, { now, includeObject: parseIncludeObject(text) })
    return isArray(rows) && Object(rows[0]).object
  }
  assert.deepEqual(rowObject(undefined), partialObject(object))
  assert.equal(rowObject('Object'), object)
  assert.equal(rowObject('None'), null)
  assert.throws(() => parseIncludeObject('Everything'), ApiError)
})

test('TA-032 built-in kinds compute their cells, print ages, and may place their name themselves', () => {
  const column = { type: 'string', description: '', priority: 0 }
  const events = aBuiltInType({
    versions: [
      aVersion({
        columns: [
          { ...column, name: 'Last Seen', cell: ({ lastTimestamp }) => ({ age: lastTimestamp ?? '' }) },
          { ...column, name: 'Name', format: 'name', priority: 1, cell: ({ metadata }) => Object(metadata).name },
        ],
      }),
    ],
  })
  assert.deepEqual(cells(events, anObject('a', { lastTimestamp: '2026-01-04T03:58:30Z' })), ['90s', 'a'])
  assert.deepEqual(cells(events, anObject('a')), ['<unknown>', 'a'])
})
