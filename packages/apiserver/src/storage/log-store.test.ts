import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Batch, Engine, Table, View } from './engine.ts'
import { MemoryEngine } from './engines/memory.ts'
import { LogStore } from './log-store.ts'
import { StoreError } from './store.ts'
import { pods, put, texts } from './testing/fixture.ts'

/** Commits when told to, and counts what is read. */
class SlowEngine implements Engine {
  readonly #memory = new MemoryEngine()
  readonly commits: { readonly size: number; readonly finish: () => Promise<void>; readonly fail: (error: Error) => void }[] = []
  readonly reads: Record<Table, number> = { objects: 0, log: 0, index: 0, meta: 0 }

  view(): View {
    const view = this.#memory.view()
    const count = <T extends { readonly length: number }>(table: Table, found: T): T => {
      this.reads[table] += found.length
      return found
    }
    return {
      get: (table, key) => view.get(table, key),
      range: (table, range) => count(table, view.range(table, range)),
      keys: (table, range) => count(table, view.keys(table, range)),
      close: () => view.close(),
    }
  }

  commit(batch: Batch): Promise<void> {
    const done = Promise.withResolvers<void>()
    const finish = async (): Promise<void> => {
      await this.#memory.commit(batch)
      done.resolve()
      await settle()
    }
    this.commits.push({ size: batch.log.size, finish, fail: done.reject })
    return done.promise
  }

  close(): Promise<void> {
    return this.#memory.close()
  }
}

/** Lets everything run that waits for nothing but its turn. */
const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

function slowStore(): { readonly engine: SlowEngine; readonly store: LogStore } {
  const engine = new SlowEngine()
  return { engine, store: new LogStore({ engine, state: { revision: 1, compacted: 0 }, place: '/data' }) }
}

describe('group commit', () => {
  it('sends a lone write at once, and those that come meanwhile together', async () => {
    const { engine, store } = slowStore()
    const first = put(store, 'a')
    await settle()
    const others = [put(store, 'b'), put(store, 'c'), put(store, 'd')]
    await settle()
    assert.deepEqual(
      engine.commits.map(({ size }) => size),
      [1],
    )
    await engine.commits[0]?.finish()
    assert.equal((await first).revision, 2)
    assert.equal(store.revision(), 2)
    assert.deepEqual(
      engine.commits.map(({ size }) => size),
      [1, 3],
    )
    await engine.commits[1]?.finish()
    assert.deepEqual(
      (await Promise.all(others)).map(({ revision }) => revision),
      [3, 4, 5],
    )
  })

  it('gathers what is written in one step into one group', async () => {
    const { engine, store } = slowStore()
    const writes = [put(store, 'a'), put(store, 'b'), put(store, 'a')]
    await settle()
    assert.deepEqual(
      engine.commits.map(({ size }) => size),
      [3],
    )
    await engine.commits[0]?.finish()
    await Promise.all(writes)
  })

  it('goes on when a subscriber throws, and does not hide it', async () => {
    const { engine, store } = slowStore()
    const seen: number[] = []
    store.subscribe(() => {
      throw new Error('a bug of the subscriber')
    })
    store.subscribe((changes) => seen.push(changes.length))
    const uncaught = new Promise<Error>((resolve) => process.setUncaughtExceptionCaptureCallback(resolve))
    try {
      const writing = put(store, 'a')
      await settle()
      await engine.commits[0]?.finish()
      await writing
      assert.deepEqual(seen, [1])
      assert.match((await uncaught).message, /a bug of the subscriber/)
    } finally {
      process.setUncaughtExceptionCaptureCallback(null)
    }
  })
})

describe('a disk that fails', () => {
  it('fails the writes that wait, and everything after', async () => {
    const { engine, store } = slowStore()
    const told: number[] = []
    store.subscribe((changes) => told.push(changes.length))
    const first = put(store, 'a')
    await settle()
    const second = put(store, 'b')
    const refused = store.write(() => {
      throw new Error('refused for what was never durable')
    })
    engine.commits[0]?.fail(new Error('no space left on device'))
    const expected = {
      name: 'StoreError',
      message: /^\/data could not be written \(no space left on device\): nothing is read or written until/,
    }
    await assert.rejects(first, expected)
    await assert.rejects(second, expected)
    await assert.rejects(refused, expected)
    await assert.rejects(put(store, 'c'), expected)
    for (const read of [
      () => store.get('a'),
      () => store.scan(''),
      () => store.snapshot(1),
      () => store.changes(1),
      () => store.revision(),
    ]) {
      assert.throws(read, StoreError)
    }
    assert.equal(engine.commits.length, 1)
    assert.deepEqual(told, [])
    await store.close()
  })
})

/** A store with thirty objects that answers each write at once. */
async function filledStore(): Promise<{
  readonly engine: SlowEngine
  readonly store: LogStore
  readonly write: (key: string) => Promise<void>
}> {
  const { engine, store } = slowStore()
  const write = async (key: string): Promise<void> => {
    const writing = put(store, key, `at ${store.revision()}`)
    await settle()
    await engine.commits.at(-1)?.finish()
    await writing
  }
  for (let index = 10; index < 40; index++) await write(`${pods}a/${index}`)
  return { engine, store, write }
}

describe('going back in time', () => {
  it('pays for each change of its resource once, however many pages are read', async () => {
    const { engine, store, write } = await filledStore()
    const revision = store.revision()
    for (let index = 0; index < 200; index++) await write(`${pods}a/${10 + (index % 30)}`)
    const page = (after: string): readonly string[] => {
      const snapshot = store.snapshot(revision)
      const found = texts(snapshot.scan(pods, { after, limit: 5 }))
      snapshot.close()
      return found
    }
    engine.reads.log = 0
    assert.deepEqual(page('')[0], `${pods}a/10=at 1`)
    const first = engine.reads.log
    assert.ok(first >= 200 && first < 600, `${first} log entries read`)
    for (let index = 14; index < 35; index += 5) page(`${pods}a/${index}`)
    assert.equal(engine.reads.log, first)
    await write(`${pods}a/12`)
    page(`${pods}a/35`)
    assert.ok(engine.reads.log <= first + 4)
  })

  it('does not pay for changes of other resources', async () => {
    const { engine, store, write } = await filledStore()
    const revision = store.revision()
    for (let index = 0; index < 300; index++) await write(`root/~/events/a/${index}`)
    await write(`${pods}a/10`)
    engine.reads.log = 0
    const snapshot = store.snapshot(revision)
    assert.equal([...snapshot.scan(pods)].length, 30)
    snapshot.close()
    assert.ok(engine.reads.log <= 2, `${engine.reads.log} log entries read`)
  })
})
