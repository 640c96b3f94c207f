import { behind, emptyByteString, endOf, toByteString } from './byte-string.ts'
import { ChangeLog } from './change-log.ts'
import { compactLog } from './compaction.ts'
import type { Engine } from './engine.ts'
import type { StoreState } from './format.ts'
import { GroupCommit } from './group-commit.ts'
import { HotEntries } from './hot-entries.ts'
import { decodeIndexEntry, type IndexEntry, indexPosition, indexPrefix } from './index-entries.ts'
import { KeyCounts } from './key-counts.ts'
import { OpenTransaction } from './open-transaction.ts'
import type { PendingBatch } from './pending-batch.ts'
import { decodeStored, type Stored } from './records.ts'
import { SharedView } from './shared-view.ts'
import { readEntry, scanEntries, ViewSnapshot } from './snapshots.ts'
import {
  type Change,
  type ChangeOptions,
  type Entry,
  type ScanOptions,
  type Snapshot,
  type Store,
  StoreError,
  type Transaction,
} from './store.ts'

export interface LogStoreParts {
  readonly engine: Engine
  readonly state: StoreState
  /** Names the store in messages. */
  readonly place: string
}

/**
 * The store, over any engine.
 *
 * Writes run one after the other against what is durable plus what is pending, so each knows its revision at once. Readers look
 * through a view of the last durable batch; it is exchanged in the same step in which the counts and the log move on.
 */
export class LogStore implements Store {
  readonly #engine: Engine
  readonly #commits: GroupCommit
  readonly #counts: KeyCounts
  readonly #log: ChangeLog
  readonly #hot = new HotEntries()
  readonly #listeners = new Set<(changes: readonly Change[]) => void>()
  readonly #place: string
  #view: SharedView
  /** The last revision given out, durable or not. */
  #taken: number
  #isWriting = false
  #compaction: Promise<void> = Promise.resolve()
  #closing: Promise<void> | undefined

  constructor({ engine, state, place }: LogStoreParts) {
    this.#engine = engine
    this.#place = place
    this.#commits = new GroupCommit({ commit: (batch) => engine.commit(batch), onDurable: (batch) => this.#publish(batch), place })
    this.#view = new SharedView(engine.view(), state.revision)
    this.#taken = state.revision
    this.#counts = KeyCounts.of(this.#view.keyChunks('objects', emptyByteString, endOf(emptyByteString)))
    this.#log = new ChangeLog({ view: () => this.#view, compacted: state.compacted })
  }

  revision(): number {
    return this.#readable().revision
  }

  compacted(): number {
    this.#readable()
    return this.#log.compacted
  }

