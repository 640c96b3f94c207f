import assert from 'node:assert/strict'
import type { KubernetesObject } from '@windlass/api'
import { keyOf, refOf } from '../../objects/refs.ts'
import type { CacheChange } from '../cache.ts'
import { versionOf } from '../collection.ts'
import { isOlder } from '../resource-version.ts'

/** Replays what handlers were told: it must make sense by itself, and lead to what the cache holds. */
export function replay<T extends KubernetesObject>(changes: readonly CacheChange<T>[]): ReadonlyMap<string, T> {
  const told = new Map<string, T>()
  const newest = new Map<string, string>()
  for (const change of changes) {
    const { object } = change
    const key = keyOf(refOf(object))
    const known = told.get(key)
    if (change.type === 'added') assert.equal(known, undefined, `${key} was added twice`)
    else assert.ok(known !== undefined, `${key} was ${change.type} before it was added`)
    if (change.type === 'updated') {
      assert.equal(change.old, known, `${key} was not like that before`)
      assert.equal(object.metadata.uid, change.old.metadata.uid, `${key} is another object`)
    }
    const before = newest.get(key)
    if (before !== undefined && !(change.type === 'deleted' && change.isStale)) {
      assert.ok(isOlder(before, versionOf(object)), `${key} went from ${before} to ${versionOf(object)}`)
    }
    newest.set(key, versionOf(object))
    if (change.type === 'deleted') told.delete(key)
    else told.set(key, object)
  }
  return told
}

/** Sorted, to compare. */
export function byName<T extends KubernetesObject>(objects: Iterable<T>): readonly T[] {
  return [...objects].sort((a, b) => (keyOf(refOf(a)) < keyOf(refOf(b)) ? -1 : 1))
}
