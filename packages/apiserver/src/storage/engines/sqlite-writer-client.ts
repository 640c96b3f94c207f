import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Answer, Request, WriterOptions } from './sqlite-schema.ts'

/** Talks to the writer's thread, one request at a time. */
export class SqliteWriter {
  readonly #worker: Worker
  #waiting: PromiseWithResolvers<void> | undefined
  #ended: Error | undefined

  private constructor(worker: Worker) {
    this.#worker = worker
    worker.on('message', ({ error }: Answer) => this.#settle(error === undefined ? undefined : new Error(error)))
    worker.on('error', (error) => this.#end(error instanceof Error ? error : new Error(String(error))))
    worker.on('exit', () => this.#end(new Error('the thread that writes has ended')))
  }

  /** Resolves when the database is open and its tables are there. */
  static async start(options: WriterOptions): Promise<SqliteWriter> {
    const writer = new SqliteWriter(new Worker(new URL('./sqlite-writer.ts', import.meta.url), { workerData: options }))
    await writer.#answer()
    return writer
  }

  async request(request: Request, transfer: readonly ArrayBuffer[] = []): Promise<void> {
    if (this.#ended !== undefined) throw this.#ended
    this.#worker.postMessage(request, transfer)
    await this.#answer()
  }

  async close(): Promise<void> {
    if (this.#ended !== undefined) return
    const ended = once(this.#worker, 'exit')
    try {
      await this.request({ type: 'close' })
    } finally {
      this.#worker.ref()
      await ended
    }
  }

  /** An idle store does not keep the process running; one that is being written does. */
  async #answer(): Promise<void> {
    this.#worker.ref()
    this.#waiting = Promise.withResolvers()
    await this.#waiting.promise
    this.#worker.unref()
  }

  #end(error: Error): void {
    this.#ended ??= error
    this.#settle(this.#ended)
  }

  #settle(error: Error | undefined): void {
    const waiting = this.#waiting
    this.#waiting = undefined
    if (error === undefined) waiting?.resolve()
    else waiting?.reject(error)
  }
}
