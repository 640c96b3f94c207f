import { tables } from '../engine.ts'

/**
 * Rows in the order they come, and an index that orders them by the bytes of their keys. Objects are too large to live in the tree that
 * orders them: finding a key would read pages full of values.
 */
export const schema = tables
  .map(
    (table) =>
      `CREATE TABLE IF NOT EXISTS "${table}" (id INTEGER PRIMARY KEY, key BLOB NOT NULL, value BLOB NOT NULL);
       CREATE UNIQUE INDEX IF NOT EXISTS "${table}_key" ON "${table}" (key);`,
  )
  .join('\n')

export interface WriterOptions {
  readonly file: string
  readonly synchronous: 'FULL' | 'OFF'
}

/** What the writer's thread is asked to do. It answers each request with one Answer, in order. */
export type Request =
  | { readonly type: 'commit'; readonly writes: Uint8Array<ArrayBuffer> }
  | { readonly type: 'checkpoint' }
  | { readonly type: 'close' }

export interface Answer {
  /** Absent when it was done. */
  readonly error?: string
}
