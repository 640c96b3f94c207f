import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { aBuiltInType, aCustomType, aVersion } from '../discovery/sample-types.ts'
import { ApiError } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import type { ResourceType } from '../registry/resource.ts'
import { parseFieldSelector } from './field-parser.ts'
import { fieldSelector } from './field-selector.ts'

const configMaps = aBuiltInType()
const selectables = aCustomType({
  resource: 'selectables',
  kind: 'Selectable',
  versions: [aVersion({ selectableFields: ['.spec.color', '.spec.size', '.spec.hidden', '.spec.deep.name'] })],
})
const secrets = aBuiltInType(
  { resource: 'secrets', kind: 'Secret' },
  { fieldLabels: ({ type }) => ({ type: typeof type === 'string' ? type : '' }), fieldLabelNames: ['type'] },
)

const named = (name: string, rest: JsonObject = {}): JsonObject => ({ metadata: { name, namespace: 'ns' }, ...rest })

function picked(type: ResourceType, selector: string, objects: readonly JsonObject[]): string {
  const { matches } = fieldSelector(type, 'v1', selector)
  return objects
    .filter(matches)
    .map(({ metadata }) => Object(metadata).name)
    .join(' ')
}

function refused(type: ResourceType, selector: string): string {
  try {
    fieldSelector(type, 'v1', selector)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 400)
    return error.message
  }
  throw new assert.AssertionError({ message: `${selector} was accepted` })
}

test('RD-031 RD-032 names and namespaces, also as keys for a direct read', () => {
  const objects = [named('a'), named('b')]
  assert.equal(picked(configMaps, 'metadata.name=a', objects), 'a')
  assert.equal(picked(configMaps, 'metadata.name==b', objects), 'b')
  assert.equal(picked(configMaps, 'metadata.name!=a', objects), 'b')
  assert.equal(picked(configMaps, 'metadata.name=a,metadata.namespace=ns', objects), 'a')
  assert.equal(picked(configMaps, 'metadata.name=a,metadata.name=b', objects), '')
  assert.equal(picked(configMaps, 'metadata.namespace=other', objects), '')
  assert.equal(picked(configMaps, '', objects), 'a b')
  const { name, namespace } = fieldSelector(configMaps, 'v1', 'metadata.namespace=ns,metadata.name=a')
  assert.deepEqual({ name, namespace }, { name: 'a', namespace: 'ns' })
  assert.equal('name' in fieldSelector(configMaps, 'v1', 'metadata.name!=a'), false)
})

test('RD-034 unreadable selectors', () => {
  assert.equal(refused(configMaps, 'metadata.name'), "invalid selector: 'metadata.name'; can't understand 'metadata.name'")
  assert.equal(
    refused(configMaps, 'metadata.name in (a)'),
    "invalid selector: 'metadata.name in (a)'; can't understand 'metadata.name in (a)'",
  )
  assert.equal(refused(configMaps, String.raw`metadata.name=a\x`), String.raw`invalid field selector: invalid escape sequence: \x`)
})

test('escapes', () => {
  assert.deepEqual(parseFieldSelector(String.raw`a=x\,y\=z\\`), [{ label: 'a', operator: '=', value: String.raw`x,y=z\ `.trim() }])
  assert.throws(() => parseFieldSelector('a=b=c'), ApiError)
  assert.throws(() => parseFieldSelector('a=b\\'), ApiError)
})

test('RD-035 labels of a kind of its own', () => {
  const objects = [named('a', { type: 'Opaque' }), named('b', { type: 'example.com/own' })]
  assert.equal(picked(secrets, 'type=example.com/own', objects), 'b')
  assert.equal(picked(secrets, 'type!=Opaque', objects), 'b')
  assert.equal(picked(secrets, 'type=Opaque,metadata.name=a', objects), 'a')
})

test('RD-036 labels that a kind does not know', () => {
  assert.equal(refused(secrets, 'spec.image=x'), 'field label not supported: spec.image')
  assert.equal(
    refused(configMaps, 'spec.replicas=1'),
    '"spec.replicas" is not a known field selector: only "metadata.name", "metadata.namespace"',
  )
})

test('RD-037 selectable fields of a custom resource', () => {
  const objects = [
    named('a', { spec: { color: 'red', size: 1, hidden: false, deep: { name: 'x' } } }),
    named('b', { spec: { color: 'blue', size: 2, hidden: true } }),
    named('c', { spec: {} }),
  ]
  assert.equal(picked(selectables, 'spec.color=red', objects), 'a')
  assert.equal(picked(selectables, 'spec.color!=red', objects), 'b c')
  assert.equal(picked(selectables, 'spec.size=2', objects), 'b')
  assert.equal(picked(selectables, 'spec.hidden=true', objects), 'b')
  assert.equal(picked(selectables, 'spec.deep.name=x', objects), 'a')
  assert.equal(picked(selectables, 'spec.color=', objects), 'c')
  assert.equal(picked(selectables, 'spec.color=blue,spec.size=2', objects), 'b')
  assert.equal(picked(selectables, 'spec.color=blue,metadata.name=b', objects), 'b')
  assert.equal(refused(selectables, 'spec.other=1'), 'field label not supported: spec.other')
})

test('R9 a cluster-scoped custom resource has no namespace to select', () => {
  const gadgets = aCustomType({ resource: 'gadgets', namespaced: false })
  assert.equal(refused(gadgets, 'metadata.namespace=a'), 'field label not supported: metadata.namespace')
})

test('any text is a selector or a 400', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab=!,\\ .')) }), (text) => {
      try {
        parseFieldSelector(text)
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 400)
      }
    }),
  )
})
