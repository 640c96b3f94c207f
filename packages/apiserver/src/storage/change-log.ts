import type { ByteString } from './byte-string.ts'
import { ChangeTail } from './change-tail.ts'
import { decodeChange, logPosition } from './records.ts'
import { Rewinds } from './rewind.ts'
import type { SharedView } from './shared-view.ts'
import { type Change, CompactedError, StoreError } from './store.ts'
import { Trails } from './trails.ts'

const changesAtOnce = 128

/** The counter starts at 1, so the first change has 2. */
const firstChange = 2

export interface ChangeLogOptions {
  /** The newest durable state. */
  readonly view: () => SharedView
  readonly compacted: number
  readonly tailBytes: number
}

/** What happened, by revision: the newest part in memory, all of it down to the compacted revision on disk. */
export class ChangeLog {
  readonly #view: () => SharedView
  readonly #tail: ChangeTail
  readonly #trails: Trails
  readonly rewinds: Rewinds
  #compacted: number

  constructor({ view, compacted, tailBytes }: ChangeLogOptions) {
    this.#view = view
    this.#compacted = compacted
    this.#tail = new ChangeTail(tailBytes)
    this.#trails = new Trails(view().revision)
    this.rewinds = new Rewinds(this.#trails, this.#tail)
  }

  get compacted(): number {
    return this.#compacted
  }

  add(change: Change, key: ByteString): void {
    this.#tail.add(change)
    this.#trails.add(key, change.revision)
  }

  forget(revision: number): void {
    this.#compacted = revision
    this.#trails.forget(revision)
  }

  /** Throws when the state at `revision`, or a change behind it, is forgotten. */
  assertKept(revision: number): void {
    if (revision < this.#compacted) throw new CompactedError(revision, this.#compacted)
  }

  /** The changes behind `after` that are there now. Read piece by piece, so compaction may overtake a slow reader. */
  *read(after: number, limit: number): Generator<Change, void, undefined> {
    const last = this.#view().revision
    let next = Math.max(after + 1, firstChange)
    let left = limit
    while (next <= last && left > 0) {
      this.assertKept(next - 1)
      const wanted = Math.min(changesAtOnce, left, last - next + 1)
      const changes = this.#tail.from(next, wanted) ?? this.#fromDisk(next, wanted)
      if (changes[0]?.revision !== next) throw new StoreError(`the change log lacks revision ${next}: restore a backup`)
      yield* changes
      next += changes.length
      left -= changes.length
    }
  }

  #fromDisk(revision: number, count: number): readonly Change[] {
    const range = { from: logPosition(revision), to: logPosition(revision + count), limit: count }
    return this.#view()
      .range('log', range)
      .map(({ key, value }) => decodeChange(key, value))
  }
}
