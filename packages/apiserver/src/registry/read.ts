import { ApiError, notFound } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import { Arena } from '../storage/arena.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import { CompactedError, type Entry, type Snapshot } from '../storage/store.ts'
import { type ContinueToken, encodeToken } from './continue-token.ts'
import type { Served } from './catalog.ts'
import type { ListOptions } from './list-options.ts'
import { tooLargeRevision } from './revision.ts'
import { selects, type Selection } from './selection.ts'
import { fromStored, keyFor, prefixFor } from './stored.ts'
import type { Scope } from './write-request.ts'

/** How long a read waits for a revision that has not happened yet. */
const futureWait = 3_000
/** How many objects a list reads from the store at a time, and of large ones, how many bytes. */
const chunkSize = 500
const chunkBytes = 1024 * 1024

export async function get(scope: Scope, served: Served, namespace: string, name: string, revision: number | undefined): Promise<Entry> {
  await reach(scope, revision)
  const entry = scope.store.get(keyFor(scope.cluster, served.type, namespace, name))
  if (entry === undefined) throw notFound(served.type, name)
  return entry
}

/** Waits for the store to reach a revision that a client has seen somewhere, for a moment. */
export async function reach(scope: Scope, revision: number | undefined): Promise<void> {
  const { store, clock } = scope
  if (revision === undefined || revision <= store.revision()) return
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      stop()
      cancel()
      resolve()
    }
    const stop = store.subscribe(() => {
      if (store.revision() >= revision) finish()
    })
    const cancel = clock.after(futureWait, finish)
  })
  if (store.revision() < revision) throw tooLargeRevision(revision, store.revision())
}

/** One object of a list; parsed only when a selector had to look inside. */
export interface Found {
  readonly entry: Entry
  readonly object: JsonObject | undefined
}

/** What a list will show, and how to read it chunk by chunk. */
export interface Listing {
  readonly revision: number
  /** Pages are read at once, whole lists lazily: reading chunk by chunk bounds the memory of either. */
  readonly chunks: Iterable<readonly Found[]>
  /** Frees what the list holds; not needed once the chunks were read to their end. */
  readonly close: () => void
  /** Known after the last chunk. */
  readonly end: () => { readonly continue: string | undefined; readonly remaining: number | undefined }
}

/** Of all lists that reuse memory: they read and copy in one step, so that no two of them are at it. */
const sharedArena = new Arena()

/** With `reusesMemory`, a chunk must be used up in the step in which it was read: the next list overwrites what it holds. */
export async function list(
  scope: Scope,
  served: Served,
  selection: Selection,
  options: ListOptions,
  { reusesMemory = false }: { readonly reusesMemory?: boolean } = {},
): Promise<Listing> {
  const { store } = scope
  const exact = exactRevision(options)
  await reach(scope, exact ?? options.revision)
  const revision = exact ?? store.revision()
  const snapshot = openSnapshot(scope, revision, options.token)
  const prefix = prefixFor(scope.cluster, served.type, selection.namespace)
  const read = reader(scope, served, selection, snapshot, prefix, reusesMemory ? sharedArena : undefined)
  const total = totalOf(scope, revision, prefix, options)
  let end: { continue: string | undefined; remaining: number | undefined } = { continue: undefined, remaining: undefined }

  function* chunks(): Iterable<readonly Found[]> {
    try {
      const { limit, token } = options
      let after = token === undefined ? undefined : prefix + token.start
      let left = limit === 0 ? Number.POSITIVE_INFINITY : limit
      while (left > 0) {
        // One more than wanted tells whether there is another page.
        const wanted = Math.min(chunkSize, left + 1)
        const { entries, isLast } = read(after, wanted)
        const found: Found[] = []
        for (const entry of entries) {
          if (left === 0) break
          after = entry.key
          const each = examine(served, selection, entry)
          if (each === undefined) continue
          found.push(each)
          left--
        }
        if (found.length > 0) yield found
        if (isLast) return
        if (left === 0 && hasMore(entries, after ?? '')) end = nextPage(selection, options, total, snapshot, prefix, after ?? '')
      }
    } finally {
      snapshot.close()
    }
  }

  /** Whether another page would show anything: a page of nothing would confuse clients. */
  function hasMore(entries: readonly Entry[], last: string): boolean {
    if (!selection.needsObject && entries.at(-1)?.key !== last) return true
    for (let after = last; ;) {
      const { entries: more, isLast } = read(after, chunkSize)
      if (more.some((entry) => examine(served, selection, entry) !== undefined)) return true
      if (isLast) return false
      after = more.at(-1)?.key ?? after
    }
  }

  return { revision, chunks: chunks(), close: () => snapshot.close(), end: () => end }
}

