import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { ByteString } from '../byte-string.ts'
import type { KeyValue, Range, Table } from '../engine.ts'

interface Statements {
  readonly get: StatementSync
  readonly range: StatementSync
  readonly keys: StatementSync
}

/** More than SQLite's 64-bit LIMIT would be no limit either. */
const mostRows = 2 ** 31

/** A connection that reads. Between `begin` and `end` it sees one state. */
export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #begin: StatementSync
  readonly #end: StatementSync
  readonly #touch: StatementSync
  readonly #tables: Readonly<Record<Table, Statements>>
  #isReading = false

  constructor(database: DatabaseSync) {
    this.#database = database
    database.exec('PRAGMA query_only = 1')
    this.#begin = database.prepare('BEGIN')
    this.#end = database.prepare('COMMIT')
    this.#touch = database.prepare('SELECT 1 FROM meta LIMIT 1')
    const prepare = (table: Table): Statements => ({
      get: database.prepare(`SELECT value FROM "${table}" WHERE key = ?`),
      range: database.prepare(`SELECT key, value FROM "${table}" WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`),
      keys: database.prepare(`SELECT key FROM "${table}" WHERE key >= ? AND key < ? ORDER BY key LIMIT ?`),
    })
    this.#tables = { objects: prepare('objects'), log: prepare('log'), index: prepare('index'), meta: prepare('meta') }
  }

  begin(): void {
    this.end()
    this.#begin.run()
    this.#isReading = true
    // The state is fixed by the first read, not by BEGIN.
    this.#touch.get()
  }

  end(): void {
    if (!this.#isReading) return
    this.#isReading = false
    this.#end.run()
  }

  close(): void {
    this.end()
    this.#database.close()
  }

  get(table: Table, key: ByteString): Buffer | undefined {
    return toBuffer(this.#tables[table].get.get(Buffer.from(key, 'latin1'))?.value)
  }

  range(table: Table, { from, to, limit }: Range): readonly KeyValue[] {
    const rows = this.#tables[table].range.all(Buffer.from(from, 'latin1'), Buffer.from(to, 'latin1'), Math.min(limit, mostRows))
    return rows.map(({ key, value }) => ({ key: toKey(key), value: toBuffer(value) ?? Buffer.alloc(0) }))
  }

  keys(table: Table, { from, to, limit }: Range): readonly ByteString[] {
    const rows = this.#tables[table].keys.all(Buffer.from(from, 'latin1'), Buffer.from(to, 'latin1'), Math.min(limit, mostRows))
    return rows.map(({ key }) => toKey(key))
  }
}

function toBuffer(value: unknown): Buffer | undefined {
  return value instanceof Uint8Array ? Buffer.from(value.buffer, value.byteOffset, value.byteLength) : undefined
}

function toKey(value: unknown): ByteString {
  return (toBuffer(value)?.toString('latin1') ?? '') as ByteString
}
