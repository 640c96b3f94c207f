import type { Clock } from '@windlass/core'
import type { CacheReader } from '../cache/cache.ts'
import type { Ref } from '../client/client.ts'
import type { Source } from './definition.ts'

/** Looks at these objects every so many milliseconds, for the first time after the first such span. */
export function every(milliseconds: number, refs: (cache: CacheReader) => Iterable<Ref>): Source {
  return async function* ({ clock, cache, signal }) {
    for (;;) {
      await clock.sleep(milliseconds, signal)
      yield* refs(cache)
    }
  }
}

export interface SourceContext {
  readonly clock: Clock
  readonly cache: CacheReader
  readonly signal: AbortSignal
}

/**
 * Listens to all sources until the signal is aborted. A source may end before; when one fails, the others are told to end, and its error is
 * thrown.
 */
export async function runSources(
  sources: readonly Source[],
  { clock, cache, signal }: SourceContext,
  onRef: (ref: Ref) => void,
): Promise<void> {
  const stop = new AbortController()
  const onAbort = (): void => stop.abort(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) onAbort()
  const aborted = new Promise<void>((resolve) => {
    if (stop.signal.aborted) resolve()
    else stop.signal.addEventListener('abort', () => resolve(), { once: true })
  })
  let failure: { readonly error: unknown } | undefined
  const listen = async (source: Source): Promise<void> => {
    try {
      for await (const ref of source({ clock, cache, signal: stop.signal })) onRef(ref)
    } catch (error) {
      // One that waits is woken by the signal's reason.
      if (stop.signal.aborted) return
      failure = { error }
      stop.abort(error)
    }
  }
  await Promise.all([aborted, ...sources.map(listen)])
  signal.removeEventListener('abort', onAbort)
  if (failure !== undefined) throw failure.error
}
