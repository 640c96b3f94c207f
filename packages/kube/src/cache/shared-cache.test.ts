import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../client/errors.ts'
import { seededRandom, VirtualClock } from '@windlass/core'
import { type Log, silentLog } from '../log.ts'
import type { RuntimeMetrics } from '../metrics/metrics.ts'
import { cached } from './declaration.ts'
import { createSharedCache } from './shared-cache.ts'
import { changesOf, contentsOf, ScriptedCache } from './testing/fixture.ts'
import { ScriptedClient, ScriptedWatch } from './testing/scripted-client.ts'
import { added, aWidget, deleted, endOfState, modified, page, Widget } from './testing/widgets.ts'

const expired = new ApiError({ code: 410, reason: 'Expired', message: 'too old' }, 'GET /widgets')
const widgets = cached(Widget, { indexes: { color: ({ spec }) => (spec.color === undefined ? [] : [spec.color]) } })

/** Started, with this state at revision 10. */
async function holding(...objects: readonly Widget[]): Promise<{ readonly script: ScriptedCache; readonly watch: ScriptedWatch }> {
  const watch = new ScriptedWatch().send(...objects.map(added), endOfState(10))
  return { script: await new ScriptedCache([widgets], watch).start(), watch }
}

/** The server shows another state, at this revision. */
async function relist(script: ScriptedCache, watch: ScriptedWatch, version: number, ...objects: readonly Widget[]): Promise<ScriptedWatch> {
  const next = new ScriptedWatch().send(...objects.map(added), endOfState(version))
  script.client.answer(next)
  await script.clock.advance(5000)
  watch.fail(expired)
  await script.clock.settle()
  return next
}

test('N4 one reflector serves any number of declarations and handlers of the same objects', async () => {
  const again = cached(Widget)
  const watch = new ScriptedWatch().send(added(aWidget('a', 5)), endOfState(10))
  const script = new ScriptedCache([widgets, again], watch)
  const [first, second, third] = [widgets, again, Widget].map((of) => changesOf(script.cache, of))
  await using _ = await script.start()
  watch.send(modified(aWidget('a', 11)), deleted(aWidget('a', 12)))
  await script.clock.settle()
  assert.equal(script.client.asked.length, 1)
  assert.deepEqual(first, ['added a 5 initially', 'updated a 5 11', 'deleted a 12'])
  assert.deepEqual(second, first)
  assert.deepEqual(third, first)
})

test('N4 other selectors, namespaces or kinds have caches of their own', async () => {
  const others = [
    widgets,
    cached(Widget, { labelSelector: 'a=b' }),
    cached(Widget, { namespaces: ['team'] }),
    cached({ ...Widget, version: 'v2' }),
  ]
  await using script = await new ScriptedCache(others).start()
  assert.equal(script.client.asked.length, 4)
  assert.deepEqual(
    script.cache.describe().map(({ name }) => name),
    [
      'widgets.test.windlass.dev',
      'widgets.test.windlass.dev (labels a=b)',
      'widgets.test.windlass.dev (namespaces team)',
      'widgets.test.windlass.dev',
    ],
  )
})

test('N4 objects are read by name, by namespace and all at once, and are the same objects each time', async () => {
  const { script } = await holding(aWidget('a', 5), aWidget('b', 6), aWidget('team/a', 7))
  await using _ = script
  const { cache } = script
  assert.equal(cache.get(widgets, { namespace: 'team', name: 'a' })?.metadata.resourceVersion, '7')
  assert.equal(cache.get(Widget, { namespace: 'team', name: 'b' }), undefined)
  assert.equal(cache.list(widgets).length, 3)
  assert.deepEqual(
    cache.list(Widget, { namespace: 'default' }).map(({ metadata }) => metadata.name),
    ['a', 'b'],
  )
  assert.equal(cache.list(widgets, { namespace: 'team' })[0], cache.get(widgets, { namespace: 'team', name: 'a' }))
})

test('N4 a cluster-wide kind is read by name', async () => {
  const Gadget = { ...Widget, kind: 'Widget', plural: 'gadgets', scope: 'Cluster' } as const
  const { namespace: _, ...metadata } = aWidget('a', 5).metadata
  const watch = new ScriptedWatch().send(added({ ...aWidget('a', 5), metadata }), endOfState(10))
  await using script = await new ScriptedCache([cached(Gadget)], watch).start()
  assert.equal(script.cache.get(Gadget, { name: 'a' })?.metadata.resourceVersion, '5')
  assert.equal(script.cache.list(Gadget, { namespace: 'ignored' }).length, 1)
})

