import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { type Change, CompactedError, type Store } from '../store.ts'
import { encode, line, type StoreFixture, texts, withDirectory } from './fixture.ts'

/** The simplest store there is: the whole state at every revision. */
class Reference {
  readonly states: ReadonlyMap<string, Item>[] = [new Map(), new Map()]
  readonly lines: string[] = []
  compacted = 0

  get revision(): number {
    return this.states.length - 1
  }

  get newest(): ReadonlyMap<string, Item> {
    return this.states.at(-1) ?? new Map()
  }

  apply(operation: Operation): void {
    const before = this.newest.get(operation.key)
    const state = new Map(this.newest)
    const revision = this.revision + 1
    const was = before === undefined ? '' : ` (was ${before.text} of ${before.revision})`
    if (operation.type === 'put') {
      state.set(operation.key, { text: operation.text, revision, indexes: [...new Set(operation.indexes)] })
      this.lines.push(`${revision} ${before === undefined ? 'created' : 'modified'} ${operation.key}: ${operation.text}${was}`)
    } else {
      if (before === undefined) return
      state.delete(operation.key)
      this.lines.push(`${revision} deleted ${operation.key}: bye${was}`)
    }
    this.states.push(state)
  }

  linesAfter(revision: number): readonly string[] {
    return this.lines.slice(Math.max(0, revision - 1))
  }
}

interface Item {
  readonly text: string
  readonly revision: number
  readonly indexes: readonly string[]
}

type Operation =
  | { readonly type: 'put'; readonly key: string; readonly text: string; readonly indexes: readonly string[] }
  | { readonly type: 'delete'; readonly key: string }

type Step =
  /** Writes that are issued together; some throw at the end. */
  | { readonly type: 'write'; readonly transactions: readonly { readonly operations: readonly Operation[]; readonly fails: boolean }[] }
  /** Reads the past at a place between the compacted and the newest revision. */
  | { readonly type: 'past'; readonly place: number; readonly prefix: string; readonly limit: number; readonly meanwhile: Operation }
  | { readonly type: 'compact'; readonly place: number }
  | { readonly type: 'reopen' }

const keys = [
  'root/~/pods/a/x',
  'root/~/pods/a/x-y',
  'root/~/pods/a/x.y',
  'root/~/pods/a/\u{1f4a5}',
  'root/~/pods/a/\uffee',
  'root/~/pods/b/x',
  'root/~/nodes/~/x',
  'root/apps/pods/a/x',
  'other/~/pods/a/x',
  'odd',
]
const prefixes = ['', 'root/', 'root/~/pods/', 'root/~/pods/a/', 'root/~/pods/a/x', 'other/~/pods/', 'odd', 'none/']

const key = fc.constantFrom(...keys)
const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      type: fc.constant('put' as const),
      key,
      text: fc.string({ maxLength: 60 }),
      indexes: fc.array(fc.constantFrom('owner/a', 'owner/b', 'expires/1', `long/${'l'.repeat(1500)}`), { maxLength: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('delete' as const), key }) },
)
const place = fc.double({ min: 0, max: 1, noNaN: true })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      type: fc.constant('write' as const),
      transactions: fc.array(fc.record({ operations: fc.array(operation, { maxLength: 4 }), fails: fc.boolean() }), { maxLength: 5 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('past' as const),
      place,
      prefix: fc.constantFrom(...prefixes),
      limit: fc.integer({ min: 1, max: 4 }),
      meanwhile: operation,
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('compact' as const), place }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('reopen' as const) }) },
)

export function describeModel(fixture: StoreFixture): void {
  describe('whatever happens', () => {
    it('behaves like a list of whole states', () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 25 }), (steps) =>
          withDirectory(async (directory) => {
            const reference = new Reference()
            const told: string[] = []
            const open = async (): Promise<Store> => {
              const opened = await fixture.open(directory)
              opened.subscribe((changes) => told.push(...changes.map(line)))
              return opened
            }
            let store = await open()
            try {
              for (const next of steps) {
                if (next.type === 'reopen' && fixture.isDurable) {
                  await store.close()
                  store = await open()
                }
                await run(next, store, reference)
                compare(store, reference, told)
              }
            } finally {
              await store.close()
            }
          }),
        ),
        { numRuns: fixture.modelRuns },
      ))
  })
}

async function run(next: Step, store: Store, reference: Reference): Promise<void> {
  switch (next.type) {
    case 'write':
      await Promise.all(next.transactions.map(({ operations, fails }) => write(store, reference, operations, fails)))
      break
    case 'past':
      await readPast(store, reference, next)
      break
    case 'compact': {
      const revision = between(reference, next.place)
      await store.compact(revision)
      reference.compacted = Math.max(reference.compacted, revision)
      break
    }
    case 'reopen':
      break
  }
}

async function write(store: Store, reference: Reference, operations: readonly Operation[], fails: boolean): Promise<void> {
  const problem = new Error('refused')
  const writing = store.write((transaction) => {
    for (const next of operations) {
      if (next.type === 'put') transaction.put(next.key, encode(next.text), next.indexes)
      else if (transaction.get(next.key) !== undefined) transaction.delete(next.key, encode('bye'))
    }
    if (fails) throw problem
  })
  if (!fails) for (const next of operations) reference.apply(next)
  if (fails) await assert.rejects(writing, (error) => error === problem)
  else await writing
}

/** Pages through the past, with a write between the pages. */
async function readPast(
  store: Store,
  reference: Reference,
  { place, prefix, limit, meanwhile }: Step & { readonly type: 'past' },
): Promise<void> {
  const revision = between(reference, place)
  const expected = inOrder(reference.states[revision] ?? new Map(), prefix)
  const seen: string[] = []
  for (let after: string | undefined; ;) {
    const snapshot = store.snapshot(revision)
    const page = [...snapshot.scan(prefix, { limit, ...(after === undefined ? {} : { after }) })]
    for (const entry of page) assert.deepEqual(snapshot.get(entry.key), entry)
    snapshot.close()
    seen.push(...texts(page))
    if (after === undefined) await write(store, reference, [meanwhile], false)
    after = page.at(-1)?.key
    if (page.length < limit || after === undefined) break
  }
  assert.deepEqual(seen, expected)
  assert.deepEqual(
    Array.from(store.changes(revision), (change: Change) => line(change)),
    reference.linesAfter(revision),
  )
}

function compare(store: Store, reference: Reference, told: readonly string[]): void {
  assert.equal(store.revision(), reference.revision)
  assert.equal(store.compacted(), reference.compacted)
  assert.deepEqual(told, reference.lines)
  for (const prefix of prefixes) {
    const expected = inOrder(reference.newest, prefix)
    assert.deepEqual(texts(store.scan(prefix)), expected)
    assert.equal(store.count(prefix), expected.length)
  }
  for (const key of keys) assert.equal(store.get(key)?.revision, reference.newest.get(key)?.revision)
  const indexes = [...reference.newest].flatMap(([key, item]) => item.indexes.map((index) => `${index} ${key}`))
  assert.deepEqual(Array.from(store.indexed(''), ({ index, key }) => `${index} ${key}`).toSorted(), indexes.toSorted())
  if (reference.compacted > 0) assert.throws(() => store.snapshot(reference.compacted - 1), CompactedError)
}

function between(reference: Reference, place: number): number {
  const from = Math.max(1, reference.compacted)
  return from + Math.floor(place * (reference.revision - from))
}

function inOrder(state: ReadonlyMap<string, Item>, prefix: string): readonly string[] {
  return [...state]
    .filter(([key]) => key.startsWith(prefix))
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([key, { text }]) => `${key}=${text}`)
}
