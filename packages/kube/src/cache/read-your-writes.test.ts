import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../client/errors.ts'
import type { CachedKind } from './cache.ts'
import { cached } from './declaration.ts'
import { changesOf, contentsOf, ScriptedCache } from './testing/fixture.ts'
import { type Answer, ScriptedWatch } from './testing/scripted-client.ts'
import { added, aWidget, bookmark, deleted, endOfState, modified, page, Widget } from './testing/widgets.ts'

const expired = new ApiError({ code: 410, reason: 'Expired', message: 'too old' }, 'GET /widgets')
const widgets = cached(Widget)
const red = cached(Widget, { labelSelector: 'color=red' })

/** Holds `a 5` as of revision 10. */
async function holding(declaration: CachedKind<Widget> = widgets, ...answers: readonly Answer[]) {
  const watch = new ScriptedWatch().send(added(aWidget('a', 5)), endOfState(10))
  const script = await new ScriptedCache([declaration], watch, ...answers).start()
  return { script, watch, cache: script.cache, changes: changesOf(script.cache, declaration) }
}

/** Whether a promise has settled by now. */
async function isSettled(script: ScriptedCache, promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  void promise.then(() => (settled = true))
  await script.clock.settle()
  return settled
}

test('N7 what was written is in the cache at once, and handlers hear of it once', async () => {
  const { script, watch, cache, changes } = await holding()
  await using _ = script
  const mark = cache.wrote(Widget, aWidget('a', 12, { replicas: 2 }))
  cache.wrote(Widget, aWidget('b', 13))
  assert.equal(cache.shows([mark]), true)
  assert.deepEqual(contentsOf(cache, widgets), ['a 12', 'b 13'])
  watch.send(modified(aWidget('a', 12, { replicas: 2 })), added(aWidget('b', 13)))
  await script.clock.settle()
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 12', 'added b 13'])
})

test('N7 events from before the write are ignored, later ones are not', async () => {
  const { script, watch, cache, changes } = await holding()
  await using _ = script
  cache.wrote(Widget, aWidget('a', 15))
  watch.send(modified(aWidget('a', 11)), modified(aWidget('a', 14)))
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, widgets), ['a 15'])
  watch.send(modified(aWidget('a', 15)), modified(aWidget('a', 16)))
  await script.clock.settle()
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 15', 'updated a 15 16'])
})

test('N7 answers that come back in the wrong order do not set an object back', async () => {
  const { script, cache, changes } = await holding()
  await using _ = script
  cache.wrote(Widget, aWidget('a', 15))
  const early = cache.wrote(Widget, aWidget('a', 12))
  assert.equal(cache.shows([early]), true)
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 15'])
})

test('N7 the answer to a write of an object that was deleted since leaves no ghost, when the deletion was seen before', async () => {
  const { script, watch, cache, changes } = await holding()
  await using _ = script
  watch.send(modified(aWidget('a', 11)), deleted(aWidget('a', 12)))
  await script.clock.settle()
  const mark = cache.wrote(Widget, aWidget('a', 11))
  assert.equal(cache.shows([mark]), true)
  assert.deepEqual(contentsOf(cache, widgets), [])
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 11', 'deleted a 12'])
})

test('N7 … nor when the deletion is seen afterwards', async () => {
  const { script, watch, cache, changes } = await holding()
  await using _ = script
  cache.wrote(Widget, aWidget('b', 11))
  watch.send(added(aWidget('b', 11)), deleted(aWidget('b', 12)))
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, widgets), ['a 5'])
  assert.deepEqual(changes, ['added a 5 initially', 'added b 11', 'deleted b 12'])
})

test('N7 … nor when all that is seen is a later list', async () => {
  const next = new ScriptedWatch().send(added(aWidget('a', 5)), endOfState(20))
  const { script, watch, cache, changes } = await holding(widgets, next)
  await using _ = script
  cache.wrote(Widget, aWidget('b', 11))
  await script.clock.advance(5000)
  watch.fail(expired)
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, widgets), ['a 5'])
  assert.deepEqual(changes, ['added a 5 initially', 'added b 11', 'deleted b 11 stale'])
})

