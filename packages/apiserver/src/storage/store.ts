import type { Arena } from './arena.ts'

/** One stored object. `bytes` is the JSON that reads return, with its resourceVersion inside. */
export interface Entry {
  readonly key: string
  /** The revision that wrote these bytes. */
  readonly revision: number
  readonly bytes: Buffer
}

/** One committed change, in the order of revisions. */
export interface Change {
  readonly revision: number
  readonly key: string
  readonly type: 'created' | 'modified' | 'deleted'
  /** The new state; of a deletion the last state, with the deletion's revision inside. */
  readonly bytes: Buffer
  /** The state before; absent for a creation. */
  readonly previous?: Entry
}

/** A revision was asked for that compaction has forgotten. */
export class CompactedError extends Error {
  readonly requested: number
  readonly compacted: number

  constructor(requested: number, compacted: number) {
    super(`revision ${requested} is forgotten: history starts at ${compacted}`)
    this.name = 'CompactedError'
    this.requested = requested
    this.compacted = compacted
  }
}

/** A store that cannot be opened or that failed while writing. The message is for people and says what to do. */
export class StoreError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StoreError'
  }
}

/**
 * What one write sees and does. It reads its own changes and those of all writes before it, durable or not.
 * Each `put` and `delete` takes the next revision.
 */
export interface Transaction {
  get(key: string): Entry | undefined
  /**
   * Stores what `encode` makes for the revision it is given, text as UTF-8. `indexes` are the object's entries in the secondary index: strings
   * by which `Store.indexed` finds the key again; the ones it had before and has no more are removed.
   */
  put(key: string, encode: (revision: number) => Buffer | string, indexes?: readonly string[]): Entry
  /** Removes a key; `encode` makes the last state that watchers are shown. Throws when there is no such key. */
  delete(key: string, encode: (revision: number) => Buffer): Entry
}

export interface ScanOptions {
  /** Start behind this key (exclusive). */
  readonly after?: string
  readonly limit?: number
  /** Where bytes of entries may be put: those are good until it is reset. */
  readonly arena?: Arena
}

export interface ChangeOptions {
  readonly limit?: number
  /** Only changes below this `<cluster>/<group>/<resource>/`; those of others cost nothing. */
  readonly resource?: string
}

/** Reads at one revision. Close it when done: an open one may hold back space on disk. */
export interface Snapshot {
  readonly revision: number
  get(key: string): Entry | undefined
  /** All keys that start with `prefix`, ordered by their UTF-8 bytes. */
  scan(prefix: string, options?: ScanOptions): Iterable<Entry>
  close(): void
}

/**
 * Objects by key, a log of changes, one revision counter.
 *
 * Readers see durable state only: nothing is shown, answered or announced before it would survive a crash.
 */
export interface Store {
  /** The newest durable revision. Starts at 1 in an empty store: no object has revision 0 or 1. */
  revision(): number
  /** Changes up to and including this revision are forgotten; 0 when none are. */
  compacted(): number
  /**
   * Runs `change` alone, without interleaving, and resolves with its result when what it wrote is durable. When it throws, none
   * of its writes happen and the promise rejects with the same error. A `change` that writes nothing resolves at once when
   * everything it could have read is durable.
   */
  write<T>(change: (transaction: Transaction) => T): Promise<T>
  get(key: string): Entry | undefined
  scan(prefix: string, options?: ScanOptions): Iterable<Entry>
  /** How many keys start with `prefix`; cheap for `<cluster>/<group>/<resource>/` and one level deeper. */
  count(prefix: string): number
  /**
   * The state at exactly `revision`. Throws CompactedError when it is forgotten.
   */
  snapshot(revision: number): Snapshot
  /** Changes after `revision`, oldest first. Throws CompactedError when some of them are forgotten. */
  changes(after: number, options?: ChangeOptions): Iterable<Change>
  /**
   * Keys filed under index entries that start with `prefix`, with the entry that matched, ordered by entry, then key. `after` is
   * the last one seen, as entry, NUL, key.
   */
  indexed(prefix: string, options?: ScanOptions): Iterable<{ readonly index: string; readonly key: string }>
  /** Calls `listener` with every batch of changes once it is durable, in order. Returns how to stop. */
  subscribe(listener: (changes: readonly Change[]) => void): () => void
  /** Forgets changes up to and including `revision`, in steps that do not hold up writes. */
  compact(revision: number): Promise<void>
  /** Waits for running writes, then closes files. */
  close(): Promise<void>
}
