import type { Arena } from './arena.ts'
import type { ByteString } from './byte-string.ts'

/**
 * What a store keeps: the objects by key, the log of changes by revision, the secondary index, and facts about the store itself
 * (its format, its revision, how far it is compacted).
 */
export const tables = ['objects', 'log', 'index', 'meta'] as const
export type Table = (typeof tables)[number]

/** The longest key that every engine takes; LMDB sets it. */
export const longestEngineKey = 1978

/** The writes of one commit; `undefined` deletes the key. Deleting a key that is not there is no error. */
export type Batch = Readonly<Record<Table, ReadonlyMap<ByteString, Buffer | undefined>>>

export interface Range {
  /** First key, inclusive. */
  readonly from: ByteString
  /** Where to stop, exclusive. */
  readonly to: ByteString
  readonly limit: number
  /** Where engines may put values that they would have to copy: those stay valid until it is reset. */
  readonly arena?: Arena
}

export interface KeyValue {
  readonly key: ByteString
  readonly value: Buffer
}

/** The state after one commit; later commits do not show. Buffers it returns stay valid after it is closed, but for those in an arena. */
export interface View {
  get(table: Table, key: ByteString): Buffer | undefined
  /** In the order of the keys' bytes. */
  range(table: Table, range: Range): readonly KeyValue[]
  keys(table: Table, range: Range): readonly ByteString[]
  close(): void
}

/**
 * Ordered tables of bytes on some medium. All that a store adds to it (revisions, log, index, readers) is the same for every engine.
 *
 * The store never starts a commit before the last one has ended, and takes views between commits only.
 */
export interface Engine {
  /** The newest committed state. */
  view(): View
  /** Writes all or nothing; resolves when the writes survive a crash. */
  commit(batch: Batch): Promise<void>
  close(): Promise<void>
}

/** `full` answers when data is on the disk; `relaxed` does not wait for it: for simulation and load tests only. */
export type Durability = 'full' | 'relaxed'
