import { ApiError, notFound } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
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
/** How many objects a list reads from the store at a time. */
const chunkSize = 500

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
  /** Known after the last chunk. */
  /** Frees what the list holds; not needed once the chunks were read to their end. */
  readonly close: () => void
  readonly end: () => { readonly continue: string | undefined; readonly remaining: number | undefined }
}

export async function list(scope: Scope, served: Served, selection: Selection, options: ListOptions): Promise<Listing> {
  const { store } = scope
  const exact = exactRevision(options)
  await reach(scope, exact ?? options.revision)
  const revision = exact ?? store.revision()
  const snapshot = openSnapshot(scope, revision, options.token)
  const prefix = prefixFor(scope.cluster, served.type, selection.namespace)
  let end: { continue: string | undefined; remaining: number | undefined } = { continue: undefined, remaining: undefined }

  function* chunks(): Iterable<readonly Found[]> {
    try {
      if (selection.name !== undefined && (selection.namespace !== '' || !served.type.namespaced)) {
        const entry = snapshot.get(keyFor(scope.cluster, served.type, selection.namespace, selection.name))
        const found = entry === undefined ? undefined : examine(served, selection, entry)
        if (found !== undefined && options.token === undefined) yield [found]
        return
      }
      const { limit, token } = options
      let after = token === undefined ? undefined : prefix + token.start
      let left = limit === 0 ? Number.POSITIVE_INFINITY : limit
      while (left > 0) {
        // One more than wanted tells whether there is another page.
        const wanted = Math.min(chunkSize, left + 1)
        const entries = [...snapshot.scan(prefix, { limit: wanted, ...(after === undefined ? {} : { after }) })]
        const found: Found[] = []
        for (const entry of entries) {
          if (left === 0) {
            end = nextPage(scope, snapshot, prefix, selection, options, after ?? '')
            break
          }
          after = entry.key
          const each = examine(served, selection, entry)
          if (each === undefined) continue
          found.push(each)
          left--
        }
        if (found.length > 0) yield found
        if (entries.length < wanted || end.continue !== undefined) return
        if (left === 0 && hasMore(snapshot, prefix, after ?? '', served, selection)) {
          end = nextPage(scope, snapshot, prefix, selection, options, after ?? '')
        }
      }
    } finally {
      snapshot.close()
    }
  }
  return { revision, chunks: chunks(), close: () => snapshot.close(), end: () => end }
}

function examine(served: Served, selection: Selection, entry: Entry): Found | undefined {
  if (!selection.needsObject) return { entry, object: undefined }
  const object = fromStored(served, entry)
  return selects(selection, object) ? { entry, object } : undefined
}

/** Whether another page would show anything: a page of nothing would confuse clients. */
function hasMore(snapshot: Snapshot, prefix: string, after: string, served: Served, selection: Selection): boolean {
  for (const entry of snapshot.scan(prefix, { after })) if (examine(served, selection, entry) !== undefined) return true
  return false
}

function nextPage(
  scope: Scope,
  snapshot: Snapshot,
  prefix: string,
  selection: Selection,
  options: ListOptions,
  lastKey: string,
): { continue: string; remaining: number | undefined } {
  const before = options.token === undefined ? scope.store.count(prefix) : options.token.remaining
  const remaining = selection.needsObject || before === undefined ? undefined : before - options.limit
  const revision = options.token?.revision === -1 ? -1 : snapshot.revision
  const token = encodeToken({ revision, start: lastKey.slice(prefix.length), remaining })
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