test('N7 a list from before the write does not take it back', async () => {
  const next = new ScriptedWatch().send(added(aWidget('a', 5)), endOfState(20))
  const { script, watch, cache, changes } = await holding(widgets, next)
  await using _ = script
  cache.wrote(Widget, aWidget('a', 21))
  cache.wrote(Widget, aWidget('b', 22))
  await script.clock.advance(5000)
  watch.fail(expired)
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, widgets), ['a 21', 'b 22'])
  next.send(modified(aWidget('a', 21)), added(aWidget('b', 22)), deleted(aWidget('b', 23)))
  await script.clock.settle()
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 21', 'added b 22', 'deleted b 23'])
})

test('N7 an object that we created again is not taken away by the deletion of the first', async () => {
  const { script, watch, cache, changes } = await holding()
  await using _ = script
  const again = aWidget('a', 13, {}, { uid: 'second' })
  cache.wrote(Widget, again)
  watch.send(deleted(aWidget('a', 12)), added(again))
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, widgets), ['a 13'])
  assert.deepEqual(changes, ['added a 5 initially', 'deleted a 5 stale', 'added a 13'])
})

test('N7 a write before the first state is complete is kept, or found out to be past', async () => {
  const watch = new ScriptedWatch()
  await using script = await new ScriptedCache([widgets], watch).start()
  script.cache.wrote(Widget, aWidget('past', 8))
  const mark = script.cache.wrote(Widget, aWidget('fresh', 12))
  assert.equal(script.cache.shows([mark]), true)
  watch.send(added(aWidget('a', 5)), endOfState(10))
  await script.clock.settle()
  assert.deepEqual(contentsOf(script.cache, widgets), ['a 5', 'fresh 12'])
})

test('N7 a write before the start is waited for', async () => {
  const watch = new ScriptedWatch().send(endOfState(10))
  const script = new ScriptedCache([widgets], watch)
  const mark = script.cache.wrote(Widget, aWidget('a', 12))
  assert.equal(script.cache.shows([mark]), false)
  await using _ = await script.start()
  assert.equal(script.cache.shows([mark]), false)
  watch.send(added(aWidget('a', 12)))
  await script.clock.settle()
  assert.equal(script.cache.shows([mark]), true)
})

test('N7 a deletion of ours is shown when the object is gone, another one by its name does not count', async () => {
  const { script, watch, cache } = await holding()
  await using _ = script
  const mark = cache.deleted(Widget, { namespace: 'default', name: 'a' }, aWidget('a', 5).metadata.uid ?? '')
  assert.equal(cache.shows([mark]), false)
  const shown = cache.shown([mark])
  assert.equal(await isSettled(script, shown), false)
  watch.send(deleted(aWidget('a', 12)), added(aWidget('a', 13, {}, { uid: 'second' })))
  assert.equal(await isSettled(script, shown), true)
  assert.equal(cache.shows([mark]), true)
})

test('N7 the answer to the write that took away the last finalizer stands for the end of the object', async () => {
  const { script, watch, cache } = await holding()
  await using _ = script
  const ending = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 0 }
  watch.send(modified(aWidget('a', 11, {}, { ...ending, finalizers: ['example.com/hold'] })))
  await script.clock.settle()
  const mark = cache.wrote(Widget, aWidget('a', 11, {}, ending))
  assert.deepEqual(mark, { kind: Widget, ref: { namespace: 'default', name: 'a' }, deletedUid: aWidget('a', 11).metadata.uid })
  assert.equal(cache.shows([mark]), false)
  watch.send(deleted(aWidget('a', 12, {}, ending)))
  await script.clock.settle()
  assert.equal(cache.shows([mark]), true)
})

test('N7 with a selector a write waits for the server to say whether it belongs here, older events are held back', async () => {
  const { script, watch, cache, changes } = await holding(red)
  await using _ = script
  const mark = cache.wrote(Widget, aWidget('a', 15))
  assert.deepEqual(contentsOf(cache, red), ['a 5'])
  assert.equal(cache.shows([mark]), false)
  watch.send(modified(aWidget('a', 12)))
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, red), ['a 5'])
  assert.equal(cache.shows([mark]), false)
  watch.send(modified(aWidget('a', 15)))
  await script.clock.settle()
  assert.equal(cache.shows([mark]), true)
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 15'])
})

