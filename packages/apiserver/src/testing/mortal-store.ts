import {
  type Change,
  type ChangeOptions,
  type Entry,
  type ScanOptions,
  type Snapshot,
  type Store,
  StoreError,
  type Transaction,
} from '../storage/index.ts'

/**
 * A store whose server dies: after so many writes nothing reaches it any more and nothing is heard from it, while what was written
 * stays in the store behind it for the next server.
 */
export class MortalStore implements Store {
  readonly #store: Store
  #writesLeft = Number.POSITIVE_INFINITY
  #isDead = false

  constructor(store: Store) {
    this.#store = store
  }

  get isDead(): boolean {
    return this.#isDead
  }

  /** The next `writes` that change something still happen. */
  dieAfter(writes: number): void {
    this.#writesLeft = writes
    this.#isDead = writes === 0
  }

  async write<T>(change: (transaction: Transaction) => T): Promise<T> {
    let hasChanged = false
    const watched = (transaction: Transaction): T =>
      change({
        get: (key) => transaction.get(key),
        put: (...put) => ((hasChanged = true), transaction.put(...put)),
        delete: (...gone) => ((hasChanged = true), transaction.delete(...gone)),
      })
    const result = this.#alive().write(watched)
    if (hasChanged && --this.#writesLeft === 0) this.#isDead = true
    const value = await result
    if (this.#isDead) throw died()
    return value
  }

  revision(): number {
    return this.#alive().revision()
  }

  compacted(): number {
    return this.#alive().compacted()
  }

  get(key: string): Entry | undefined {
    return this.#alive().get(key)
  }

  scan(prefix: string, options?: ScanOptions): Iterable<Entry> {
    return this.#alive().scan(prefix, options)
  }

  count(prefix: string): number {
    return this.#alive().count(prefix)
  }

  snapshot(revision: number): Snapshot {
    return this.#alive().snapshot(revision)
  }

  changes(after: number, options?: ChangeOptions): Iterable<Change> {
    return this.#alive().changes(after, options)
  }

  indexed(prefix: string, options?: ScanOptions): Iterable<{ readonly index: string; readonly key: string }> {
    return this.#alive().indexed(prefix, options)
  }

  subscribe(listener: (changes: readonly Change[]) => void): () => void {
    return this.#alive().subscribe((changes) => {
      if (!this.#isDead) listener(changes)
    })
  }

  compact(revision: number): Promise<void> {
    return this.#alive().compact(revision)
  }

  /** The store behind it lives on. */
  close(): Promise<void> {
    this.#isDead = true
    return Promise.resolve()
  }

  #alive(): Store {
    if (this.#isDead) throw died()
    return this.#store
  }
}

function died(): StoreError {
  return new StoreError('this server is dead')
}
