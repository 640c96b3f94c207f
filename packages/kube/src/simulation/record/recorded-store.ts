import type { Change, ChangeOptions, Entry, ScanOptions, Snapshot, Store, Transaction } from '@windlass/apiserver'
import { type Actor, actingAs, currentActor, server } from '../actor.ts'

/** A store that knows who wrote what. */
export class RecordedStore implements Store {
  readonly #store: Store
  readonly #actors = new Map<number, Actor>()
  readonly #listeners = new Set<(changes: readonly Change[]) => void>()

  constructor(store: Store) {
    this.#store = store
    // What the server does because of a change is its own doing, not that of whoever made the change.
    store.subscribe((changes) => actingAs(server, () => this.#tell(changes)))
  }

  /** Who made the change of this revision. Can be asked once. */
  takeActor(revision: number): Actor {
    const actor = this.#actors.get(revision) ?? server
    this.#actors.delete(revision)
    return actor
  }

  write<T>(change: (transaction: Transaction) => T): Promise<T> {
    const actor = currentActor()
    const sign = (entry: Entry): Entry => {
      this.#actors.set(entry.revision, actor)
      return entry
    }
    return this.#store.write((transaction) =>
      change({
        get: (key) => transaction.get(key),
        put: (...put) => sign(transaction.put(...put)),
        delete: (...gone) => sign(transaction.delete(...gone)),
      }),
    )
  }

  subscribe(listener: (changes: readonly Change[]) => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  revision(): number {
    return this.#store.revision()
  }

  compacted(): number {
    return this.#store.compacted()
  }

  get(key: string): Entry | undefined {
    return this.#store.get(key)
  }

  scan(prefix: string, options?: ScanOptions): Iterable<Entry> {
    return this.#store.scan(prefix, options)
  }

  count(prefix: string): number {
    return this.#store.count(prefix)
  }

  snapshot(revision: number): Snapshot {
    return this.#store.snapshot(revision)
  }

  changes(after: number, options?: ChangeOptions): Iterable<Change> {
    return this.#store.changes(after, options)
  }

  indexed(prefix: string, options?: ScanOptions): Iterable<{ readonly index: string; readonly key: string }> {
    return this.#store.indexed(prefix, options)
  }

  compact(revision: number): Promise<void> {
    return this.#store.compact(revision)
  }

  close(): Promise<void> {
    return this.#store.close()
  }

  /** One that throws has a bug: it must not go unseen, nor keep the others from hearing. */
  #tell(changes: readonly Change[]): void {
    for (const listener of this.#listeners) {
      try {
        listener(changes)
      } catch (error) {
        queueMicrotask(() => {
          throw error
        })
      }
    }
  }
}
