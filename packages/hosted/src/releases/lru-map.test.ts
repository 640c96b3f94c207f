import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LruMap } from './lru-map.ts'

describe('a map of bounded size', () => {
  it('lets go of what was not looked at for longest', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    assert.equal(map.get('a'), 1)
    map.set('c', 3)
    assert.deepEqual([map.get('a'), map.get('b'), map.get('c'), map.size], [1, undefined, 3, 2])
  })

  it('replaces and deletes', () => {
    const map = new LruMap<string, number>(2)
    map.set('a', 1)
    map.set('a', 2)
    assert.equal(map.get('a'), 2)
    map.delete('a')
    assert.equal(map.get('a'), undefined)
  })
})
