import type { ByteString } from './byte-string.ts'
import { endOf, toByteString } from './byte-string.ts'
import { levels } from './key-space.ts'
import { decodeChange, logKey, logPosition, parseLogKey } from './records.ts'
import type { SharedView } from './shared-view.ts'
import type { Entry } from './store.ts'
import type { Trails } from './trails.ts'

const mostLists = 256
const mostKeys = 500_000
const widestWindow = 1024
const endOfLog = endOf(toByteString('9'))

/** Which keys changed behind a revision, each with its first change: the state before that one is the state at the revision. */
export class UndoList {
  readonly #first = new Map<ByteString, number>()
  #sorted: readonly ByteString[] | undefined
  /** Changes up to and including this revision are in the list. */
  coveredTo: number

  constructor(revision: number) {
    this.coveredTo = revision
  }

  get size(): number {
    return this.#first.size
  }

  add(key: ByteString, revision: number): void {
    if (this.#first.has(key)) return
    this.#first.set(key, revision)
    this.#sorted = undefined
  }

  /** Undefined when the key did not change up to and including `until`: another reader may have extended the list beyond. */
  firstChange(key: ByteString, until: number): number | undefined {
    const revision = this.#first.get(key)
    return revision === undefined || revision > until ? undefined : revision
  }

  keysBetween(from: ByteString, to: ByteString): readonly ByteString[] {
    this.#sorted ??= [...this.#first.keys()].sort()
    const sorted = this.#sorted
    return sorted.slice(indexOf(sorted, from), indexOf(sorted, to))
  }
}

/**
 * Undo lists by revision and part of the key space. The pages of one list ask for the same revision again and again, so lists are kept
 * and only extended by what happened since.
 */
export class Rewinds {
  readonly #trails: Trails
  /** Least recently used first. */
  readonly #lists = new Map<string, UndoList>()

  constructor(trails: Trails) {
    this.#trails = trails
  }

  /** What to undo in `view` to see `revision`, below a prefix. A resource's prefix is cheap; others read the log. */
  undoList(view: SharedView, revision: number, prefix: ByteString): UndoList {
    const scope = levels(prefix, 3) ?? prefix
    const name = `${revision} ${scope}`
    const list = this.#lists.get(name) ?? new UndoList(revision)
    this.#lists.delete(name)
    this.#lists.set(name, list)
    if (list.coveredTo < view.revision) {
      this.#extend(list, view, scope)
      this.#evict()
    }
    return list
  }

  /** The entry as it was before `revision` changed it. */
  before(view: SharedView, revision: number, key: ByteString): Entry | undefined {
    const at = logKey(revision, key)
    const value = view.get('log', at)
    return value === undefined ? undefined : decodeChange(at, value).previous
  }

  #extend(list: UndoList, view: SharedView, scope: ByteString): void {
    const isResource = levels(scope, 3) === scope
    const scanTo = isResource ? Math.min(this.#trails.start, view.revision) : view.revision
    if (list.coveredTo < scanTo) {
      for (const keys of view.keyChunks('log', logPosition(list.coveredTo + 1), logPosition(scanTo + 1))) {
        for (const at of keys) {
          const { key, revision } = parseLogKey(at)
          if (key.startsWith(scope)) list.add(key, revision)
        }
      }
      list.coveredTo = scanTo
    }
    const revisions = this.#trails.between(scope, list.coveredTo, view.revision)
    for (const { key, revision } of changedKeys(view, revisions)) list.add(key, revision)
    list.coveredTo = view.revision
  }

  #evict(): void {
    let keys = 0
    for (const list of this.#lists.values()) keys += list.size
    for (const [name, list] of this.#lists) {
      if (this.#lists.size === 1 || (keys <= mostKeys && this.#lists.size <= mostLists)) return
      this.#lists.delete(name)
      keys -= list.size
    }
  }
}

/** The keys that revisions changed. Reads several at once where they lie close together: seeking costs more than a few too many. */
function* changedKeys(view: SharedView, revisions: readonly number[]): Generator<{ readonly key: ByteString; readonly revision: number }> {
  let window: readonly ByteString[] = []
  let first = 0
  let width = 1
  for (const revision of revisions) {
    if (revision >= first + window.length) {
      const isNear = revision < first + window.length + 4 * width
      width = isNear ? Math.min(2 * width, widestWindow) : 1
      window = view.keys('log', { from: logPosition(revision), to: endOfLog, limit: width })
      first = revision
    }
    const at = window[revision - first]
    if (at !== undefined) yield parseLogKey(at)
  }
}

/** The index of the first key that is not smaller than `key`. */
function indexOf(sorted: readonly ByteString[], key: ByteString): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] ?? '') < key) low = middle + 1
    else high = middle
  }
  return low
}