test('N7 with a selector a write that takes the object out is shown when the server says so', async () => {
  const { script, watch, cache } = await holding(red)
  await using _ = script
  const mark = cache.wrote(Widget, aWidget('a', 15))
  watch.send(deleted(aWidget('a', 15)))
  await script.clock.settle()
  assert.equal(cache.shows([mark]), true)
  assert.deepEqual(contentsOf(cache, red), [])
})

test('N7 with a selector a write that never belonged here is shown when the watch has passed it', async () => {
  const { script, watch, cache } = await holding(red)
  await using _ = script
  const mark = cache.wrote(Widget, aWidget('blue', 15))
  watch.send(bookmark(14))
  await script.clock.settle()
  assert.equal(cache.shows([mark]), false)
  watch.send(bookmark(15))
  await script.clock.settle()
  assert.equal(cache.shows([mark]), true)
})

test('N7 with a selector the deletion of an earlier object is not held back: nothing else might come', async () => {
  const { script, watch, cache, changes } = await holding(red)
  await using _ = script
  // Deleted by somebody at 12, created again by us at 13 and not red any more.
  cache.wrote(Widget, aWidget('a', 13, {}, { uid: 'second' }))
  watch.send(deleted(aWidget('a', 12)), bookmark(20))
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, red), [])
  assert.deepEqual(changes, ['added a 5 initially', 'deleted a 12'])
})

test('N7 a list shows what was written before it', async () => {
  const next = new ScriptedWatch().send(endOfState(20))
  const { script, watch, cache } = await holding(red, next)
  await using _ = script
  const shown = cache.shown([cache.wrote(Widget, aWidget('blue', 15))])
  await script.clock.advance(5000)
  watch.fail(expired)
  assert.equal(await isSettled(script, shown), true)
})

test('N7 what no cache covers is shown at once, and kept by none', async () => {
  const team = cached(Widget, { namespaces: ['team'] })
  const { script, cache } = await holding(team)
  await using _ = script
  const other = cache.wrote({ ...Widget, plural: 'gadgets' }, aWidget('team/a', 12))
  const elsewhere = cache.wrote(Widget, aWidget('default/a', 12))
  assert.equal(cache.shows([other, elsewhere]), true)
  assert.equal(cache.shows([]), true)
  await cache.shown([other, elsewhere])
  assert.equal(cache.list(team).length, 1)
})

test('N7 a write is in every cache that covers it, and shown when it is in all of them', async () => {
  const watches = [1, 2].map(() => new ScriptedWatch().send(endOfState(10)))
  await using script = await new ScriptedCache([widgets, cached(Widget, { namespaces: ['default'] }), red], ...watches).start()
  const { cache } = script
  const mark = cache.wrote(Widget, aWidget('a', 12))
  assert.equal(cache.list(widgets).length, 1)
  assert.equal(cache.list(cached(Widget, { namespaces: ['default'] })).length, 1)
  assert.equal(cache.shows([mark]), false)
})

test('N7 waiting for writes can be given up', async () => {
  const { script, cache } = await holding(red)
  await using _ = script
  const impatient = new AbortController()
  const shown = cache.shown([cache.wrote(Widget, aWidget('a', 15))], impatient.signal)
  impatient.abort(new Error('ten seconds are enough'))
  await assert.rejects(shown, /ten seconds are enough/)
})

test('N7 a resourceVersion that is no number is taken as newer', async () => {
  const { script, watch, cache } = await holding()
  await using _ = script
  watch.send(modified(aWidget('a', 'opaque-1')), modified(aWidget('a', 'opaque-2')))
  await script.clock.settle()
  assert.deepEqual(contentsOf(cache, widgets), ['a opaque-2'])
})

test('N7 a server that started from nothing is believed, whatever we wrote to the one before', async () => {
  const tooLarge = new ApiError(
    { code: 504, reason: 'Timeout', message: 'Too large', details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } },
    'GET /widgets',
  )
  const { script, watch, cache } = await holding(widgets, tooLarge, [page(3, [aWidget('c', 2)])], new ScriptedWatch())
  await using _ = script
  cache.wrote(Widget, aWidget('b', 99))
  await script.clock.advance(5000)
  watch.fail(tooLarge)
  await script.clock.advance(5000)
  assert.deepEqual(contentsOf(cache, widgets), ['c 2'])
  cache.wrote(Widget, aWidget('c', 4))
  assert.deepEqual(contentsOf(cache, widgets), ['c 4'])
})
