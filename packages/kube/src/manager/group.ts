import type { Clock } from '@windlass/core'
import type { Log } from '../log.ts'
import { LinkedAbort } from '../transport/abort.ts'
import type { Runnable } from './runnable.ts'

export interface GroupOptions {
  readonly clock: Clock
  readonly log: Log
  /** One of them cannot go on. Called once for each that fails before it was told to stop. */
  readonly onFailure: (runnable: Runnable, error: unknown) => void
}

/** Things that start together and stop together. */
export class RunnableGroup {
  readonly #options: GroupOptions
  readonly #members: Runnable[] = []
  readonly #running = new Map<Runnable, Promise<void>>()
  readonly #stop = new LinkedAbort()
  #isStarted = false

  constructor(options: GroupOptions) {
    this.#options = options
  }

  get members(): readonly Runnable[] {
    return this.#members
  }

  /** Those that have not ended. */
  get running(): readonly string[] {
    return Array.from(this.#running.keys(), ({ name }) => name)
  }

  /** One that comes late is started at once. */
  add(runnable: Runnable): void {
    this.#members.push(runnable)
    if (this.#isStarted) this.#run(runnable)
  }

  start(): void {
    this.#isStarted = true
    for (const runnable of this.#members) this.#run(runnable)
  }

  /** Tells all to stop and waits for them, but not longer than so many milliseconds. Returns the names of those that still run. */
  async stop(reason: Error, milliseconds: number): Promise<readonly string[]> {
    this.#stop.abort(reason)
    if (this.#running.size === 0) return []
    const patience = new LinkedAbort()
    const ended = Promise.all(this.#running.values())
    await Promise.race([ended, this.#options.clock.sleep(Math.max(0, milliseconds), patience.signal).catch(() => {})])
    patience.abort(new Error('all have ended'))
    return this.running
  }

  #run(runnable: Runnable): void {
    const { signal } = this.#stop
    if (signal.aborted) return
    this.#running.set(runnable, this.#follow(runnable, signal))
  }

  async #follow(runnable: Runnable, signal: AbortSignal): Promise<void> {
    const { log, onFailure } = this.#options
    try {
      await runnable.run(signal)
      log.debug({ runnable: runnable.name }, signal.aborted ? 'stopped' : 'ended')
    } catch (error) {
      if (!signal.aborted) onFailure(runnable, error)
      else if (error !== signal.reason) log.warn({ err: error, runnable: runnable.name }, 'failed while it stopped')
    } finally {
      this.#running.delete(runnable)
    }
  }
}
