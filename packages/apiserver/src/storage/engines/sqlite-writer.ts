import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { parentPort, workerData } from 'node:worker_threads'
import { type Table, tables } from '../engine.ts'
import { unpackBatch } from './packed-batch.ts'
import { type Answer, type Request, schema, type WriterOptions } from './sqlite-schema.ts'

/** The thread that writes. SQLite waits for the disk where it is called; here that holds up nobody. */

const { file, synchronous }: WriterOptions = workerData
const port = parentPort
if (port === null) throw new Error('sqlite-writer.ts runs as a thread of sqlite.ts, not by itself')

const database = new DatabaseSync(file, { timeout: 1000 })
const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = WAL').get() ?? {}
if (mode !== 'wal') throw new Error('its file system does not let SQLite keep a write-ahead log')
// Checkpoints come when the readers allow them to finish, see sqlite.ts.
database.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = 0; PRAGMA journal_size_limit = 67108864;`)
database.exec(`BEGIN; ${schema} COMMIT;`)

const put = statements(
  (table) => `INSERT INTO "${table}" (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value`,
)
const remove = statements((table) => `DELETE FROM "${table}" WHERE key = ?`)

function statements(sql: (table: Table) => string): Readonly<Record<Table, StatementSync>> {
  const [objects, log, index, meta] = tables.map((table) => database.prepare(sql(table)))
  if (objects === undefined || log === undefined || index === undefined || meta === undefined) throw new Error('a table is missing')
  return { objects, log, index, meta }
}

function handle(request: Request): void {
  switch (request.type) {
    case 'commit':
      commit(request.writes)
      break
    case 'checkpoint':
      database.exec('PRAGMA wal_checkpoint(PASSIVE)')
      break
    case 'close':
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
      database.close()
      break
  }
}

function commit(writes: Uint8Array<ArrayBuffer>): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    for (const { table, key, value } of unpackBatch(writes)) {
      if (value === undefined) remove[table].run(key)
      else put[table].run(key, value)
    }
    database.exec('COMMIT')
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

port.on('message', (request: Request) => {
  let answer: Answer = {}
  try {
    handle(request)
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  port.postMessage(answer)
  if (request.type === 'close') port.close()
})
port.postMessage({} satisfies Answer)
