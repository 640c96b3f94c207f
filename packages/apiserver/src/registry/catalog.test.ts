import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toResourceType } from '../crd/index.ts'
import type { JsonObject } from '../json.ts'
import { gadgets, widgets } from '../testing/index.ts'
import { Catalog, groupVersion } from './catalog.ts'

const group = 'test.windlass.dev'

/** Widgets in two versions, of which the stored one is no longer served. */
function inTwoVersions(): JsonObject {
  const spec = widgets['spec'] as JsonObject
  const [version] = spec['versions'] as readonly JsonObject[]
  return {
    ...widgets,
    spec: {
      ...spec,
      versions: [
        { ...version, served: false },
        { ...version, name: 'v2', storage: false },
      ],
    },
  }
}

test('a resource is found by group, version and plural', () => {
  const catalog = new Catalog()
  catalog.set(toResourceType(widgets))
  const served = catalog.find(group, 'v1', 'widgets')
  assert.equal(served?.type.kind, 'Widget')
  assert.equal(served?.apiVersion, 'test.windlass.dev/v1')
  assert.equal(catalog.find(group, 'v2', 'widgets'), undefined)
  assert.equal(catalog.find('other', 'v1', 'widgets'), undefined)
})

test('V13 a version that is stored but not served is only found as the stored one', () => {
  const catalog = new Catalog()
  catalog.set(toResourceType(inTwoVersions()))
  assert.equal(catalog.find(group, 'v1', 'widgets'), undefined)
  assert.equal(catalog.find(group, 'v2', 'widgets')?.version.name, 'v2')
  assert.equal(catalog.stored(group, 'widgets')?.version.name, 'v1')
})

test('G3 a catalogue shows what stands below it, and the same entries', () => {
  const base = new Catalog()
  base.set(toResourceType(widgets))
  const upper = new Catalog(base)
  upper.set(toResourceType(gadgets))
  assert.equal(upper.find(group, 'v1', 'widgets'), base.find(group, 'v1', 'widgets'))
  assert.equal(base.find(group, 'v1', 'gadgets'), undefined)
  assert.deepEqual(
    [...upper.types()].map(({ resource }) => resource),
    ['widgets', 'gadgets'],
  )
})

test('the generation moves with every change, here and below', () => {
  const base = new Catalog()
  const upper = new Catalog(base)
  const seen = new Set([upper.generation])
  base.set(toResourceType(widgets))
  seen.add(upper.generation)
  upper.set(toResourceType(gadgets))
  seen.add(upper.generation)
  upper.delete(group, 'gadgets')
  seen.add(upper.generation)
  upper.delete(group, 'gadgets')
  assert.equal(seen.size, 4)
  assert.ok(seen.has(upper.generation), 'nothing was deleted, and yet it moved')
})

test('the core group has no name in front of its version', () => {
  assert.equal(groupVersion('', 'v1'), 'v1')
  assert.equal(groupVersion('apps', 'v1'), 'apps/v1')
})
