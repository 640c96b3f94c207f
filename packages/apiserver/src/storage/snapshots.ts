import { type ByteString, fromByteString, toByteString } from './byte-string.ts'
import type { KeyValue } from './engine.ts'
import { resourceOf } from './key-space.ts'
import { decodeEntry } from './records.ts'
import type { Rewinds } from './rewind.ts'
import { scanRange } from './scan-range.ts'
import type { SharedView } from './shared-view.ts'
import { type Entry, type ScanOptions, type Snapshot, StoreError } from './store.ts'

/** One entry of a view. */
export function readEntry(view: SharedView, key: string): Entry | undefined {
  const value = view.get('objects', toByteString(key))
  return value === undefined ? undefined : decodeEntry(key, value)
}

/** The entries of a view, as it is when the first one is asked for. */
export function* scanEntries(view: () => SharedView, prefix: string, options?: ScanOptions): Generator<Entry, void, undefined> {
  for (const chunk of view().chunks('objects', scanRange(prefix, options))) {
    for (const { key, value } of chunk) yield decodeEntry(fromByteString(key), value)
  }
}

/** The state at an exact revision: a view that is no older, with every change behind the revision undone. */
export class ViewSnapshot implements Snapshot {
  readonly revision: number
  readonly #view: SharedView
  readonly #rewinds: Rewinds
  #isOpen = true

  constructor(view: SharedView, revision: number, rewinds: Rewinds) {
    this.#view = view.hold()
    this.revision = revision
    this.#rewinds = rewinds
  }

  get(key: string): Entry | undefined {
    const view = this.#open()
    if (view.revision === this.revision) return readEntry(view, key)
    const at = toByteString(key)
    const changed = this.#rewinds.undoList(view, this.revision, resourceOf(at)).firstChange(at, view.revision)
    return changed === undefined ? readEntry(view, key) : this.#rewinds.before(view, changed, at)
  }

  scan(prefix: string, options?: ScanOptions): Iterable<Entry> {
    const view = this.#open()
    return view.revision === this.revision ? scanEntries(() => this.#open(), prefix, options) : this.#rewound(prefix, options)
  }

  close(): void {
    if (!this.#isOpen) return
    this.#isOpen = false
    this.#view.release()
  }

  *#rewound(prefix: string, options?: ScanOptions): Generator<Entry, void, undefined> {
    const { from, to, limit } = scanRange(prefix, options)
    const view = this.#open().hold()
    try {
      const list = this.#rewinds.undoList(view, this.revision, toByteString(prefix))
      let left = limit
      if (left <= 0) return
      for (const { key, value } of union(view.chunks('objects', { from, to, limit: Infinity }), list.keysBetween(from, to))) {
        const changed = list.firstChange(key, view.revision)
        const entry = changed === undefined ? decoded(key, value) : this.#rewinds.before(view, changed, key)
        if (entry === undefined) continue
        yield entry
        if (--left <= 0) return
      }
    } finally {
      view.release()
    }
  }

  #open(): SharedView {
    if (!this.#isOpen) throw new StoreError('this snapshot is closed: read from it before closing it')
    return this.#view
  }
}

/** What is there now and what changed, in order, each key once. */
function* union(
  chunks: Iterable<readonly KeyValue[]>,
  changed: readonly ByteString[],
): Generator<Partial<KeyValue> & { readonly key: ByteString }> {
  let index = 0
  let next = changed[index]
  for (const chunk of chunks) {
    for (const pair of chunk) {
      while (next !== undefined && next < pair.key) {
        yield { key: next }
        next = changed[++index]
      }
      if (next === pair.key) next = changed[++index]
      yield pair
    }
  }
  for (; next !== undefined; next = changed[++index]) yield { key: next }
}

function decoded(key: ByteString, value: Buffer | undefined): Entry | undefined {
  return value === undefined ? undefined : decodeEntry(fromByteString(key), value)
}
