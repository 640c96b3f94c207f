import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../client/errors.ts'
import { ConnectionError } from '../transport/transport.ts'
import { cached } from './declaration.ts'
import { changesOf, contentsOf, ScriptedCache } from './testing/fixture.ts'
import { type Answer, ScriptedWatch } from './testing/scripted-client.ts'
import { added, aWidget, bookmark, deleted, endOfState, modified, page, Widget } from './testing/widgets.ts'

const widgets = cached(Widget)
const refusal = (code: number, reason: string, more: object = {}): ApiError =>
  new ApiError({ code, reason, message: reason, ...more }, 'GET /widgets')
const unsupported = refusal(422, 'Invalid')
const expired = refusal(410, 'Expired')
const throttled = refusal(429, 'TooManyRequests', { details: { retryAfterSeconds: 9 } })
const unavailable = refusal(503, 'ServiceUnavailable')
const tooLarge = refusal(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge' }] } })
const cut = new ConnectionError('the connection was reset', 'ECONNRESET')
const connectionRefused = new ConnectionError('connection refused', 'ECONNREFUSED')

/** A cache that holds `a 5` as of revision 10 and follows a watch. */
async function following(...answers: readonly Answer[]): Promise<{ readonly script: ScriptedCache; readonly watch: ScriptedWatch }> {
  const watch = new ScriptedWatch()
  watch.send(added(aWidget('a', 5)), endOfState(10))
  return { script: await new ScriptedCache([widgets], watch, ...answers).start(), watch }
}

test('N3 the first request streams the newest state, and goes on as a watch', async () => {
  const { script, watch } = await following()
  await using _ = script
  assert.deepEqual(script.client.summary, ['stream newest'])
  const [asked] = script.client.asked
  assert.equal(asked?.options.sendInitialEvents, true)
  assert.equal(asked?.options.resourceVersionMatch, 'NotOlderThan')
  assert.equal(asked?.options.allowBookmarks, true)
  assert.equal(script.cache.hasSynced, true)
  watch.send(modified(aWidget('a', 11)), added(aWidget('b', 12)))
  await script.clock.settle()
  assert.deepEqual(contentsOf(script.cache, widgets), ['a 11', 'b 12'])
  assert.deepEqual(script.client.summary, ['stream newest'])
})

test('N3 a state that is not complete is no state: the cache has not synced before the marked bookmark', async () => {
  const watch = new ScriptedWatch().send(added(aWidget('a', 5)), bookmark(7))
  await using script = await new ScriptedCache([widgets], watch).start()
  assert.equal(script.cache.hasSynced, false)
  watch.send(endOfState(10))
  await script.clock.settle()
  assert.equal(script.cache.hasSynced, true)
})

test('N3 a server that does not stream is asked for pages of 500 in any state, then for what follows', async () => {
  const watch = new ScriptedWatch()
  await using script = await new ScriptedCache(
    [widgets],
    unsupported,
    [page(10, [aWidget('a', 5)], 'next'), page(10, [aWidget('b', 6)])],
    watch,
  ).start()
  assert.deepEqual(script.client.summary, ['stream newest', 'list 0 limit 500', 'watch 10'])
  assert.equal(script.client.asked[2]?.options.allowBookmarks, true)
  assert.deepEqual(contentsOf(script.cache, widgets), ['a 5', 'b 6'])
})

test('N3 a stream that says nothing for two bookmark periods is given up for lists, for good', async () => {
  const first = new ScriptedWatch().send(added(aWidget('a', 5)))
  const watch = new ScriptedWatch()
  await using script = await new ScriptedCache([widgets], first, [page(10, [aWidget('a', 5)])], watch).start()
  await script.clock.advance(119_999)
  assert.deepEqual(script.client.summary, ['stream newest'])
  await script.clock.advance(1)
  assert.deepEqual(script.client.summary, ['stream newest', 'list 0 limit 500', 'watch 10'])
  script.client.answer([page(20, [])])
  await script.clock.advance(5000)
  watch.fail(expired)
  await script.clock.settle()
  assert.equal(script.client.summary[3], 'list 10 limit 500')
})

test('N3 each watch asks for five to ten minutes, not all for the same', async () => {
  const watches = Array.from({ length: 8 }, () => new ScriptedWatch())
  const { script, watch } = await following(...watches)
  await using _ = script
  for (const each of [watch, ...watches]) {
    await script.clock.advance(1000)
    each.end()
    await script.clock.settle()
  }
  const timeouts = script.client.asked.map(({ options }) => options.timeoutSeconds ?? 0)
  assert.equal(timeouts.length, 9 + 1)
  for (const timeout of timeouts) assert.ok(Number.isInteger(timeout) && timeout >= 300 && timeout <= 600, `${timeout} s`)
  assert.ok(new Set(timeouts).size > 5)
})

test('N3 the end of a stream is followed by a watch from the last revision, a bookmark counts', async () => {
  const { script, watch } = await following(new ScriptedWatch(), new ScriptedWatch())
  await using _ = script
  watch.send(modified(aWidget('a', 11)), bookmark(40)).end()
  await script.clock.settle()
  assert.deepEqual(script.client.summary, ['stream newest', 'watch 40'])
  assert.deepEqual(script.cache.describe(), [
    {
      name: 'widgets.test.windlass.dev',
      objects: 1,
      hasSynced: true,
      resourceVersion: '40',
      lists: 1,
      watches: 2,
      problem: undefined,
    },
  ])
})

test('N3 a watch that ends within a second and brings nothing is begun again later', async () => {
  const { script, watch } = await following(new ScriptedWatch().end(), new ScriptedWatch())
  await using _ = script
  await script.clock.advance(1000)
  watch.end()
  await script.clock.settle()
  assert.deepEqual(script.client.summary, ['stream newest', 'watch 10'])
  assert.equal(script.cache.describe()[0]?.problem, 'the watch ended at once and brought nothing')
  await script.clock.advance(799)
  assert.equal(script.client.asked.length, 2)
  await script.clock.advance(801)
  assert.deepEqual(script.client.summary, ['stream newest', 'watch 10', 'watch 10'])
})

test('N3 after a 410 the objects are listed again, not older than what was seen', async () => {
  const { script, watch } = await following(new ScriptedWatch().send(added(aWidget('b', 30)), endOfState(31)))
  await using _ = script
  const changes = changesOf(script.cache, widgets)
  await script.clock.advance(5000)
  watch.fail(expired)
  await script.clock.settle()
  assert.deepEqual(script.client.summary, ['stream newest', 'stream 10'])
  assert.equal(script.client.asked[1]?.options.resourceVersionMatch, 'NotOlderThan')
  assert.deepEqual(changes, ['added a 5 initially', 'added b 30', 'deleted a 5 stale'])
})

test('N3 a list whose pages expire is taken again in the newest state', async () => {
  await using script = await new ScriptedCache(
    [widgets],
    unsupported,
    [page(10, [aWidget('a', 5)], 'next'), expired],
    [page(12, [aWidget('b', 6)])],
  ).start()
  assert.deepEqual(script.client.summary, ['stream newest', 'list 0 limit 500', 'list newest limit 500', 'watch 12'])
  assert.deepEqual(contentsOf(script.cache, widgets), ['b 6'])
})

test('N3 a revision that the server has not reached leads to a list from scratch, whose older state is believed', async () => {
  const { script, watch } = await following(tooLarge, [page(3, [aWidget('a', 2, {}, { uid: 'other' })])], new ScriptedWatch())
  await using _ = script
  const changes = changesOf(script.cache, widgets)
  await script.clock.advance(5000)
  watch.fail(cut)
  await script.clock.advance(1600)
  assert.deepEqual(script.client.summary, ['stream newest', 'list 10 limit 1', 'list newest limit 500', 'watch 3'])
  assert.deepEqual(changes, ['added a 5 initially', 'deleted a 5 stale', 'added a 2'])
})

for (const [what, error] of [
  ['a refused connection', connectionRefused],
  ['a 503', unavailable],
  ['a 500 without a reason', refusal(500, '')],
  ['a 403', refusal(403, 'Forbidden')],
] as const) {
  test(`N3 ${what} is tried again after 0.8 s, twice as long each time up to 30 s, spread over twice that`, async () => {
    const failures = Array.from({ length: 9 }, () => error)
    await using script = await new ScriptedCache([widgets], ...failures, [page(10, [])]).start()
    await script.clock.advanceUntil(() => script.cache.hasSynced, 400_000)
    const times = script.client.asked.map(({ at }) => at)
    const waits = times.slice(1, 10).map((at, index) => at - (times[index] ?? 0))
    for (const [index, wait] of waits.entries()) {
      const least = Math.min(30_000, 800 * 2 ** index)
      assert.ok(wait >= least && wait <= 2 * least, `wait ${index} was ${wait}`)
    }
    assert.ok(new Set(waits.slice(-3)).size > 1, 'all waits are alike')
    assert.equal(script.cache.hasSynced, true)
    assert.equal(script.cache.describe()[0]?.problem, undefined)
  })
}

test('N3 a 429 is obeyed: not before its Retry-After', async () => {
  await using script = await new ScriptedCache([widgets], throttled, [page(10, [])]).start()
  assert.equal(script.cache.describe()[0]?.problem, 'TooManyRequests')
  await script.clock.advance(8999)
  assert.equal(script.client.asked.length, 1)
  await script.clock.advance(1)
  assert.equal(script.cache.hasSynced, true)
})

test('N3 after two minutes without a failure the next one is a first one', async () => {
  const watch = new ScriptedWatch()
  await using script = await new ScriptedCache([widgets], unavailable, unavailable, unavailable, [page(10, [])], watch).start()
  await script.clock.advanceUntil(() => script.cache.hasSynced, 60_000)
  for (const version of [20, 30]) {
    await script.clock.advance(60_001)
    watch.send(bookmark(version))
    await script.clock.settle()
  }
  script.client.answer(unavailable, new ScriptedWatch())
  watch.end()
  await script.clock.settle()
  const before = script.client.asked.length
  await script.clock.advance(1600)
  assert.deepEqual(script.client.summary.slice(before - 1), ['watch 30', 'watch 30'])
})

test('N3 a stream that breaks off is taken up from the last revision, when the server still knows it', async () => {
  const { script, watch } = await following([page(30, [aWidget('a', 5)])], new ScriptedWatch().send(modified(aWidget('a', 12))))
  await using _ = script
  const changes = changesOf(script.cache, widgets)
  await script.clock.advance(5000)
  watch.send(modified(aWidget('a', 11))).fail(cut)
  await script.clock.settle()
  assert.deepEqual(script.client.summary, ['stream newest', 'list 11 limit 1', 'watch 11'])
  assert.deepEqual(changes, ['added a 5 initially', 'updated a 5 11', 'updated a 11 12'])
})

test('N3 a stream without an event or a bookmark for two minutes is left and begun again', async () => {
  const { script, watch } = await following([page(20, [])], new ScriptedWatch())
  await using _ = script
  await script.clock.advance(100_000)
  watch.send(bookmark(15))
  await script.clock.settle()
  await script.clock.advance(119_999)
  assert.deepEqual(script.client.summary, ['stream newest'])
  await script.clock.advance(1)
  assert.deepEqual(script.client.summary, ['stream newest', 'list 15 limit 1', 'watch 15'])
  assert.equal(watch.isClosed, true)
})

test('N3 a server that went back in time is found out after a silence', async () => {
  const { script } = await following(tooLarge, [page(4, [aWidget('c', 4)])], new ScriptedWatch())
  await using _ = script
  await script.clock.advance(125_000)
  assert.deepEqual(contentsOf(script.cache, widgets), ['c 4'])
  assert.equal(script.cache.describe()[0]?.resourceVersion, '4')
})

test('N3 stopping ends everything at once, whatever it was waiting for', async () => {
  for (const answers of [[], [new ScriptedWatch()], [connectionRefused], [unsupported, [page(1, [])], new ScriptedWatch()]]) {
    const script = await new ScriptedCache([widgets], ...answers).start()
    await script.stop()
    assert.equal(script.clock.pending, 0, 'a timer is left behind')
  }
})

test('N3 several namespaces are followed each by itself', async () => {
  const team = cached(Widget, { namespaces: ['b', 'a', 'b'] })
  const watches = [new ScriptedWatch(), new ScriptedWatch()]
  await using script = await new ScriptedCache([team], ...watches).start()
  assert.deepEqual(
    script.client.asked.map(({ options }) => options.namespace),
    ['a', 'b'],
  )
  watches[0]?.send(added(aWidget('a/x', 5)), endOfState(10))
  await script.clock.settle()
  assert.equal(script.cache.hasSynced, false)
  watches[1]?.send(added(aWidget('b/x', 7)), endOfState(20))
  await script.clock.settle()
  assert.equal(script.cache.hasSynced, true)
  assert.equal(script.cache.list(team).length, 2)
  assert.equal(script.cache.describe()[0]?.name, 'widgets.test.windlass.dev (namespaces a, b)')
  assert.equal(script.cache.describe()[0]?.resourceVersion, '10')
  // The one namespace is listed anew; the other is left alone.
  script.client.answer(new ScriptedWatch().send(endOfState(30)))
  await script.clock.advance(5000)
  watches[0]?.fail(expired)
  await script.clock.settle()
  assert.deepEqual(
    script.cache.list(team).map(({ metadata }) => metadata.namespace),
    ['b'],
  )
})

test('N3 selectors are part of every request', async () => {
  const red = cached(Widget, { labelSelector: 'color=red', fieldSelector: 'metadata.name=a' })
  await using script = await new ScriptedCache([red], unsupported, [page(10, [])], new ScriptedWatch()).start()
  for (const { options } of script.client.asked) {
    assert.equal(options.labelSelector, 'color=red')
    assert.equal(options.fieldSelector, 'metadata.name=a')
  }
  assert.equal(script.client.asked.length, 3)
})

test('N3 an object that comes and goes between state and bookmark is not there afterwards', async () => {
  const watch = new ScriptedWatch().send(added(aWidget('a', 5)), added(aWidget('b', 6)), deleted(aWidget('b', 8)), endOfState(10))
  await using script = await new ScriptedCache([widgets], watch).start()
  assert.deepEqual(contentsOf(script.cache, widgets), ['a 5'])
})
