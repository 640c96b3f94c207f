import type { Database, DatabaseOptions, RootDatabase, Transaction } from 'lmdb'
import type { Arena } from '../arena.ts'
import type { ByteString } from '../byte-string.ts'
import { type Batch, type Engine, type Range, type Table, tables, type View } from '../engine.ts'
import { type Store, StoreError } from '../store.ts'
import { type DurableStoreOptions, openDurableStore } from './durable-store.ts'
import { checkLmdbFile } from './lmdb-file.ts'

/** Address space, not disk: the file grows as it is filled. */
const mapSize = 256 * 1024 ** 3

/** Each open snapshot takes one. */
const maxReaders = 2048

/**
 * Free pages that the library has in mind while it looks for room, and between commits. It goes over all of them in every commit: with its own limits, 50,000 and
 * 75,000, that took half of all CPU time of a fleet of 250 clusters, and writes waited for seconds. With these the file grows a little more.
 */
const freeSpace = { maxFreeSpaceToLoad: 1000, maxFreeSpaceToRetain: 2000 }

type LmdbTable = Database<Buffer, ByteString>

/** Byte strings go to and from LMDB's key buffers without a Buffer of their own. */
const keyEncoder = {
  writeKey(key: ByteString, target: Buffer, start: number): number {
    // The library makes room and tries again when it sees a RangeError.
    if (start + key.length > target.length) throw new RangeError('the key does not fit')
    return start + target.write(key, start, 'latin1')
  },
  readKey(source: Buffer, start: number, end: number): string {
    return source.toString('latin1', start, end)
  },
}

/** Where values are copied to while a range is read. The library reads in one go, and has no way to tell its decoder. */
let arenaOfRange: Arena | undefined

/**
 * Values are read into one buffer that the next read overwrites, or straight from the map: they are copied once, to the arena of the reader or where Node's
 * pool has room. The library's own way to copy makes a memory block for each, which took a third of the time of a scan.
 */
const encoder = {
  encode: (value: Buffer): Buffer => value,
  decode(bytes: Uint8Array, length: unknown): Buffer {
    const size = typeof length === 'number' ? length : bytes.length
    const copy = arenaOfRange === undefined ? Buffer.allocUnsafe(size) : arenaOfRange.allocate(size)
    copy.set(bytes.subarray(0, size))
    return copy
  },
}

const tableOptions: DatabaseOptions & { readonly keyEncoder: object; readonly encoder: object } = { keyEncoder, encoder }

/**
 * LMDB: a memory-mapped tree with snapshots for readers and one writer, on a thread of its own.
 *
 * Nothing is compressed: the log is kept small by its deltas, and measured against that LMDB's compression costs a third of the writes per
 * second.
 */
class LmdbEngine implements Engine {
  readonly #root: RootDatabase<Buffer, ByteString>
  readonly #tables: Readonly<Record<Table, LmdbTable>>
  readonly #views = new Set<LmdbView>()

  constructor(root: RootDatabase<Buffer, ByteString>) {
    this.#root = root
    const open = (name: Table): LmdbTable => root.openDB(name, tableOptions)
    this.#tables = { objects: open('objects'), log: open('log'), index: open('index'), meta: open('meta') }
  }

  view(): View {
    this.#root.resetReadTxn()
    const view = new LmdbView(this.#tables, this.#root.useReadTransaction(), () => this.#views.delete(view))
    this.#views.add(view)
    return view
  }

  async commit(batch: Batch): Promise<void> {
    try {
      await this.#root.batch(() => {
        for (const name of tables) {
          const table = this.#tables[name]
          for (const [key, value] of batch[name]) void (value === undefined ? table.remove(key) : table.put(key, value))
        }
      })
    } catch (error) {
      throw await reasonOf(error)
    }
  }

  async close(): Promise<void> {
    // Closing LMDB under an open transaction would crash the process.
    for (const view of this.#views) view.close()
    await this.#root.close()
  }
}

class LmdbView implements View {
  readonly #tables: Readonly<Record<Table, LmdbTable>>
  readonly #transaction: Transaction
  readonly #onClose: () => void
  #isOpen = true

  constructor(tables: Readonly<Record<Table, LmdbTable>>, transaction: Transaction, onClose: () => void) {
    this.#tables = tables
    this.#transaction = transaction
    this.#onClose = onClose
  }

  get(table: Table, key: ByteString): Buffer | undefined {
    return this.#tables[table].get(key, { transaction: this.#open() })
  }

  range(table: Table, range: Range): readonly { readonly key: ByteString; readonly value: Buffer }[] {
    arenaOfRange = range.arena
    try {
      return [...this.#tables[table].getRange(this.#options(range))]
    } finally {
      arenaOfRange = undefined
    }
  }

  keys(table: Table, range: Range): readonly ByteString[] {
    return [...this.#tables[table].getKeys(this.#options(range))]
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onClose()
    this.#transaction.done()
  }

  #options({ from, to, limit }: Range): object {
    return { start: from === '' ? undefined : from, end: to, limit, transaction: this.#open() }
  }

  #open(): Transaction {
    if (!this.#isOpen) throw new StoreError('the store was closed while it was being read')
    return this.#transaction
  }
}

/** The library's own error only points at another promise with the reason. */
async function reasonOf(error: unknown): Promise<unknown> {
  if (!(error instanceof Error) || !('commitError' in error)) return error
  try {
    await error.commitError
    return error
  } catch (reason) {
    return reason
  }
}

/** The default store. Throws StoreError with a sentence for people when the directory cannot be used. */
export function openLmdbStore(options: DurableStoreOptions): Promise<Store> {
  return openDurableStore('lmdb', options, async (directory, durability) => {
    checkLmdbFile(directory.file, directory.path)
    const { open } = await import('lmdb')
    const root = open<Buffer, ByteString>(directory.file, {
      ...tableOptions,
      mapSize,
      maxReaders,
      maxDbs: tables.length,
      ...freeSpace,
      noMemInit: true,
      // With overlapping flushes a commit would be visible, and answered, before it is durable.
      overlappingSync: false,
      noSync: durability === 'relaxed',
    })
    return new LmdbEngine(root)
  })
}
