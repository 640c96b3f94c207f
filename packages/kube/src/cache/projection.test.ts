import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubernetesObject } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import { cached } from './declaration.ts'
import { parseFieldPath } from './field-path.ts'
import { projectionOf } from './projection.ts'
import { Widget } from './testing/widgets.ts'

const pool = aNodePool({
  metadata: {
    labels: { team: 'a' },
    annotations: { 'example.com/note': 'long', 'example.com/ticket': 'OPS-1' },
    managedFields: [{ manager: 'kubectl', fieldsV1: {} }],
  },
})

/** Any part of an object: what a projection has dropped is not there, whatever its type says. */
type Loose = KubernetesObject & {
  readonly spec?: Readonly<Record<string, unknown>>
  readonly status?: { readonly version?: string; readonly conditions?: readonly Readonly<Record<string, unknown>>[] }
}

function project(...choices: Parameters<typeof projectionOf>[0]): Loose {
  return projectionOf(choices)<Loose>(pool)
}

test('N5 managedFields are dropped, everything else stays as it is', () => {
  const { managedFields: _, ...metadata } = pool.metadata
  const projected = project({})
  assert.deepEqual(projected, { ...pool, metadata })
  assert.equal(projected.spec, pool.spec)
  assert.equal(projected.metadata.labels, pool.metadata.labels)
})

test('N5 an object that has nothing to drop is the same object', () => {
  const { managedFields: _, ...metadata } = pool.metadata
  const plain = { ...pool, metadata }
  assert.equal(projectionOf([{}])(plain), plain)
  assert.equal(projectionOf([{ drops: ['spec.autoScaling', 'status.nothing.there'] }])(plain), plain)
  assert.equal(projectionOf([{ keeps: ['spec', 'status'] }])(plain), plain)
})

test('N5 declared paths are dropped, through lists and where names have dots', () => {
  const projected = project({ drops: ['spec.platform', 'status.conditions.message', 'metadata.annotations["example.com/note"]'] })
  assert.equal(projected.spec?.['platform'], undefined)
  assert.equal(projected.spec?.['clusterName'], 'prod')
  assert.deepEqual(projected.metadata.annotations, { 'example.com/ticket': 'OPS-1' })
  const [ready] = pool.status?.conditions ?? []
  assert.ok(ready !== undefined)
  const { message: _, ...rest } = ready
  assert.deepEqual(projected.status?.conditions?.[0], rest)
})

test('N5 only declared fields are kept, besides what every object has', () => {
  const projected = project({ keeps: ['spec.release', 'spec.clusterName', 'status.version'], drops: ['metadata.annotations'] })
  const { managedFields: _, annotations: __, ...metadata } = pool.metadata
  assert.deepEqual(projected, {
    apiVersion: pool.apiVersion,
    kind: pool.kind,
    metadata,
    spec: { clusterName: 'prod', release: pool.spec.release },
    status: { version: '4.19.6' },
  })
  assert.equal(projected.spec?.['release'], pool.spec.release)
})

test('N5 declarations that share their objects keep what any of them wants', () => {
  const projected = project(
    { keeps: ['spec.release', 'status'], drops: ['metadata.annotations', 'status.conditions'] },
    { keeps: ['spec.replicas'], drops: ['metadata.annotations["example.com/note"]', 'status.conditions.message'] },
  )
  assert.deepEqual(Object.keys(projected.spec ?? {}).sort(), ['release', 'replicas'])
  assert.deepEqual(projected.metadata.annotations, { 'example.com/ticket': 'OPS-1' })
  assert.deepEqual(
    projected.status?.conditions?.map(({ type, message }) => [type, message]),
    (pool.status?.conditions ?? []).map(({ type }) => [type, undefined]),
  )
  assert.deepEqual(project({ keeps: ['status'] }, {}).spec, pool.spec)
})

test('N5 what a cache needs cannot be dropped', () => {
  for (const path of [
    'metadata',
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    'metadata.resourceVersion',
    'kind',
    'apiVersion',
  ]) {
    assert.throws(() => cached(Widget, { drops: [path] }), /caches need .* of every object/)
  }
})

test('N5 a path that cannot be read is refused where it is declared, with how to write it', () => {
  assert.deepEqual(parseFieldPath('a["b.c/d"].e'), ['a', 'b.c/d', 'e'])
  for (const path of ['', '.spec', 'spec.', 'spec..x', 'spec[0]', 'a["b']) {
    assert.throws(() => cached(Widget, { drops: [path] }), /is no path of a field: write names with dots/)
    assert.throws(() => cached(Widget, { keeps: [path] }), /is no path of a field: write names with dots/)
  }
})

test('N4 a declaration that covers nothing, or namespaces of a kind without any, is refused', () => {
  assert.throws(() => cached(Widget, { namespaces: [] }), /the list of namespaces is empty/)
  assert.throws(() => cached({ ...Widget, scope: 'Cluster' }, { namespaces: ['a'] }), /cluster-wide/)
})
