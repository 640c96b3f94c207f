import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { cleanupFinalizer, customResourceDefinitions, decideCrdStatus } from './index.ts'
import { object } from './model.ts'
import { aDefinition, aVersion, context, created, withStatus } from './testing.ts'

const now = Date.UTC(2026, 0, 1)
const later = now + 60_000
const { behaviour } = customResourceDefinitions

const settled = (definition: JsonObject, others: readonly JsonObject[] = []): JsonObject => {
  const stored = created(definition)
  return { ...stored, status: decideCrdStatus(stored, others, now) }
}

test('CD-001 a new definition gets its defaults and an empty status', () => {
  const stored = created(aDefinition())
  assert.deepEqual(object(stored.spec).names, { plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' })
  assert.deepEqual(object(stored.spec).conversion, { strategy: 'None' })
  assert.deepEqual(stored.status, { acceptedNames: { plural: '', kind: '' }, storedVersions: ['v1'] })
})

test('CD-001 names that are free are accepted and the definition is served', () => {
  assert.deepEqual(settled(aDefinition()).status, {
    acceptedNames: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
    storedVersions: ['v1'],
    conditions: [
      {
        type: 'NamesAccepted',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'NoConflicts',
        message: 'no conflicts found',
      },
      {
        type: 'Established',
        status: 'True',
        lastTransitionTime: '2026-01-01T00:00:00Z',
        reason: 'InitialNamesAccepted',
        message: 'the initial names have been accepted',
      },
    ],
  })
})

test('a status that stands is the same reference', () => {
  const definition = settled(aDefinition())
  assert.equal(decideCrdStatus(definition, [], later), definition.status)
})

test('CD-011 names of another definition of the group are not accepted', () => {
  const first = settled(aDefinition())
  const second = aDefinition({ names: { plural: 'items', kind: 'Thing' } }, { name: 'items.test.windlass.dev' })
  const status = object(settled(second, [first]).status)
  assert.deepEqual(status.acceptedNames, { plural: 'items', kind: '' })
  assert.deepEqual(status.conditions, [
    {
      type: 'NamesAccepted',
      status: 'False',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'ListKindConflict',
      message: '"ThingList" is already in use',
    },
    {
      type: 'Established',
      status: 'False',
      lastTransitionTime: '2026-01-01T00:00:00Z',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    },
  ])
})

test('names of another group are free', () => {
  const first = settled(aDefinition())
  const second = aDefinition({ group: 'other.dev' }, { name: 'things.other.dev' })
  assert.deepEqual(object(object(settled(second, [first]).status).acceptedNames).kind, 'Thing')
})

test('names that become free are accepted, and the time of the change is kept', () => {
  const first = settled(aDefinition())
  const second = settled(aDefinition({ names: { plural: 'items', kind: 'Thing' } }, { name: 'items.test.windlass.dev' }), [first])
  const [names, established] = decideCrdStatus(second, [], later).conditions as readonly JsonObject[]
  assert.deepEqual([names?.status, names?.lastTransitionTime, established?.status], ['True', '2026-01-01T00:01:00Z', 'True'])
})

test('a definition that is served stays so when it asks for a name that is taken', () => {
  const first = settled(aDefinition({ names: { plural: 'things', kind: 'Thing', shortNames: ['th'] } }))
  const second = settled(aDefinition({ names: { plural: 'items', kind: 'Item' } }, { name: 'items.test.windlass.dev' }), [first])
  const asking = {
    ...second,
    spec: { ...object(second.spec), names: { plural: 'items', singular: 'item', kind: 'Item', listKind: 'ItemList', shortNames: ['th'] } },
  }
  const status = decideCrdStatus(asking, [first], later)
  const [names, established] = status.conditions as readonly JsonObject[]
  assert.deepEqual([names?.reason, names?.message, established?.status], ['ShortNamesConflict', '"th" is already in use', 'True'])
  assert.equal(object(status.acceptedNames).shortNames, undefined)
})

test('CD-016 a new storage version is remembered beside the old one', () => {
  const stored = settled(aDefinition({ versions: [aVersion(), aVersion({ name: 'v2', storage: false })] }))
  const next: JsonObject = {
    ...stored,
    spec: { ...object(stored.spec), versions: [aVersion({ storage: false }), aVersion({ name: 'v2' })] },
  }
  const prepared = behaviour.prepareForUpdate?.(next, stored, context) ?? next
  assert.deepEqual(object(prepared.status).storedVersions, ['v1', 'v2'])
  const migrated = withStatus(prepared, { storedVersions: ['v2'] })
  const written = behaviour.prepareForUpdate?.({ ...migrated, spec: {} }, prepared, { ...context, subresource: 'status' }) ?? migrated
  assert.deepEqual(object(written.status).storedVersions, ['v2'])
  assert.equal(written.spec, prepared.spec)
})

test('SU-021 the status cannot be set through the main URL', () => {
  const stored = settled(aDefinition())
  const prepared = behaviour.prepareForUpdate?.(withStatus(stored, { storedVersions: ['v9'] }), stored, context)
  assert.equal(prepared?.status, stored.status)
})

test('CD-012 deletion adds the finalizer and says what it waits for', () => {
  const marked = behaviour.markDeleted?.(settled(aDefinition()), context) ?? {}
  assert.deepEqual(object(marked.metadata).finalizers, [cleanupFinalizer])
  const last = (object(marked.status).conditions as readonly JsonObject[]).at(-1)
  assert.deepEqual([last?.type, last?.status, last?.reason], ['Terminating', 'True', 'InstanceDeletionPending'])
  assert.equal(decideCrdStatus(marked, [], later), marked.status)
})

test('a protected group shows who approved it', () => {
  const approved = aDefinition(
    { group: 'x.k8s.io' },
    { name: 'things.x.k8s.io', annotations: { 'api-approved.kubernetes.io': 'https://example.com/1' } },
  )
  const last = (object(settled(approved).status).conditions as readonly JsonObject[]).at(-1)
  assert.deepEqual(
    [last?.type, last?.status, last?.message],
    ['KubernetesAPIApprovalPolicyConformant', 'True', 'approved in https://example.com/1'],
  )
})