  async write<T>(change: (transaction: Transaction) => T): Promise<T> {
    this.#readable()
    if (this.#isWriting) throw new Error('a write inside a write would see half of it: let the outer change return first')
    const transaction = new OpenTransaction((key) => this.#pending(key), this.#taken)
    let result: T
    try {
      result = this.#run(transaction, change)
    } catch (error) {
      // What the change saw, and refused, may not be durable yet; nobody may hear of it before it is.
      await this.#commits.settled()
      throw error
    }
    const { changes } = transaction
    this.#taken += changes.length
    await (changes.length === 0 ? this.#commits.settled() : this.#commits.gather((batch) => batch.add(changes)).durable)
    return result
  }

  get(key: string): Entry | undefined {
    return readEntry(this.#readable(), key)
  }

  scan(prefix: string, options?: ScanOptions): Iterable<Entry> {
    this.#readable()
    return scanEntries(() => this.#readable(), prefix, options)
  }

  count(prefix: string): number {
    const view = this.#readable()
    const from = toByteString(prefix)
    const known = this.#counts.count(from)
    if (known !== undefined) return known
    let count = 0
    for (const keys of view.keyChunks('objects', from, endOf(from))) count += keys.length
    return count
  }

  snapshot(revision: number): Snapshot {
    const view = this.#readable()
    this.#log.assertKept(revision)
    if (revision > view.revision) throw new RangeError(`revision ${revision} is in the future: the newest is ${view.revision}`)
    return new ViewSnapshot(view, revision, this.#log.rewinds)
  }

  changes(after: number, { limit = Infinity, resource }: ChangeOptions = {}): Iterable<Change> {
    this.#readable()
    this.#log.assertKept(after)
    const changes = resource === undefined ? this.#log.all(after) : this.#log.of(resource, after)
    return changes.take(limit)
  }

  *indexed(prefix: string, { after, limit = Infinity }: ScanOptions = {}): Generator<IndexEntry, void, undefined> {
    const start = indexPrefix(prefix)
    const next = after === undefined ? start : behind(indexPosition(after))
    let left = limit
    if (left <= 0) return
    for (const chunk of this.#readable().chunks('index', { from: next > start ? next : start, to: endOf(start), limit: Infinity })) {
      for (const { key, value } of chunk) {
        const entry = decodeIndexEntry(key, value)
        if (!entry.index.startsWith(prefix)) continue
        yield entry
        if (--left <= 0) return
      }
    }
  }

  subscribe(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  async compact(revision: number): Promise<void> {
    this.#readable()
    const turn = this.#compaction.then(() => this.#compact(revision))
    this.#compaction = turn.catch(() => {})
    await turn
  }

  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  #run<T>(transaction: OpenTransaction, change: (transaction: Transaction) => T): T {
    this.#isWriting = true
    try {
      return change(transaction)
    } finally {
      this.#isWriting = false
      transaction.end()
    }
  }

  /** What a write sees: pending batches, newest first, then durable state. */
  #pending(key: string): Stored | undefined {
    for (const batch of this.#commits.pending()) {
      const found = batch.find(key)
      if (found !== undefined) return found === 'deleted' ? undefined : found
    }
    const known = this.#hot.get(key)
    if (known !== undefined) return known
    const value = this.#view.get('objects', toByteString(key))
    if (value === undefined) return undefined
    const stored = decodeStored(key, value)
    this.#hot.keep(key, stored)
    return stored
  }

  /** Shows a batch to readers: all of it, in one step. */
  #publish(batch: PendingBatch): void {
    const before = this.#view
    this.#view = new SharedView(this.#engine.view(), batch.changes.at(-1)?.revision ?? before.revision)
    before.release()
    for (const change of batch.changes) {
      const key = toByteString(change.key)
      this.#hot.forget(change.key)
      this.#log.add(key, change.revision)
      if (change.type !== 'modified') this.#counts.change(key, change.type === 'created' ? 1 : -1)
    }
    if (batch.compacted !== undefined) this.#log.forget(batch.compacted)
    if (batch.changes.length > 0) for (const listener of this.#listeners) tell(listener, batch.changes)
  }

  async #compact(revision: number): Promise<void> {
    const isStopped = (): boolean => this.#closing !== undefined || this.#commits.failure !== undefined
    const until = Math.min(revision, this.#view.revision)
    if (isStopped() || until <= this.#log.compacted) return
    await compactLog({ revision: until, commits: this.#commits, view: () => this.#view, isStopped })
  }

  async #close(): Promise<void> {
    // Those who wrote hear of a failure themselves.
    await this.#commits.settled().catch(() => {})
    await this.#compaction
    this.#view.release()
    await this.#engine.close()
  }

  #readable(): SharedView {
    if (this.#commits.failure !== undefined) throw this.#commits.failure
    if (this.#closing !== undefined) throw new StoreError(`${this.#place} is closed: open it again to use it`)
    return this.#view
  }
}

/** A listener that throws is a bug of its owner: it must neither stop the store nor go unseen. */
function tell(listener: (changes: readonly Change[]) => void, changes: readonly Change[]): void {
  try {
    listener(changes)
  } catch (error) {
    queueMicrotask(() => {
      throw error
    })
  }
}
