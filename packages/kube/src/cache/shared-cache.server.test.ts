import assert from 'node:assert/strict'
import { test } from 'node:test'
import { admin, aNamespace, startTestServer, type TestServer, type TestServerOptions, urls } from '@windlass/apiserver/testing'
import { type Clock, seededRandom } from '@windlass/core'
import * as fc from 'fast-check'
import { createClient } from '../client/rest-client.ts'
import { inProcessTransport } from '../transport/in-process.ts'
import type { CachedKind, CacheChange, SharedCache } from './cache.ts'
import { cached } from './declaration.ts'
import { createSharedCache } from './shared-cache.ts'
import { changesOf, contentsOf } from './testing/fixture.ts'
import { byName, replay } from './testing/replay.ts'
import { TroubledTransport } from './testing/troubled-transport.ts'
import { Widget } from './testing/widgets.ts'

const widgets = cached(Widget, {
  indexes: {
    color: ({ spec }) => (spec.color === undefined ? [] : [spec.color]),
    team: ({ metadata }) => [metadata.labels?.['team'] ?? ''],
  },
})

type Body = Parameters<TestServer['create']>[1]

function aWidget(name: string, spec: Body = {}, metadata: Body = {}): Body {
  return { apiVersion: Widget.apiVersion, kind: Widget.kind, metadata: { name, ...metadata }, spec }
}

interface World extends AsyncDisposable {
  readonly server: TestServer
  readonly transport: TroubledTransport
  readonly client: ReturnType<typeof createClient>
  readonly cache: SharedCache
  /** Starts the caches. */
  begin(): void
  /** Starts the caches and waits until they are filled. */
  start(): Promise<void>
}