test('N4 what was not declared is an error and not an empty answer', async () => {
  const team = cached(Widget, { namespaces: ['team'], indexes: { color: () => [] } })
  await using script = await new ScriptedCache([team]).start()
  const { cache } = script
  assert.throws(() => cache.list(Widget), /widgets\.test\.windlass\.dev is not cached: declare cached\(Widget\) before the start/)
  assert.throws(() => cache.get(team, { namespace: 'default', name: 'a' }), /nothing is known of namespace default/)
  assert.throws(() => cache.list(team, { namespace: 'default' }), /nothing is known of namespace default/)
  assert.throws(() => cache.get(team, { name: 'a' }), /Widget a: the kind has namespaces, say which/)
  assert.throws(
    () => cache.byIndex(cached(Widget, { namespaces: ['team'], indexes: { size: () => [] } }), 'size', 'x'),
    /has no index size/,
  )
  assert.throws(() => cache.declare(widgets), /declared after the caches were started/)
  await assert.rejects(cache.run(new AbortController().signal), /running already/)
})

test('N4 a handler that comes later hears of the present objects first', async () => {
  const { script, watch } = await holding(aWidget('a', 5), aWidget('b', 6))
  await using _ = script
  const changes = changesOf(script.cache, widgets)
  watch.send(deleted(aWidget('a', 11)))
  await script.clock.settle()
  assert.deepEqual(changes, ['added a 5 initially', 'added b 6 initially', 'deleted a 11'])
})

test('N4 handlers find the change in the cache already', async () => {
  const { script, watch } = await holding(aWidget('a', 5, { color: 'red' }))
  await using _ = script
  const seen: unknown[] = []
  script.cache.onChange(widgets, ({ type, object }) => {
    const present = script.cache.get(widgets, { namespace: 'default', name: object.metadata.name ?? '' })
    seen.push([type, present?.metadata.resourceVersion, script.cache.byIndex(widgets, 'color', 'red').length])
  })
  watch.send(modified(aWidget('a', 11, { color: 'blue' })), deleted(aWidget('a', 12)))
  await script.clock.settle()
  assert.deepEqual(seen, [
    ['added', '5', 1],
    ['updated', '11', 0],
    ['deleted', undefined, 0],
  ])
})

test('N4 what comes with one chunk is taken in one step', async () => {
  const { script, watch } = await holding()
  await using _ = script
  const turns: number[] = []
  let turn = 0
  script.cache.onChange(widgets, () => turns.push(turn))
  watch.send(added(aWidget('a', 11)), added(aWidget('b', 12)), modified(aWidget('a', 13)))
  const counting = (async () => {
    for (; turn < 20; turn++) await Promise.resolve()
  })()
  await script.clock.settle()
  await counting
  assert.equal(turns.length, 3)
  assert.equal(new Set(turns).size, 1)
})

test('N4 a handler that throws is told of, and disturbs neither others nor the cache', async () => {
  const errors: unknown[] = []
  const log: Log = { ...silentLog, error: (fields, message) => errors.push([fields, message]), child: () => log }
  const clock = new VirtualClock()
  const watch = new ScriptedWatch().send(added(aWidget('a', 5)), endOfState(10))
  const cache = createSharedCache({ client: new ScriptedClient(clock, watch), clock, random: seededRandom(1), log })
  cache.declare(widgets)
  cache.onChange(widgets, () => {
    throw new Error('out of order')
  })
  const changes = changesOf(cache, widgets)
  const stop = new AbortController()
  const run = cache.run(stop.signal)
  await clock.settle()
  assert.deepEqual(changes, ['added a 5 initially'])
  assert.equal(errors.length, 1)
  stop.abort()
  await run
})

test('N4 changes that a handler brings about are told after the one it is told of, to everybody', async () => {
  const { script, watch } = await holding()
  await using _ = script
  script.cache.onChange(widgets, ({ type, object }) => {
    if (type === 'added' && object.metadata.name === 'a') script.cache.wrote(Widget, aWidget('a', 20))
  })
  const changes = changesOf(script.cache, widgets)
  watch.send(added(aWidget('a', 11)))
  await script.clock.settle()
  assert.deepEqual(changes, ['added a 11', 'updated a 11 20'])
})

