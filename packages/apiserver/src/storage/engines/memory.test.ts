import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { describeStore } from '../testing/conformance.ts'
import { pods, put, remove, texts } from '../testing/fixture.ts'
import { openMemoryStore } from './memory.ts'

describeStore({
  name: 'the store in memory',
  isDurable: false,
  modelRuns: 150,
  open: () => Promise.resolve(openMemoryStore()),
})

describe('a copy of a store in memory', () => {
  it('has the objects, the history, the index and the counter of the original', async () => {
    const original = openMemoryStore()
    await put(original, `${pods}a`, 'one', ['owner/x'])
    await put(original, `${pods}b`, 'two')
    await remove(original, `${pods}b`)
    const copy = original.copy()
    assert.equal(copy.revision(), original.revision())
    assert.deepEqual([...copy.scan('')], [...original.scan('')])
    assert.deepEqual([...copy.changes(1)], [...original.changes(1)])
    assert.deepEqual([...copy.indexed('owner/')], [...original.indexed('owner/')])
    assert.equal(copy.count(pods), 1)
    assert.deepEqual(texts(copy.snapshot(3).scan(pods)), [`${pods}a=one`, `${pods}b=two`])
  })

  it('goes its own way, and so does the original', async () => {
    const original = openMemoryStore()
    await put(original, `${pods}a`, 'one')
    const copy = original.copy()
    await put(copy, `${pods}a`, 'changed in the copy')
    await put(original, `${pods}b`, 'new in the original')
    assert.deepEqual(texts(copy.scan(pods)), [`${pods}a=changed in the copy`])
    assert.deepEqual(texts(original.scan(pods)), [`${pods}a=one`, `${pods}b=new in the original`])
    await original.close()
    assert.equal(copy.revision(), 3)
  })

  it('forgets what the original has forgotten', async () => {
    const original = openMemoryStore()
    await put(original, `${pods}a`, 'one')
    await put(original, `${pods}a`, 'two')
    await original.compact(original.revision())
    const copy = original.copy()
    assert.equal(copy.compacted(), original.compacted())
    assert.throws(() => [...copy.changes(1)], /forgotten/)
  })

  it('taken in the middle of a write has all of it or nothing', async () => {
    const original = openMemoryStore()
    const writes = Array.from({ length: 5 }, (_, n) => put(original, `${pods}${n}`, 'new'))
    for (let turn = 0; turn < 10; turn++) {
      const copy = original.copy()
      assert.equal([...copy.scan(pods)].length, copy.revision() - 1)
      assert.equal([...copy.changes(1)].length, copy.revision() - 1)
      await Promise.resolve()
    }
    await Promise.all(writes)
  })
})
