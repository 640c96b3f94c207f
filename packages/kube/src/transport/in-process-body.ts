import { abortReason, type LinkedAbort } from './abort.ts'
import { ChunkQueue } from './chunk-queue.ts'
import type { InProcessResponse, InProcessSink } from './in-process.ts'
import { ConnectionError } from './transport.ts'

const nothing = Buffer.alloc(0)

/** All of it at once. */
export function wholeBody({ body, release }: InProcessResponse): Buffer {
  try {
    if (body === undefined) return nothing
    return Buffer.isBuffer(body) ? body : Buffer.concat([...body])
  } catch (problem) {
    throw brokenOff(problem)
  } finally {
    release?.()
  }
}

/** A body that is made while it is read. Released when it was read, when the reader leaves and when the request is aborted. */
export function pieces(
  { body = nothing, release }: InProcessResponse,
  { signal }: LinkedAbort,
  end: () => void,
): AsyncIterableIterator<Buffer> {
  const source = (Buffer.isBuffer(body) ? [body] : body)[Symbol.iterator]()
  let isOver = false
  const finish = (): void => {
    if (isOver) return
    isOver = true
    signal.removeEventListener('abort', finish)
    source.return?.()
    release?.()
    end()
  }
  signal.addEventListener('abort', finish, { once: true })
  return {
    next() {
      if (signal.aborted) return Promise.reject(abortReason(signal))
      try {
        const result = source.next()
        if (result.done !== true) return Promise.resolve(result)
        finish()
        return Promise.resolve({ done: true, value: undefined })
      } catch (problem) {
        finish()
        return Promise.reject(brokenOff(problem))
      }
    },
    return() {
      finish()
      return Promise.resolve({ done: true, value: undefined })
    },
    [Symbol.asyncIterator]() {
      return this
    },
  }
}

type WatchInto = NonNullable<InProcessResponse['watch']>

/** A watch as bytes to be read; `end` is called when it is over. */
export function watchedChunks(watch: WatchInto, abort: LinkedAbort, end: () => void): AsyncIterable<Buffer> {
  const waiting: (() => void)[] = []
  const drained = (): void => {
    for (const resolve of waiting.splice(0)) resolve()
  }
  const queue = new ChunkQueue({
    onDrained: drained,
    onLeft: () => abort.abort(new ConnectionError('the reader of the watch has left', '')),
  })
  const onAbort = (): void => {
    queue.abort(abortReason(abort.signal))
    drained()
  }
  abort.signal.addEventListener('abort', onAbort, { once: true })
  const sink: InProcessSink = {
    write: (chunk) => queue.push(chunk),
    buffered: () => queue.buffered,
    drained: () => (queue.buffered === 0 || !queue.isOpen ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    end: () => queue.end(),
  }
  const finish = (close: () => void): void => {
    abort.signal.removeEventListener('abort', onAbort)
    close()
    end()
  }
  watch(sink, abort.signal).then(
    () => finish(() => queue.end()),
    (problem: unknown) => finish(() => queue.fail(brokenOff(problem))),
  )
  return queue
}

/** All of a watch at once, for who asks for it in this way: it takes until the server ends it. */
export async function watchedBody(watch: WatchInto, abort: LinkedAbort): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of watchedChunks(watch, abort, () => {})) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Half an answer is none, as on a network. */
function brokenOff(problem: unknown): ConnectionError {
  return new ConnectionError(`the answer broke off: ${problem instanceof Error ? problem.message : String(problem)}`, '', {
    cause: problem,
  })
}
