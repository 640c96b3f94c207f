import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Change, Entry, Store, Transaction } from '../store.ts'

/** How the suites open the store that they test. */
export interface StoreFixture {
  readonly name: string
  /** Whether opening the same directory again finds what was written. */
  readonly isDurable: boolean
  /** How many random histories to try: as many as take about a second. */
  readonly modelRuns: number
  readonly open: (directory: string) => Promise<Store>
}

/** Runs a test with a store in a directory of its own; closes and removes both. */
export async function withStore(fixture: StoreFixture, test: (store: Store, directory: string) => Promise<void> | void): Promise<void> {
  await withDirectory(async (directory) => {
    const store = await fixture.open(directory)
    try {
      await test(store, directory)
    } finally {
      await store.close()
    }
  })
}

export async function withDirectory(test: (directory: string) => Promise<void>): Promise<void> {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'windlass-store-')))
  try {
    await test(directory)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

export const pods = 'root/~/pods/'

/** What an object looks like in these tests: its revision is in it, as in real ones. */
export function encode(text: string): (revision: number) => Buffer {
  return (revision) => Buffer.from(JSON.stringify({ resourceVersion: String(revision), text }))
}

export function put(store: Store, key: string, text = '', indexes: readonly string[] = []): Promise<Entry> {
  return store.write((transaction: Transaction) => transaction.put(key, encode(text), indexes))
}

export function remove(store: Store, key: string): Promise<Entry> {
  return store.write((transaction: Transaction) => transaction.delete(key, encode('deleted')))
}

export function textOf(entry: { readonly bytes: Buffer } | undefined): string | undefined {
  return entry === undefined ? undefined : JSON.parse(entry.bytes.toString()).text
}

export function revisionIn(entry: { readonly bytes: Buffer }): number {
  return Number(JSON.parse(entry.bytes.toString()).resourceVersion)
}

/** `key=text` of each. */
export function texts(entries: Iterable<Entry>): readonly string[] {
  return Array.from(entries, (entry) => `${entry.key}=${textOf(entry)}`)
}

export function keysOf(entries: Iterable<{ readonly key: string }>): readonly string[] {
  return Array.from(entries, ({ key }) => key)
}

/** A change in short: `3 modified a: new text (was old text of 2)`. */
export function line({ revision, type, key, bytes, previous }: Change): string {
  const before = previous === undefined ? '' : ` (was ${textOf(previous)} of ${previous.revision})`
  return `${revision} ${type} ${key}: ${textOf({ bytes })}${before}`
}
