import { ApiError, type Status } from '../errors/api-error.ts'
import type { JsonObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import type { ListOptions } from '../registry/list-options.ts'
import { reach } from '../registry/read.ts'
import { selects, type Selection } from '../registry/selection.ts'
import { fromStored, isVerbatim, prefixFor } from '../registry/stored.ts'
import type { Scope } from '../registry/write-request.ts'
import { CompactedError } from '../storage/store.ts'
import type { EventEncoder } from './encoder.ts'
import { WatchEvent } from './event.ts'
import type { WatchHub } from './hub.ts'
import type { WatchSink } from './sink.ts'
import { Watcher } from './watcher.ts'

const defaultTimeout = 1_800_000
const chunkSize = 500

export interface WatchRequest {
  readonly scope: Scope
  readonly hub: WatchHub
  readonly served: Served
  readonly selection: Selection
  readonly options: ListOptions
  readonly encoder: EventEncoder
}

/**
 * Runs a watch until its time is over or the client goes: first the present state if it was asked for, then everything since, then
 * what comes. Failures are events, for the answer has begun.
 */
export async function watch(request: WatchRequest, sink: WatchSink, signal: AbortSignal): Promise<void> {
  try {
    const from = await begin(request, sink, signal)
    if (from !== undefined) await follow(request, sink, signal, from)
  } catch (error) {
    const status = statusOf(request, error)
    if (status === undefined) throw error
    sink.write(request.encoder.error(status))
    sink.end()
  }
}

function statusOf({ scope, options }: WatchRequest, error: unknown): Status | undefined {
  if (error instanceof ApiError) return error.status
  if (!(error instanceof CompactedError)) return undefined
  const { status } = new ApiError(410, 'Expired', `too old resource version: ${options.revision ?? 0} (${scope.store.compacted()})`)
  return status
}

/** Sends the present state if the watch starts with it; gives the revision to go on from. */
async function begin(request: WatchRequest, sink: WatchSink, signal: AbortSignal): Promise<number | undefined> {
  const { scope, options, encoder } = request
  const startsWithState = options.sendInitialEvents ?? (options.revision === undefined || options.revision === 0)
  if (!startsWithState) {
    return options.revision === undefined || options.revision === 0 ? scope.store.revision() : options.revision
  }
  await reach(scope, options.revision)
  const revision = await sendState(request, sink, signal)
  if (revision !== undefined && options.allowBookmarks) sink.write(encoder.bookmark(revision, true))
  return revision
}

async function sendState(request: WatchRequest, sink: WatchSink, signal: AbortSignal): Promise<number | undefined> {
  const { scope, served, selection, encoder } = request
  const snapshot = scope.store.snapshot(scope.store.revision())
  const prefix = prefixFor(scope.cluster, served.type, selection.namespace)
  try {
    for (let after: string | undefined; ;) {
      const entries = [...snapshot.scan(prefix, { limit: chunkSize, ...(after === undefined ? {} : { after }) })]
      const lines: Buffer[] = []
      for (const entry of entries) {
        after = entry.key
        let read: JsonObject | undefined
        const object = (): JsonObject => (read ??= fromStored(served, entry))
        if (selection.needsObject && !selects(selection, object())) continue
        lines.push(encoder.present(isVerbatim(served, entry) ? entry.bytes : undefined, object))
      }
      if (lines.length > 0 && !sink.write(Buffer.concat(lines))) await sink.drained()
      if (signal.aborted) return undefined
      if (entries.length < chunkSize) return snapshot.revision
    }
  } finally {
    snapshot.close()
  }
}

/** Catches up from the log, then joins those who hear of changes as they happen. */
async function follow(request: WatchRequest, sink: WatchSink, signal: AbortSignal, from: number): Promise<void> {
  const { scope, hub, served, selection, options, encoder } = request
  const now = scope.clock.now()
  const timeout = options.timeoutSeconds === undefined ? defaultTimeout * (1 + scope.random.next()) : options.timeoutSeconds * 1000
  const resource = prefixFor(scope.cluster, served.type, '')
  const prefix = prefixFor(scope.cluster, served.type, selection.namespace)
  const watcherOptions = {
    served,
    selection,
    prefix,
    encoder,
    allowsBookmarks: options.allowBookmarks,
    endsAt: now + timeout,
  }
  let done: () => void = () => {}
  const ended = new Promise<void>((resolve) => (done = resolve))
  const ending: WatchSink = {
    ...forward(sink),
    end: () => {
      sink.end()
      done()
    },
  }
  let cursor = from
  const reader = new Watcher({ ...watcherOptions, sink: ending }, cursor, now)
  for (let until = scope.store.revision(); cursor < until; until = scope.store.revision()) {
    const lines: Buffer[] = []
    let read = 0
    for (const change of scope.store.changes(cursor, { limit: chunkSize, resource })) {
      cursor = change.revision
      read++
      const line = reader.encode(new WatchEvent(change))
      if (line !== undefined) lines.push(line)
    }
    if (read < chunkSize) cursor = until
    if (lines.length > 0 && !sink.write(Buffer.concat(lines))) await sink.drained()
    if (signal.aborted) return
  }
  // Nobody would hear of the end of a client that is gone already.
  if (signal.aborted) return
  const watcher = new Watcher({ ...watcherOptions, sink: ending }, cursor, now)
  const leave = hub.join(resource, watcher)
  const abort = (): void => watcher.end()
  signal.addEventListener('abort', abort, { once: true })
  try {
    await ended
  } finally {
    signal.removeEventListener('abort', abort)
    leave()
  }
}

function forward(sink: WatchSink): Omit<WatchSink, 'end'> {
  return { write: (chunk) => sink.write(chunk), buffered: () => sink.buffered(), drained: () => sink.drained() }
}