interface Read {
  readonly entries: readonly Entry[]
  /** Whether nothing comes behind them. */
  readonly isLast: boolean
}

/** How to read the next candidates: by scanning, or by their keys where a selector pins the name. */
function reader(
  scope: Scope,
  served: Served,
  { name, namespace }: Selection,
  snapshot: Snapshot,
  prefix: string,
  arena: Arena | undefined,
): (after: string | undefined, limit: number) => Read {
  if (name === undefined) {
    return (after, limit) => {
      arena?.reset()
      return readBounded(
        snapshot.scan(prefix, { limit, ...(after === undefined ? {} : { after }), ...(arena === undefined ? {} : { arena }) }),
        limit,
      )
    }
  }
  const keyIn = (each: string): string => keyFor(scope.cluster, served.type, each, name)
  const isInOnePlace = namespace !== '' || !served.type.namespaced
  const namespaces = isInOnePlace
    ? [namespace]
    : Array.from(snapshot.scan(resourcePrefix(scope.cluster, '', 'namespaces')), ({ key }) => parseKey(key).name)
  const keys = namespaces.map(keyIn).sort()
  return (after, limit) => {
    const entries: Entry[] = []
    for (const key of keys) {
      if (entries.length === limit) break
      const entry = after !== undefined && key <= after ? undefined : snapshot.get(key)
      if (entry !== undefined) entries.push(entry)
    }
    return { entries, isLast: entries.length < limit }
  }
}

/** Up to `limit` entries, or fewer where they are large. */
function readBounded(scan: Iterable<Entry>, limit: number): Read {
  const entries: Entry[] = []
  let bytes = 0
  for (const entry of scan) {
    entries.push(entry)
    bytes += entry.bytes.length
    if (bytes >= chunkBytes) return { entries, isLast: false }
  }
  return { entries, isLast: entries.length < limit }
}

/** How many objects a list begins with; undefined when that is only known for another revision than the one it shows. */
function totalOf({ store }: Scope, revision: number, prefix: string, { limit, token }: ListOptions): number | undefined {
  if (token !== undefined) return token.remaining
  return limit > 0 && revision === store.revision() ? store.count(prefix) : undefined
}

function examine(served: Served, selection: Selection, entry: Entry): Found | undefined {
  if (!selection.needsObject) return { entry, object: undefined }
  const object = fromStored(served, entry)
  return selects(selection, object) ? { entry, object } : undefined
}

function nextPage(
  selection: Selection,
  options: ListOptions,
  total: number | undefined,
  snapshot: Snapshot,
  prefix: string,
  lastKey: string,
): { continue: string; remaining: number | undefined } {
  const remaining = selection.needsObject || total === undefined ? undefined : total - options.limit
  const token = encodeToken({ revision: snapshot.revision, start: lastKey.slice(prefix.length), remaining })
  return { continue: token, remaining: remaining !== undefined && remaining > 0 ? remaining : undefined }
}

/** The revision a list must show exactly; undefined when the newest will do. */
function exactRevision({ token, revision, match, limit }: ListOptions): number | undefined {
  if (token !== undefined) return token.revision === -1 ? undefined : token.revision
  if (revision === undefined || revision === 0) return undefined
  return match === 'Exact' || (match === undefined && limit > 0) ? revision : undefined
}

function openSnapshot(scope: Scope, revision: number, token: ContinueToken | undefined): Snapshot {
  try {
    return scope.store.snapshot(revision)
  } catch (error) {
    if (!(error instanceof CompactedError)) throw error
    if (token === undefined) throw new ApiError(410, 'Expired', 'The resourceVersion for the provided list is too old.')
    const message =
      'The provided continue parameter is too old to display a consistent list result. You can start a new list without the continue parameter, ' +
      'or use the continue token in this response to retrieve the remainder of the results. Continuing with the provided token results in an ' +
      'inconsistent list - objects that were created, modified, or deleted between the time the first chunk was returned and now may show up in the list.'
    throw new ApiError(410, 'Expired', message, { continue: encodeToken({ ...token, revision: -1, remaining: undefined }) })
  }
}