test('N4 a new state takes the place of the old one at once, and the difference is told', async () => {
  const { script, watch } = await holding(aWidget('same', 5), aWidget('changed', 6), aWidget('gone', 7))
  await using _ = script
  const same = script.cache.get(widgets, { namespace: 'default', name: 'same' })
  const changes = changesOf(script.cache, widgets).splice(0)
  const told: string[] = []
  const contents = new Set<string>()
  script.cache.onChange(widgets, (change) => {
    if (change.type === 'added' && change.isInitial) return
    told.push(`${change.type} ${change.object.metadata.name}${change.type === 'deleted' ? ` ${change.isStale}` : ''}`)
    contents.add(contentsOf(script.cache, widgets).join())
  })
  assert.equal(changes.length, 3)
  await relist(script, watch, 40, aWidget('same', 5), aWidget('changed', 30), aWidget('new', 31))
  assert.deepEqual(told, ['updated changed', 'added new', 'deleted gone true'])
  assert.deepEqual([...contents], ['changed 30,new 31,same 5'])
  assert.equal(script.cache.get(widgets, { namespace: 'default', name: 'same' }), same)
})

test('N4 until a new state is complete the old one stays', async () => {
  const { script, watch } = await holding(aWidget('a', 5))
  await using _ = script
  const next = new ScriptedWatch().send(added(aWidget('b', 30)))
  script.client.answer(next)
  await script.clock.advance(5000)
  watch.fail(expired)
  await script.clock.settle()
  assert.deepEqual(contentsOf(script.cache, widgets), ['a 5'])
  next.send(endOfState(31), deleted(aWidget('b', 32)))
  await script.clock.settle()
  assert.deepEqual(contentsOf(script.cache, widgets), [])
})

test('N4 another object by the same name is the end of the first and the beginning of the second', async () => {
  const { script, watch } = await holding(aWidget('a', 5))
  await using _ = script
  const changes = changesOf(script.cache, widgets)
  await relist(script, watch, 40, aWidget('a', 30, {}, { uid: 'second' }))
  assert.deepEqual(changes, ['added a 5 initially', 'deleted a 5 stale', 'added a 30'])
})

test('N4 an event that was seen already, or is older than what is known, is no change', async () => {
  const { script, watch } = await holding(aWidget('a', 5))
  await using _ = script
  const changes = changesOf(script.cache, widgets)
  watch.send(modified(aWidget('a', 5)), modified(aWidget('a', 4)), deleted(aWidget('a', 3)), deleted(aWidget('unknown', 11)))
  await script.clock.settle()
  assert.deepEqual(changes, ['added a 5 initially'])
})

test('N4 a first state that breaks off leaves nothing behind that is not there', async () => {
  const first = new ScriptedWatch().send(added(aWidget('a', 5)), added(aWidget('b', 6))).fail(expired)
  const script = new ScriptedCache([widgets], first, [page(12, [aWidget('b', 6), aWidget('c', 11)])], new ScriptedWatch())
  const changes = changesOf(script.cache, widgets)
  await using _ = await script.start()
  assert.deepEqual(contentsOf(script.cache, widgets), ['b 6', 'c 11'])
  assert.deepEqual(changes, ['added a 5 initially', 'added b 6 initially', 'added c 11 initially', 'deleted a 5 stale'])
})

test('N4 synced waits for every cache, and can be given up', async () => {
  const watches = [new ScriptedWatch().send(endOfState(10)), new ScriptedWatch()]
  await using script = await new ScriptedCache([widgets, cached(Widget, { labelSelector: 'x' })], ...watches).start()
  let isSynced = false
  const synced = script.cache.synced().then(() => (isSynced = true))
  const impatient = new AbortController()
  const givenUp = script.cache.synced(impatient.signal)
  impatient.abort(new Error('no patience'))
  await assert.rejects(givenUp, /no patience/)
  await assert.rejects(script.cache.synced(AbortSignal.abort(new Error('too late'))), /too late/)
  await script.clock.settle()
  assert.equal(isSynced, false)
  watches[1]?.send(endOfState(10))
  await synced
  assert.equal(script.cache.hasSynced, true)
})

test('N4 without a declaration there is nothing to wait for', async () => {
  await using script = await new ScriptedCache([]).start()
  await script.cache.synced()
  assert.equal(script.cache.hasSynced, true)
  assert.deepEqual(script.cache.describe(), [])
})

