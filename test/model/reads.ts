import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { apiVersion, read } from './item.ts'
import { keyOf, type Model, type Paging, type Selection, type Watch } from './model.ts'
import type { Answer, Real } from './real.ts'
import { WatchInbox } from './watch-inbox.ts'
import { collection, type Command, namespaces, pathOf } from './writes.ts'

const aSelection: fc.Arbitrary<Selection> = fc.record(
  { namespace: fc.constantFrom(...namespaces), tier: fc.constantFrom('x', 'y') },
  { requiredKeys: [], noNullPrototype: true },
)

/** A moment between the start of the world and now. */
const aMoment = fc.nat(1000).map((thousandth) => ({
  of: ({ start }: Model, { revision }: Real) => start + Math.round(((revision - start) * thousandth) / 1000),
  title: `at ${thousandth / 10} %`,
}))
type Moment = typeof aMoment extends fc.Arbitrary<infer T> ? T : never

function urlOf({ namespace, tier }: Selection, query: Readonly<Record<string, string>> = {}): string {
  const path = namespace === undefined ? `/apis/${apiVersion}/items` : collection(namespace)
  const parameters = new URLSearchParams({ ...query, ...(tier === undefined ? {} : { labelSelector: `tier=${tier}` }) })
  return `${path}?${parameters.toString()}`
}

interface List {
  readonly metadata: { readonly resourceVersion: string; readonly continue?: string; readonly remainingItemCount?: number }
  readonly items: readonly unknown[]
}

const listIn = ({ body }: Answer): List => body as unknown as List

function command(title: string, run: (model: Model, real: Real) => Promise<void>, check: (model: Model) => boolean = () => true): Command {
  return { check, run, toString: () => title }
}

const get = fc.constantFrom('one/a', 'one/b', 'two/c').map((key) =>
  command(`get ${key}`, async (model, real) => {
    const { status, body } = await real.send('GET', pathOf(key))
    const item = model.items.get(key)
    assert.equal(status, item === undefined ? 404 : 200)
    if (item !== undefined) assert.deepEqual(read(body), item)
  }),
)

const list = aSelection.map((selection) =>
  command(`list ${JSON.stringify(selection)}`, async (model, real) => {
    const answer = await real.send('GET', urlOf(selection))
    const { metadata, items } = listIn(answer)
    assert.equal(Number(metadata.resourceVersion), real.revision)
    assert.deepEqual(items.map(read), model.at(real.revision, selection))
  }),
)

const listThen = fc.tuple(aSelection, aMoment).map(([selection, moment]) =>
  command(`list ${JSON.stringify(selection)} as it was ${moment.title}`, async (model, real) => {
    const revision = moment.of(model, real)
    const answer = await real.send('GET', urlOf(selection, { resourceVersion: String(revision), resourceVersionMatch: 'Exact' }))
    assert.equal(answer.status, model.canReadAt(revision) ? 200 : 410, JSON.stringify(answer.body))
    if (answer.status !== 200) return
    assert.equal(Number(listIn(answer).metadata.resourceVersion), revision)
    assert.deepEqual(listIn(answer).items.map(read), model.at(revision, selection))
  }),
)

/** A page must hold what comes next of what there was at one moment, and say whether and how much more there is. */
function checkPage(model: Model, answer: Answer, { revision, last, limit }: Omit<Paging, 'token'>): Paging | undefined {
  const { metadata, items } = listIn(answer)
  const rest = model.at(revision).filter((item) => keyOf(item) > last)
  assert.equal(answer.status, 200, JSON.stringify(answer.body))
  assert.equal(Number(metadata.resourceVersion), revision)
  assert.deepEqual(items.map(read), rest.slice(0, limit))
  // An estimate that may be left out; but one that is given is right.
  const remaining = Math.max(0, rest.length - limit)
  assert.equal(metadata.remainingItemCount ?? remaining, remaining)
  const end = rest[limit - 1]
  if (rest.length <= limit || end === undefined) {
    assert.equal(metadata.continue ?? '', '')
    return undefined
  }
  return { token: metadata.continue ?? '', revision, last: keyOf(end), limit }
}

const page = fc.integer({ min: 1, max: 4 }).map((limit) =>
  command(`list the first ${limit}`, async (model, real) => {
    const answer = await real.send('GET', urlOf({}, { limit: String(limit) }))
    const paging = checkPage(model, answer, { revision: real.revision, last: '', limit })
    if (paging !== undefined) model.pagings.push(paging)
  }),
)

