import type { ByteString } from '../byte-string.ts'
import type { Batch, Engine, KeyValue, Range, Table, View } from '../engine.ts'
import { type Store, StoreError } from '../store.ts'
import { type DurableStoreOptions, openDurableStore } from './durable-store.ts'
import { packBatch } from './packed-batch.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import { SqliteWriter } from './sqlite-writer-client.ts'

/** How much may be written before the write-ahead log is moved into the database. */
const checkpointBytes = 8 * 1024 * 1024

/** Connections without a reader that are kept for the next one. */
const idleConnections = 4

/**
 * SQLite, as Node brings it: no native package. One connection on its own thread writes; each open view has a connection here, with
 * a transaction that holds its state.
 */
class SqliteEngine implements Engine {
  readonly #connect: () => SqliteConnection
  readonly #writer: SqliteWriter
  readonly #idle: SqliteConnection[] = []
  readonly #views = new Set<SqliteView>()
  #written = 0

  constructor(writer: SqliteWriter, connect: () => SqliteConnection) {
    this.#writer = writer
    this.#connect = connect
  }

  view(): View {
    const connection = this.#idle.pop() ?? this.#connect()
    connection.begin()
    const view = new SqliteView(connection, () => this.#retire(view, connection))
    this.#views.add(view)
    return view
  }

  async commit(batch: Batch): Promise<void> {
    if (this.#written > checkpointBytes) await this.#checkpoint()
    const writes = packBatch(batch)
    this.#written += writes.byteLength
    await this.#writer.request({ type: 'commit', writes }, [writes.buffer])
    for (const view of this.#views) view.isNewest = false
  }

  async close(): Promise<void> {
    for (const view of this.#views) view.close()
    for (const connection of this.#idle.splice(0)) connection.close()
    await this.#writer.close()
  }

  /**
   * Moves the write-ahead log into the database and lets it start over. It can only start over when nobody reads from it, and the newest
   * view always does: so that one begins again behind the move, from the database. Nothing was written in between, so it sees the same.
   */
  async #checkpoint(): Promise<void> {
    this.#written = 0
    await this.#writer.request({ type: 'checkpoint' })
    for (const view of this.#views) if (view.isNewest) view.connection.begin()
  }

  #retire(view: SqliteView, connection: SqliteConnection): void {
    this.#views.delete(view)
    connection.end()
    if (this.#idle.length < idleConnections) this.#idle.push(connection)
    else connection.close()
  }
}

class SqliteView implements View {
  /** Whether nothing was committed since. */
  isNewest = true
  readonly #connection: SqliteConnection
  readonly #onClose: () => void
  #isOpen = true

  constructor(connection: SqliteConnection, onClose: () => void) {
    this.#connection = connection
    this.#onClose = onClose
  }

  get connection(): SqliteConnection {
    if (!this.#isOpen) throw new StoreError('the store was closed while it was being read')
    return this.#connection
  }

  get(table: Table, key: ByteString): Buffer | undefined {
    return this.connection.get(table, key)
  }

  range(table: Table, range: Range): readonly KeyValue[] {
    return this.connection.range(table, range)
  }

  keys(table: Table, range: Range): readonly ByteString[] {
    return this.connection.keys(table, range)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#onClose()
  }
}

/** A store without native code. Throws StoreError with a sentence for people when the directory cannot be used. */
export function openSqliteStore(options: DurableStoreOptions): Promise<Store> {
  return openDurableStore('sqlite', options, async ({ file }, durability) => {
    const { DatabaseSync } = await import('node:sqlite')
    const writer = await SqliteWriter.start({ file, synchronous: durability === 'full' ? 'FULL' : 'OFF' })
    return new SqliteEngine(writer, () => new SqliteConnection(new DatabaseSync(file, { timeout: 1000 })))
  })
}
