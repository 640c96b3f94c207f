import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type KubernetesObject, type NodePool } from '@windlass/api'
import { aNodePool } from '@windlass/api/fixtures'
import type { CacheChange } from '../cache/cache.ts'
import {
  always,
  and,
  annotationChanged,
  changed,
  deletion,
  generationChanged,
  labelChanged,
  not,
  or,
  type Predicate,
  resourceVersionChanged,
} from './index.ts'

type Change = CacheChange<NodePool>

const pool = aNodePool()
const added = (object = pool): Change => ({ type: 'added', object, isInitial: false })
const deleted: Change = { type: 'deleted', object: pool, isStale: false }
const updated = (metadata: NodePool['metadata'], old: NodePool['metadata'] = {}): Change => ({
  type: 'updated',
  object: aNodePool({ metadata }),
  old: aNodePool({ metadata: old }),
})

const lets = (predicate: Predicate<KubernetesObject>, change: Change): boolean => predicate(change)

describe('predicates', () => {
  it('N11 what appears or vanishes is always a reason to look', () => {
    for (const predicate of [always, generationChanged, resourceVersionChanged, labelChanged(), annotationChanged('a')]) {
      assert.ok(lets(predicate, added()))
      assert.ok(lets(predicate, deleted))
    }
  })

  it('N11 generationChanged: the spec has changed', () => {
    assert.ok(lets(generationChanged, updated({ generation: 2 }, { generation: 1 })))
    assert.ok(!lets(generationChanged, updated({ resourceVersion: '2', labels: { a: '1' } })))
  })

  it('N11 generationChanged: kinds without a generation change with every write', () => {
    const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '1' } }
    assert.ok(generationChanged({ type: 'updated', old: map, object: { ...map, metadata: { name: 'a', resourceVersion: '2' } } }))
  })

  it('N11 resourceVersionChanged: anything was written', () => {
    assert.ok(lets(resourceVersionChanged, updated({ resourceVersion: '2' })))
    assert.ok(!lets(resourceVersionChanged, updated({})))
  })

  it('N11 labelChanged and annotationChanged: the named ones, or any', () => {
    const change = updated({ labels: { a: '1', b: '2' }, annotations: { c: '1' } }, { labels: { a: '1' }, annotations: { c: '2' } })
    assert.ok(lets(labelChanged(), change))
    assert.ok(lets(labelChanged('a', 'b'), change))
    assert.ok(!lets(labelChanged('a'), change))
    assert.ok(lets(annotationChanged('c'), change))
    assert.ok(!lets(annotationChanged('d'), change))
    assert.ok(!lets(labelChanged(), updated({ labels: {} })), 'no labels are no labels')
  })

  it('N11 changed: what is picked from the old and the new object differs, typed', () => {
    const release = changed((each: NodePool) => each.spec.release)
    const replicas = changed((each: NodePool) => each.spec.replicas)
    const change: Change = { type: 'updated', old: pool, object: aNodePool({ spec: { replicas: 9 } }) }
    assert.ok(!release(change))
    assert.ok(replicas(change))
    // @ts-expect-error: there is no such field
    changed((each: NodePool) => each.spec.replica)
  })

  it('N11 deletion: asked for or done, and nothing else', () => {
    const going = { deletionTimestamp: '2026-01-01T00:00:00Z' }
    assert.ok(lets(deletion, deleted))
    assert.ok(lets(deletion, updated(going)))
    assert.ok(lets(deletion, added(aNodePool({ metadata: going }))), 'it was asked for before we looked')
    assert.ok(!lets(deletion, updated({ ...going, resourceVersion: '2' }, going)))
    assert.ok(!lets(deletion, added()))
  })

  it('N11 and, or, not', () => {
    const yes: Predicate<KubernetesObject> = () => true
    const no: Predicate<KubernetesObject> = () => false
    for (const [a, b] of [
      [yes, yes],
      [yes, no],
      [no, yes],
      [no, no],
    ] as const) {
      assert.equal(lets(and(a, b), added()), a === yes && b === yes)
      assert.equal(lets(or(a, b), added()), a === yes || b === yes)
      assert.equal(lets(not(a), added()), a === no)
    }
    assert.ok(lets(and(), added()) && !lets(or(), added()))
  })
})