test('N4 metrics can be read for each cache', async () => {
  const clock = new VirtualClock()
  const sources = new Map<string, Parameters<RuntimeMetrics['cache']>[1]>()
  const watch = new ScriptedWatch().send(added(aWidget('a', 5)), endOfState(10))
  const metrics = { cache: (name: string, source: Parameters<RuntimeMetrics['cache']>[1]) => void sources.set(name, source) }
  const cache = createSharedCache({ client: new ScriptedClient(clock, watch), clock, random: seededRandom(1), metrics })
  cache.declare(widgets)
  const stop = new AbortController()
  const run = cache.run(stop.signal)
  await clock.settle()
  const { objects, lists, watches } = sources.get('widgets.test.windlass.dev')?.() ?? {}
  assert.deepEqual({ objects, lists, watches }, { objects: 1, lists: 1, watches: 1 })
  stop.abort()
  await run
})

test('N5 cached objects are frozen where that was asked for, those that were written too', async () => {
  const { script, watch } = await holding(aWidget('a', 5, { note: 'x' }))
  await using _ = script
  watch.send(modified(aWidget('a', 11, { note: 'y' })))
  await script.clock.settle()
  script.cache.wrote(Widget, aWidget('b', 12, { note: 'z' }))
  for (const object of script.cache.list(widgets)) {
    assert.throws(() => Object.assign(object.spec, { note: 'changed' }), TypeError)
    assert.throws(() => Object.assign(object, { status: {} }), TypeError)
  }
})

test('N5 managedFields do not enter, and what did not change stays the same part', async () => {
  const full = (version: number, replicas: number): Widget => ({
    ...aWidget(
      'a',
      version,
      { note: 'a long enough note' },
      { managedFields: [{ manager: 'kubectl' }], labels: { 'example.com/team': 'a' } },
    ),
    status: { replicas },
  })
  const { script, watch } = await holding(full(5, 1))
  await using _ = script
  const changes: [Widget, Widget][] = []
  script.cache.onChange(widgets, (change) => change.type === 'updated' && changes.push([change.old, change.object]))
  watch.send(modified(full(11, 2)))
  await script.clock.settle()
  const [[old, object] = []] = changes
  assert.ok(old !== undefined && object !== undefined)
  assert.equal('managedFields' in object.metadata, false)
  assert.equal(object.spec, old.spec)
  assert.equal(object.metadata.labels, old.metadata.labels)
  assert.deepEqual(object.status, { replicas: 2 })
})

test('N6 objects are found by declared indexes, each declaration by its own', async () => {
  const byNote = cached(Widget, { indexes: { color: ({ spec }) => [spec.note ?? ''], note: ({ spec }) => [spec.note ?? ''] } })
  const objects = [
    aWidget('a', 5, { color: 'red', note: 'x' }),
    aWidget('b', 6, { color: 'red' }),
    aWidget('c', 7, { color: 'blue', note: 'x' }),
  ]
  const watch = new ScriptedWatch().send(...objects.map(added), endOfState(10))
  await using script = await new ScriptedCache([widgets, byNote], watch).start()
  const { cache } = script
  const names = (found: readonly Widget[]): readonly (string | undefined)[] => found.map(({ metadata }) => metadata.name)
  assert.deepEqual(names(cache.byIndex(widgets, 'color', 'red')), ['a', 'b'])
  assert.deepEqual(names(cache.byIndex(byNote, 'color', 'x')), ['a', 'c'])
  assert.deepEqual(names(cache.byIndex(widgets, 'color', 'green')), [])
  assert.deepEqual([cache.count(widgets, 'color', 'red'), cache.count(widgets, 'color', 'green')], [2, 0])
  assert.deepEqual(names(cache.byIndexes(byNote, { color: 'x', note: 'x' })), ['a', 'c'])
  assert.deepEqual(names(cache.byIndexes(byNote, { color: 'x', note: 'y' })), [])
  assert.deepEqual(names(cache.byIndexes(byNote, {})), ['a', 'b', 'c'])
  watch.send(modified(aWidget('a', 11, { color: 'green' })), deleted(aWidget('b', 12)))
  await script.clock.settle()
  assert.deepEqual(names(cache.byIndex(widgets, 'color', 'red')), [])
  assert.deepEqual(names(cache.byIndex(widgets, 'color', 'green')), ['a'])
})