const nextPage = fc.nat(3).map((which) =>
  command(
    `get the next page of list ${which}`,
    async (model, real) => {
      const index = which % model.pagings.length
      const [paging] = model.pagings.splice(index, 1)
      if (paging === undefined) return
      const { token, revision, limit, last } = paging
      const next = (from: string): Promise<Answer> => real.send('GET', urlOf({}, { limit: String(limit), continue: from }))
      const answer = await next(token)
      if (model.canReadAt(revision)) {
        const more = checkPage(model, answer, paging)
        if (more !== undefined) model.pagings.push(more)
        return
      }
      // That moment is forgotten. The refusal says how to go on with what there is now.
      assert.equal(answer.status, 410, JSON.stringify(answer.body))
      const more = checkPage(model, await next(listIn(answer).metadata.continue ?? ''), { revision: real.revision, last, limit })
      if (more !== undefined) model.pagings.push(more)
    },
    (model) => model.pagings.length > 0,
  ),
)

const watchState = aSelection.map((selection) =>
  command(`watch ${JSON.stringify(selection)} from its state on`, async (model, real) => {
    const first = model.at(real.revision, selection).map((item) => ({ type: 'ADDED' as const, item }))
    const inbox = new WatchInbox(urlOf(selection, { timeoutSeconds: '600' }))
    await real.watch(inbox)
    await inbox.caughtUp(first.length)
    inbox.continueFrom(real.revision)
    model.watches.push({ selection, first, from: real.revision, inbox })
  }),
)

const watchFrom = fc
  .tuple(aSelection, aMoment)
  .map(([selection, moment]) =>
    command(`watch ${JSON.stringify(selection)} from how it was ${moment.title}`, (model, real) =>
      openFrom(model, real, selection, moment),
    ),
  )

async function openFrom(model: Model, real: Real, selection: Selection, moment: Moment): Promise<void> {
  const from = moment.of(model, real)
  const inbox = new WatchInbox(urlOf(selection, { timeoutSeconds: '600' }), from)
  await real.watch(inbox)
  if (model.canReadAt(from)) model.watches.push({ selection, first: [], from, inbox })
  else await expired(inbox, 0)
}

/** One error, and the end. */
async function expired(inbox: WatchInbox, seen: number): Promise<void> {
  await inbox.caughtUp(seen + 1)
  assert.deepEqual(
    inbox.events.slice(seen).map(({ type, code }) => [type, code]),
    [['ERROR', 410]],
  )
  assert.equal(inbox.isEnded, true)
}

/** The watch has shown what it should have, and nothing else. */
export async function checkWatch(model: Model, { selection, first, from, inbox }: Watch): Promise<void> {
  const wanted = [...first, ...model.events(from, selection)]
  await inbox.caughtUp(wanted.length)
  assert.deepEqual(inbox.events, wanted)
}

const checkWatches = fc.constant(
  command(
    'look at all watches',
    async (model) => {
      for (const watch of model.watches) await checkWatch(model, watch)
    },
    (model) => model.watches.length > 0,
  ),
)

const unwatch = fc.nat(3).map((which) =>
  command(
    `leave watch ${which}`,
    async (model) => {
      const [watch] = model.watches.splice(which % model.watches.length, 1)
      if (watch === undefined) return
      await checkWatch(model, watch)
      watch.inbox.leave()
    },
    (model) => model.watches.length > 3,
  ),
)

export const compact = fc.constant(
  command('compact', async (model, real) => {
    // Those that lag behind would rightly be told that what they want is gone.
    for (const watch of model.watches) await checkWatch(model, watch)
    const { status, body } = await real.send('POST', '/windlass/compact')
    assert.equal(status, 200)
    assert.equal(Number(body['compactedRevision']), real.revision)
    model.compacted = real.revision
  }),
)

/** The same data in a new server. Everybody who watched comes back behind what they saw last. */
export const restart = fc.constant(
  command('restart', async (model, real) => {
    for (const watch of model.watches) await checkWatch(model, watch)
    const before = real.revision
    await real.restart()
    assert.ok(real.revision >= before)
    for (const watch of model.watches.splice(0)) {
      assert.equal(watch.inbox.isEnded, true)
      const seen = watch.inbox.events.length
      await real.watch(watch.inbox)
      if (model.canReadAt(watch.inbox.last)) model.watches.push(watch)
      else await expired(watch.inbox, seen)
    }
  }),
)

export const reads: readonly fc.Arbitrary<Command>[] = [
  get,
  list,
  listThen,
  page,
  nextPage,
  nextPage,
  watchState,
  watchFrom,
  checkWatches,
  unwatch,
]
