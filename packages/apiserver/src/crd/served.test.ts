import assert from 'node:assert/strict'
import { test } from 'node:test'
import { byPriority, customResourceDefinitions, decideCrdStatus, toResourceType } from './index.ts'
import { aDefinition, aVersion, created } from './testing.ts'

test('versions are sorted by how much clients should like them', () => {
  const sorted = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'bar', 'foo1', 'foo10']
  assert.deepEqual(sorted.toReversed().toSorted(byPriority), sorted)
})

test('a definition without columns shows the age', () => {
  const [version] = toResourceType(created(aDefinition())).versions
  assert.deepEqual(
    version?.columns.map(({ name, type }) => [name, type]),
    [['Age', 'date']],
  )
})

test('VE-007 every version has columns of its own', () => {
  const columns = [{ name: 'Added', type: 'string', jsonPath: '.spec.added' }]
  const versions = [aVersion({ name: 'v1beta1', storage: false }), aVersion({ additionalPrinterColumns: columns })]
  const type = toResourceType(created(aDefinition({ versions })))
  assert.deepEqual(
    type.versions.map(({ name, columns: [first] }) => [name, first?.name, first?.description]),
    [
      ['v1', 'Added', 'Custom resource definition column (in JSONPath format): .spec.added'],
      ['v1beta1', 'Age', 'The time at which the server created the object, in UTC.'],
    ],
  )
  assert.equal(type.storageVersion, 'v1')
})

test('VE-001 deprecated versions say what to use instead', () => {
  const versions = [
    aVersion(),
    aVersion({ name: 'v1beta1', storage: false, deprecated: true, deprecationWarning: 'goes away' }),
    aVersion({ name: 'v1alpha1', storage: false, deprecated: true }),
  ]
  assert.deepEqual(
    toResourceType(created(aDefinition({ versions }))).versions.map(({ deprecationWarning }) => deprecationWarning),
    [undefined, 'goes away', 'test.windlass.dev/v1alpha1 Thing is deprecated; use test.windlass.dev/v1 Thing'],
  )
  const alone = [aVersion({ deprecated: true })]
  assert.equal(
    toResourceType(created(aDefinition({ versions: alone }))).versions[0]?.deprecationWarning,
    'test.windlass.dev/v1 Thing is deprecated',
  )
})

test('subresources, scale and selectable fields come from the version', () => {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' }
  const version = aVersion({ subresources: { status: {}, scale }, selectableFields: [{ jsonPath: '.spec.color' }] })
  const [served] = toResourceType(created(aDefinition({ versions: [version] }))).versions
  assert.deepEqual([served?.hasStatus, served?.scale, served?.selectableFields], [true, scale, ['.spec.color']])
})

test('CD-002 names are served as they were accepted', () => {
  const names = { plural: 'things', kind: 'Thing', listKind: 'ThingCollection', shortNames: ['th', 'tg'], categories: ['all'] }
  const stored = created(aDefinition({ names }))
  const type = toResourceType({ ...stored, status: decideCrdStatus(stored, [], 0) })
  assert.deepEqual(
    [type.resource, type.singular, type.listKind, type.shortNames, type.categories],
    ['things', 'thing', 'ThingCollection', ['th', 'tg'], ['all']],
  )
  assert.deepEqual(
    [type.namespaced, type.isCustom, type.behaviour.typed, type.behaviour.allowsUnconditionalUpdate],
    [true, true, false, false],
  )
})

test('the same definition gives the same type, and its schema is the one that was stored', () => {
  const stored = created(aDefinition())
  assert.equal(toResourceType(stored), toResourceType(stored))
})

test('TA-051 the kind itself shows when it was created', () => {
  const [column] = customResourceDefinitions.versions[0]?.columns ?? []
  assert.ok(column !== undefined && 'cell' in column)
  assert.equal(column.name, 'Created At')
  assert.equal(column.cell({ metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } }, 0), '2026-01-01T00:00:00Z')
})
