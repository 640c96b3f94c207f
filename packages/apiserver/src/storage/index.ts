/**
 * Objects, a log of changes and one revision counter, in memory or on disk.
 *
 *   store.ts, keys.ts      what others program against
 *   log-store.ts           the store over any engine: serial writes, readers that see durable state only
 *   group-commit.ts        writes go to the disk together; open-transaction.ts and pending-batch.ts are one write and one group
 *   change-log.ts          changes by revision; compaction.ts forgets
 *   snapshots.ts           the state at an exact revision: rewind.ts undoes what came later, trails.ts says where to look
 *   key-counts.ts          how many objects there are, without reading them
 *   records.ts, delta.ts, index-entries.ts, format.ts   bytes in the tables
 *   engine.ts, engines/    ordered tables of bytes: memory, LMDB (the default), SQLite (no native code)
 *   testing/               one suite that every engine passes, and one that kills the process while it writes
 */
export { type DurableStoreOptions } from './engines/durable-store.ts'
export { openLmdbStore } from './engines/lmdb.ts'
export { type MemoryStore, openMemoryStore } from './engines/memory.ts'
export { openSqliteStore } from './engines/sqlite.ts'
export type { Durability } from './engine.ts'
export { namespacePrefix, objectKey, type ObjectKey, parseKey, resourcePrefix } from './keys.ts'
export {
  type Change,
  type ChangeOptions,
  CompactedError,
  type Entry,
  type ScanOptions,
  type Snapshot,
  type Store,
  StoreError,
  type Transaction,
} from './store.ts'
