import type { Clock, Delays, Instant } from '@windlass/core'
import type { Ref } from '../client/client.ts'
import type { ReconcileInfo } from '../context.ts'
import type { Deadline } from './deadline.ts'

/** Thrown out of a reconcile that took too long. */
export class ReconcileTimeout extends Error {
  constructor(milliseconds: number) {
    super(`took longer than ${milliseconds / 1_000} s and was aborted: make the pass smaller, or raise the controller's timeout`)
    this.name = 'ReconcileTimeout'
  }
}

export interface PassOptions {
  readonly key: string
  readonly ref: Ref
  readonly info: ReconcileInfo
  readonly clock: Clock
  readonly timeout: number
  readonly deadlines: Delays<Deadline>
}

/** One look at one object, from its start until it is over or cut short. */
export class Pass implements Deadline {
  readonly key: string
  readonly ref: Ref
  readonly info: ReconcileInfo
  readonly startedAt: Instant
  readonly startedMonotonic: number
  readonly #timeout: number
  readonly #deadlines: Delays<Deadline>
  #controller: AbortController | undefined
  #cutShort: { readonly by: 'timeout' | 'stop'; readonly reason: unknown } | undefined

  due: number
  place = -1
  sequence = 0

  constructor({ key, ref, info, clock, timeout, deadlines }: PassOptions) {
    this.key = key
    this.ref = ref
    this.info = info
    this.startedAt = clock.now()
    this.startedMonotonic = clock.monotonic()
    this.due = this.startedMonotonic + timeout
    this.#timeout = timeout
    this.#deadlines = deadlines
  }

  /** What ended it before its time, if anything did. */
  get cutShortBy(): 'timeout' | 'stop' | undefined {
    return this.#cutShort?.by
  }

  /** Made when somebody wants it: most passes find nothing to do, and nothing of theirs can be aborted. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController()
      if (this.#cutShort === undefined) this.#deadlines.add(this)
      else this.#controller.abort(this.#cutShort.reason)
    }
    return this.#controller.signal
  }

  expire(): void {
    this.#cut('timeout', new ReconcileTimeout(this.#timeout))
  }

  stop(reason: unknown): void {
    this.#cut('stop', reason)
  }

  /** It is over: nothing can cut it short any more. */
  end(): void {
    this.#deadlines.remove(this)
  }

  #cut(by: 'timeout' | 'stop', reason: unknown): void {
    if (this.#cutShort !== undefined) return
    this.#cutShort = { by, reason }
    this.#controller?.abort(reason)
  }
}
