import { longestKey } from './index-entries.ts'
import { encodeChange, encodeObject, type Stored } from './records.ts'
import type { Change, Entry, Transaction } from './store.ts'

/** One change, with what the tables need to know about it. */
export interface PendingChange {
  readonly change: Change
  /** What the key holds now; absent after a deletion. */
  readonly stored?: Stored
  readonly value?: Buffer
  /** What the log holds of it. */
  readonly logged: Buffer
  readonly indexesBefore: readonly string[]
}

/** Collects what one write does, apart from everything else until it is known that the write succeeded. */
export class OpenTransaction implements Transaction {
  readonly #load: (key: string) => Stored | undefined
  readonly #seen = new Map<string, Stored | undefined>()
  readonly changes: PendingChange[] = []
  #revision: number
  #isOpen = true

  /** `load` finds what the key holds for this write; `revision` is the last one taken. */
  constructor(load: (key: string) => Stored | undefined, revision: number) {
    this.#load = load
    this.#revision = revision
  }

  get(key: string): Entry | undefined {
    return this.#find(key)?.entry
  }

  put(key: string, encode: (revision: number) => Buffer | string, indexes: readonly string[] = []): Entry {
    checkKey(key)
    const before = this.#find(key)
    const revision = this.#revision + 1
    const { stored, value } = encodeObject(key, revision, encode(revision), [...new Set(indexes)])
    const { bytes } = stored.entry
    const change: Change =
      before === undefined ? { revision, key, type: 'created', bytes } : { revision, key, type: 'modified', bytes, previous: before.entry }
    const logged = encodeChange(change)
    this.#take(revision)
    this.#seen.set(key, stored)
    this.changes.push({ change, stored, value, logged, indexesBefore: before?.indexes ?? [] })
    return stored.entry
  }

  delete(key: string, encode: (revision: number) => Buffer): Entry {
    const before = this.#find(key)
    if (before === undefined) throw new Error(`there is no ${key} to delete`)
    const revision = this.#revision + 1
    const bytes = encode(revision)
    const change: Change = { revision, key, type: 'deleted', bytes, previous: before.entry }
    const logged = encodeChange(change)
    this.#take(revision)
    this.#seen.set(key, undefined)
    this.changes.push({ change, logged, indexesBefore: before.indexes })
    return { key, revision, bytes }
  }

  /** What is done with it from now on has no effect and must not seem to. */
  end(): void {
    this.#isOpen = false
  }

  #find(key: string): Stored | undefined {
    if (!this.#isOpen) throw new Error('this write is over: a change must do all its work before it returns')
    if (this.#seen.has(key)) return this.#seen.get(key)
    const stored = this.#load(key)
    this.#seen.set(key, stored)
    return stored
  }

  /** Comes last, when nothing can fail any more: a change may catch an error of `encode` and go on. */
  #take(revision: number): void {
    if (this.#revision + 1 !== revision) throw new Error('a put or delete inside `encode` would take the revision it was given')
    this.#revision = revision
  }
}

function checkKey(key: string): void {
  if (key === '' || key.includes('\0'))
    throw new RangeError(`${JSON.stringify(key)} is no key: keys have at least one character and no NUL`)
  const length = Buffer.byteLength(key)
  if (length > longestKey) throw new RangeError(`the key ${key.slice(0, 64)}… has ${length} bytes: ${longestKey} are allowed`)
}
