import { type ByteString, toByteString } from './byte-string.ts'
import type { Batch } from './engine.ts'
import { metaKeys } from './format.ts'
import { indexKey, indexValue } from './index-entries.ts'
import type { PendingChange } from './open-transaction.ts'
import { logKey, type Stored } from './records.ts'
import type { Change } from './store.ts'

type Writes = Map<ByteString, Buffer | undefined>

/** Writes that go to the disk together. */
export class PendingBatch {
  readonly changes: Change[] = []
  /** Set when the batch moves the compacted revision. */
  compacted: number | undefined
  readonly #stored = new Map<string, Stored | undefined>()
  readonly #tables = { objects: new Map(), log: new Map(), index: new Map(), meta: new Map() } satisfies Record<keyof Batch, Writes>
  readonly #durable = Promise.withResolvers<void>()

  constructor() {
    // Who waits handles the failure; a batch that nobody waits for must not end the process.
    this.#durable.promise.catch(() => {})
  }

  /** Resolves when the batch survives a crash. */
  get durable(): Promise<void> {
    return this.#durable.promise
  }

  get isEmpty(): boolean {
    return this.changes.length === 0 && this.#tables.log.size === 0 && this.#tables.meta.size === 0
  }

  /** What the batch makes of a key: its new state, `deleted`, or undefined when it does not touch it. */
  find(key: string): Stored | 'deleted' | undefined {
    return this.#stored.get(key) ?? (this.#stored.has(key) ? 'deleted' : undefined)
  }

  add(changes: readonly PendingChange[]): void {
    for (const { change, stored, value, logged, indexesBefore } of changes) {
      const key = toByteString(change.key)
      this.changes.push(change)
      this.#stored.set(change.key, stored)
      this.#tables.objects.set(key, value)
      this.#tables.log.set(logKey(change.revision, key), logged)
      this.#reindex(key, indexesBefore, stored?.indexes ?? [])
    }
  }

  forget(logKeys: readonly ByteString[], compacted: number): void {
    for (const key of logKeys) this.#tables.log.set(key, undefined)
    this.#tables.meta.set(metaKeys.compacted, Buffer.from(String(compacted)))
    this.compacted = compacted
  }

  /** The batch as engines take it. */
  seal(): Batch {
    const newest = this.changes.at(-1)
    if (newest !== undefined) this.#tables.meta.set(metaKeys.revision, Buffer.from(String(newest.revision)))
    return this.#tables
  }

  succeed(): void {
    this.#durable.resolve()
  }

  fail(error: Error): void {
    this.#durable.reject(error)
  }

  #reindex(key: ByteString, before: readonly string[], after: readonly string[]): void {
    for (const index of before) if (!after.includes(index)) this.#tables.index.set(indexKey(index, key), undefined)
    for (const index of after) if (!before.includes(index)) this.#tables.index.set(indexKey(index, key), indexValue(index))
  }
}