/** A server, and caches of it behind a way on which things may go wrong. */
async function world(
  options: { readonly declarations?: readonly CachedKind<Widget, string>[]; readonly clock?: (of: Clock) => Clock } & Pick<
    TestServerOptions,
    'limits'
  > = {},
): Promise<World> {
  const { declarations = [widgets], clock: adjust = (clock: Clock) => clock, ...serverOptions } = options
  const server = await startTestServer(serverOptions)
  const clock = adjust(server.clock)
  const transport = new TroubledTransport(
    inProcessTransport((request) => server.api.handle(request), { user: admin }),
    clock,
  )
  const client = createClient({ transport, clock, random: seededRandom('client'), userAgent: 'test', fieldManager: 'test' })
  const cache = createSharedCache({ client, clock, random: seededRandom('cache'), freezes: true })
  for (const declaration of declarations) cache.declare(declaration)
  const stop = new AbortController()
  let run: Promise<void> | undefined
  const begin = (): void => void (run = cache.run(stop.signal))
  return {
    server,
    transport,
    client,
    cache,
    begin,
    async start() {
      begin()
      assert.ok(await server.clock.advanceUntil(() => cache.hasSynced, 60_000), 'not filled within a minute')
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await run
      await client.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** What the server has, as `contentsOf` says it. */
async function contentsOfServer({ server }: World, query = ''): Promise<readonly string[]> {
  const { items } = await server.get(`${urls.allWidgets}${query}`)
  return items.map(({ metadata }) => `${metadata.name} ${metadata.resourceVersion}`).toSorted()
}

async function assertSame(of: World, declaration: CachedKind<Widget, string> = widgets, query = ''): Promise<void> {
  assert.deepEqual(contentsOf(of.cache, declaration), await contentsOfServer(of, query))
}

test('N3 N4 a cache is filled with one request and follows every change', async () => {
  await using it = await world()
  await it.server.createAll(urls.widgets(), [aWidget('a'), aWidget('b')])
  await it.start()
  const changes = changesOf(it.cache, widgets)
  assert.equal(changes.splice(0).length, 2)
  await it.server.merge(urls.widget('a'), { spec: { replicas: 3 } })
  await it.server.create(urls.widgets(), aWidget('c'))
  await it.server.remove(urls.widget('b'))
  await it.server.settle()
  assert.deepEqual(
    changes.map((change) => change.replace(/ \d+/g, '')),
    ['updated a', 'added c', 'deleted b'],
  )
  await assertSame(it)
  assert.deepEqual(it.transport.asked, ['stream'])
})

test('N3 a server that does not stream is listed in pages of 500 and watched from the state that they show', async () => {
  await using it = await world()
  await it.server.createAll(
    urls.widgets(),
    Array.from({ length: 1001 }, (_, index) => aWidget(`w-${index}`)),
  )
  const { revision } = it.server
  it.transport.refuse(422, { isStream: true })
  await it.start()
  assert.deepEqual(it.transport.asked, [
    'stream',
    'list resourceVersion=0 limit=500',
    'list limit=500 continued',
    'list limit=500 continued',
    `watch resourceVersion=${revision}`,
  ])
  assert.equal(it.cache.list(widgets).length, 1001)
  await it.server.create(urls.widgets(), aWidget('x'))
  await it.server.settle()
  await assertSame(it)
})

test('N3 watches that the server ends after their time are begun again for hours, and nothing is listed or told twice', async () => {
  await using it = await world()
  await it.start()
  const changes = changesOf(it.cache, widgets)
  for (let hour = 0; hour < 3; hour++) {
    await it.server.create(urls.widgets(), aWidget(`h-${hour}`))
    await it.server.clock.advance(3_600_000)
  }
  assert.equal(changes.length, 3)
  const [description] = it.cache.describe()
  assert.equal(description?.lists, 1)
  assert.ok((description?.watches ?? 0) > 12)
  assert.equal(description?.problem, undefined)
  await assertSame(it)
})

test('N3 a stream that breaks off again and again loses and repeats nothing', async () => {
  await using it = await world()
  await it.start()
  const changes = changesOf(it.cache, widgets)
  for (let index = 0; index < 30; index++) {
    await it.server.create(urls.widgets(), aWidget(`w-${index}`))
    if (index % 3 === 0) it.transport.cut()
    if (index % 4 === 0) await it.server.clock.advance(2000)
  }
  await it.server.clock.advance(120_000)
  assert.deepEqual(
    changes.map((change) => change.split(' ')[1]),
    Array.from({ length: 30 }, (_, index) => `w-${index}`),
  )
  assert.equal(it.cache.describe()[0]?.lists, 1)
  await assertSame(it)
})

test('N3 N4 history that is forgotten while the stream is cut is made up for by a list, told as changes', async () => {
  await using it = await world()
  await it.server.createAll(urls.widgets(), [aWidget('same'), aWidget('changed'), aWidget('gone'), aWidget('again')])
  await it.start()
  const changes = changesOf(it.cache, widgets)
  assert.equal(changes.splice(0).length, 4)
  await it.server.clock.advance(5000)
  it.transport.isDown = true
  it.transport.cut()
  await it.server.merge(urls.widget('changed'), { spec: { replicas: 3 } })
  await it.server.remove(urls.widget('gone'))
  await it.server.remove(urls.widget('again'))
  await it.server.create(urls.widgets(), aWidget('again'))
  await it.server.create(urls.widgets(), aWidget('new'))
  await it.server.api.compact()
  await it.server.clock.advance(10_000)
  assert.match(it.cache.describe()[0]?.problem ?? '', /refused/)
  it.transport.isDown = false
  await it.server.clock.advance(60_000)
  assert.deepEqual(changes.map((change) => change.replace(/ \d+/g, '')).toSorted(), [
    'added again',
    'added new',
    'deleted again stale',
    'deleted gone stale',
    'updated changed',
  ])
  assert.equal(it.cache.describe()[0]?.lists, 2)
  assert.equal(it.cache.describe()[0]?.problem, undefined)
  await assertSame(it)
})

test('N3 pages that expire in the middle of a list lead to another list', async () => {
  await using it = await world()
  await it.server.createAll(
    urls.widgets(),
    Array.from({ length: 502 }, (_, index) => aWidget(`w-${index}`)),
  )
  it.transport.refuse(422, { isStream: true })
  it.transport.latency = 100
  it.begin()
  await it.server.clock.advance(250)
  await it.server.remove(urls.widget('w-1'))
  await it.server.api.compact()
  await it.server.clock.advance(5000)
  assert.deepEqual(it.transport.asked.slice(1, -1), [
    'list resourceVersion=0 limit=500',
    'list limit=500 continued',
    'list limit=500',
    'list limit=500 continued',
  ])
  await assertSame(it)
  assert.equal(it.cache.list(widgets).length, 501)
})

test('N3 429 and 503 are waited out, slow answers are waited for', async () => {
  await using it = await world()
  await it.server.create(urls.widgets(), aWidget('a'))
  it.transport.latency = 3000
  for (const status of [429, 503, 500, 429]) it.transport.refuse(status)
  it.transport.refuse(429, { headers: { 'retry-after': '5' } })
  await it.start()
  await it.server.create(urls.widgets(), aWidget('b'))
  await it.server.clock.advance(10_000)
  await assertSame(it)
  assert.ok(it.server.clock.monotonic() > 20_000)
})

test('N3 jumps of the wall clock change nothing', async () => {
  let jump = 0
  const jumping = (clock: Clock): Clock => ({
    now: () => clock.now() + jump,
    monotonic: () => clock.monotonic(),
    after: (milliseconds, fire) => clock.after(milliseconds, fire),
    sleep: (milliseconds, signal) => clock.sleep(milliseconds, signal),
  })
  await using it = await world({ clock: jumping })
  await it.start()
  const changes = changesOf(it.cache, widgets)
  for (const [index, hours] of [0, 5, -48, 24].entries()) {
    jump = hours * 3_600_000
    await it.server.create(urls.widgets(), aWidget(`w-${index}`))
    it.transport.cut()
    await it.server.clock.advance(90_000)
  }
  assert.equal(changes.length, 4)
  assert.equal(it.cache.describe()[0]?.lists, 1)
  await assertSame(it)
})

test('N3 a server that lost its data is followed from the beginning', async () => {
  await using before = await world()
  await before.server.createAll(
    urls.widgets(),
    Array.from({ length: 50 }, (_, index) => aWidget(`old-${index}`)),
  )
  await using after = await startTestServer({ clock: before.server.clock })
  await after.create(urls.widgets(), aWidget('new'))
  let current = before.server
  const { clock } = before.server
  const transport = new TroubledTransport(
    inProcessTransport((request) => current.api.handle(request), { user: admin }),
    clock,
  )
  const client = createClient({ transport, clock, random: seededRandom('client'), userAgent: 'test', fieldManager: 'test' })
  const cache = createSharedCache({ client, clock, random: seededRandom('cache') })
  cache.declare(widgets)
  const stop = new AbortController()
  const run = cache.run(stop.signal)
  await clock.settle()
  assert.equal(cache.list(widgets).length, 50)
  await clock.advance(5000)
  current = after
  transport.cut()
  await clock.advance(30_000)
  assert.deepEqual(
    cache.list(widgets).map(({ metadata }) => metadata.name),
    ['new'],
  )
  await after.create(urls.widgets(), aWidget('newer'))
  await clock.settle()
  assert.equal(cache.list(widgets).length, 2)
  stop.abort()
  await run
})

test('N4 namespaces and selectors limit what is cached', async () => {
  const team = cached(Widget, { namespaces: ['team-a', 'team-b'] })
  const red = cached(Widget, { fieldSelector: 'spec.color=red' })
  await using it = await world({ declarations: [team, red] })
  for (const name of ['team-a', 'team-b']) await it.server.create(urls.namespaces, aNamespace(name))
  await it.server.create(urls.widgets('team-a'), aWidget('a', { color: 'red' }))
  await it.server.create(urls.widgets(), aWidget('b', { color: 'red' }))
  await it.start()
  const changes = changesOf(it.cache, red)
  assert.equal(it.cache.list(team).length, 1)
  await it.server.create(urls.widgets('team-b'), aWidget('c'))
  await it.server.merge(urls.widget('b'), { spec: { color: 'blue' } })
  await it.server.settle()
  assert.equal(it.cache.list(team).length, 2)
  await assertSame(it, red, '?fieldSelector=spec.color%3Dred')
  assert.match(changes.at(-1) ?? '', /^deleted b/)
})

test('N5 N6 objects come without managedFields, projected, and are found by indexes', async () => {
  const slim = cached(Widget, {
    keeps: ['spec.color'],
    drops: ['metadata.annotations'],
    indexes: { color: ({ spec }) => [spec.color ?? ''] },
  })
  await using it = await world({ declarations: [slim] })
  await it.server.create(urls.widgets(), aWidget('a', { color: 'red', note: 'long' }, { annotations: { note: 'longer' } }))
  await it.start()
  const [object] = it.cache.byIndex(slim, 'color', 'red')
  assert.deepEqual(object?.spec, { color: 'red' })
  assert.deepEqual(Object.keys(object?.metadata ?? {}).sort(), [
    'creationTimestamp',
    'generation',
    'name',
    'namespace',
    'resourceVersion',
    'uid',
  ])
  await it.server.merge(urls.widget('a'), { spec: { color: 'blue' } })
  await it.server.settle()
  assert.deepEqual(it.cache.byIndexes(slim, { color: 'red' }), [])
  assert.equal(it.cache.byIndexes(slim, { color: 'blue' }).length, 1)
})

test('N7 what we wrote is read at once, and told once though the watch brings it too', async () => {
  await using it = await world()
  await it.start()
  const changes = changesOf(it.cache, widgets)
  const created = await it.client.create(Widget, { metadata: { name: 'a', namespace: 'default' }, spec: { replicas: 1 } })
  const mark = it.cache.wrote(Widget, created)
  assert.equal(it.cache.shows([mark]), true)
  assert.deepEqual(it.cache.get(widgets, { namespace: 'default', name: 'a' })?.spec, { replicas: 1 })
  const patched = await it.client.patch(Widget, { namespace: 'default', name: 'a' }, { spec: { replicas: 2 } })
  it.cache.wrote(Widget, patched)
  await it.server.settle()
  assert.deepEqual(
    changes.map((change) => change.replace(/ \d+/g, '')),
    ['added a', 'updated a'],
  )
  await assertSame(it)
})

test('N7 a deletion is waited for, with finalizers and without', async () => {
  await using it = await world()
  const [plain, held] = await Promise.all(
    [aWidget('plain'), aWidget('held', {}, { finalizers: ['test.windlass.dev/hold'] })].map((body) =>
      it.server.create(urls.widgets(), body),
    ),
  )
  assert.ok(plain !== undefined && held !== undefined)
  await it.start()
  it.transport.latency = 50
  const refs = { plain: { namespace: 'default', name: 'plain' }, held: { namespace: 'default', name: 'held' } }
  const inTime = async <T>(promise: Promise<T>): Promise<T> => {
    await it.server.clock.advance(50)
    return promise
  }
  assert.equal(await inTime(it.client.delete(Widget, refs.plain)), undefined)
  await it.cache.shown([it.cache.deleted(Widget, refs.plain, plain.metadata.uid)])
  assert.equal(it.cache.get(widgets, refs.plain), undefined)

  const marked = await inTime(it.client.delete(Widget, refs.held))
  assert.ok(marked !== undefined)
  await it.cache.shown([it.cache.wrote(Widget, marked)])
  assert.notEqual(it.cache.get(widgets, refs.held)?.metadata.deletionTimestamp, undefined)
  const last = await inTime(it.client.patch(Widget, refs.held, { metadata: { finalizers: null } }))
  await it.cache.shown([it.cache.wrote(Widget, last)])
  assert.equal(it.cache.get(widgets, refs.held), undefined)
})

test('N7 with a selector a write is shown when the server has decided', async () => {
  const red = cached(Widget, { fieldSelector: 'spec.color=red' })
  await using it = await world({ declarations: [red] })
  await it.start()
  const ref = { namespace: 'default', name: 'a' }
  const created = await it.client.create(Widget, { metadata: ref, spec: { color: 'red' } })
  await it.cache.shown([it.cache.wrote(Widget, created)])
  assert.equal(it.cache.list(red).length, 1)
  const left = await it.client.patch(Widget, ref, { spec: { color: 'blue' } })
  await it.cache.shown([it.cache.wrote(Widget, left)])
  assert.equal(it.cache.list(red).length, 0)
  // It never was here: only a bookmark tells that the watch has passed it.
  const bluer = it.cache.wrote(Widget, await it.client.patch(Widget, ref, { spec: { replicas: 7 } }))
  assert.equal(it.cache.shows([bluer]), false)
  await it.server.clock.advance(61_000)
  assert.equal(it.cache.shows([bluer]), true)
})

/** What people, controllers and networks do to three objects. */
type Step =
  | { readonly do: 'write' | 'patch' | 'delete'; readonly name: string; readonly isOurs: boolean }
  | { readonly do: 'cut' | 'compact' | 'down' | 'up' }
  | { readonly do: 'refuse'; readonly status: number }
  | { readonly do: 'wait'; readonly milliseconds: number }
  | { readonly do: 'latency'; readonly milliseconds: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom('write' as const, 'patch' as const, 'delete' as const),
      name: fc.constantFrom('a', 'b', 'c'),
      isOurs: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('cut' as const, 'compact' as const, 'down' as const, 'up' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('refuse' as const), status: fc.constantFrom(429, 500, 503, 410) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), milliseconds: fc.constantFrom(0, 10, 900, 5000, 130_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('latency' as const), milliseconds: fc.constantFrom(0, 20, 2000) }) },
)

/** Through the client, whose answers take their time and may not come at all; what comes back is shown to the cache. */
async function writeOurs({ client, cache }: World, action: 'write' | 'patch' | 'delete', name: string): Promise<void> {
  const ref = { namespace: 'default', name }
  try {
    if (action === 'write') cache.wrote(Widget, await client.create(Widget, { metadata: ref, spec: {} }))
    else if (action === 'patch') cache.wrote(Widget, await client.patch(Widget, ref, [{ op: 'add', path: '/spec/replicas', value: 2 }]))
    else await client.delete(Widget, ref)
  } catch {
    // It is there already, or not there, or the server is away: all in a day's work.
  }
}

async function take(it: World, step: Step): Promise<void> {
  const { server, transport } = it
  switch (step.do) {
    case 'write':
    case 'patch':
    case 'delete':
      if (step.isOurs) void writeOurs(it, step.do, step.name)
      else if (step.do === 'write') await server.send('POST', urls.widgets(), aWidget(step.name))
      else if (step.do === 'delete') await server.send('DELETE', urls.widget(step.name))
      else await server.send('PATCH', urls.widget(step.name), { spec: { replicas: 1 } }, { 'content-type': 'application/merge-patch+json' })
      break
    case 'cut':
      transport.cut()
      break
    case 'compact':
      await server.api.compact()
      break
    case 'down':
    case 'up':
      transport.isDown = step.do === 'down'
      break
    case 'refuse':
      transport.refuse(step.status)
      break
    case 'wait':
      await server.clock.advance(step.milliseconds)
      break
    case 'latency':
      transport.latency = step.milliseconds
      break
  }
}

test('N3 N4 N7 whatever goes wrong on the way, the cache ends up like the server and no change is lost or doubled', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      await using it = await world()
      it.begin()
      const changes: CacheChange<Widget>[] = []
      it.cache.onChange(widgets, (change) => changes.push(change))
      for (const each of steps) await take(it, each)
      it.transport.isDown = false
      it.transport.latency = 0
      await it.server.clock.advance(600_000)
      await assertSame(it)
      assert.deepEqual(byName(replay(changes).values()), byName(it.cache.list(widgets)))
    }),
    { numRuns: 60 },
  )
})

test('N3 N4 the same run takes the same steps', async () => {
  const steps = fc.sample(step, { numRuns: 60, seed: 7 })
  const record = async (): Promise<unknown> => {
    await using it = await world()
    it.begin()
    const changes = changesOf(it.cache, widgets)
    for (const each of steps) await take(it, each)
    await it.server.clock.advance(300_000)
    return [changes, it.transport.asked, it.cache.describe()]
  }
  assert.deepEqual(await record(), await record())
})
