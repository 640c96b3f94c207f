import type { Cancel, Clock } from '@windlass/core'
import { LinkedAbort } from '../transport/abort.ts'
import { LeadershipLost } from './errors.ts'

export interface TermOptions {
  readonly clock: Clock
  /** `namespace/name` of the lease, for messages. */
  readonly lease: string
  readonly renewDeadline: number
  /** Aborts what is led too, with its own reason, while the lease is still held. */
  readonly signal: AbortSignal
  readonly onLost: (lost: LeadershipLost) => void
}

/** One stretch of leadership. It ends by itself when it is not renewed in time. */
export class Term {
  readonly #options: TermOptions
  readonly #led: LinkedAbort
  readonly #renewing = new LinkedAbort()
  #validUntil = 0
  #cancel: Cancel = () => {}
  #problem: Error | undefined
  #lost: LeadershipLost | undefined

  /** `since`: on the monotonic clock, before the lease was asked for. */
  constructor(options: TermOptions, since: number) {
    this.#options = options
    this.#led = new LinkedAbort(options.signal)
    this.renewed(since)
  }

  /** For what is led. */
  get led(): AbortSignal {
    return this.#led.signal
  }

  /** Aborted when there is nothing to renew any more. */
  get renewing(): AbortSignal {
    return this.#renewing.signal
  }

  get lost(): LeadershipLost | undefined {
    return this.#lost
  }

  /** By the clock: a timer may be late. */
  get isValid(): boolean {
    return this.#options.clock.monotonic() < this.#validUntil
  }

  renewed(since: number): void {
    const { clock, renewDeadline } = this.#options
    this.#cancel()
    this.#problem = undefined
    this.#validUntil = since + renewDeadline
    this.#cancel = clock.after(this.#validUntil - clock.monotonic(), () => this.#expire())
  }

  /** Remembered for the message, should it be the last. */
  notRenewed(problem: unknown): void {
    this.#problem = problem instanceof Error ? problem : new Error(String(problem))
  }

  /** Stops what is led at once, and for good. */
  lose(why: string, cause?: Error): void {
    if (this.#renewing.signal.aborted) return
    this.end()
    this.#lost = new LeadershipLost(this.#options.lease, why, cause === undefined ? {} : { cause })
    this.#led.abort(this.#lost)
    this.#options.onLost(this.#lost)
  }

  /** What was led has ended. */
  end(): void {
    this.#cancel()
    this.#validUntil = 0
    this.#led.release()
    this.#renewing.abort(new Error('the lease is not renewed any more'))
  }

  #expire(): void {
    const problem = this.#problem
    const why = `it was not renewed for ${this.#options.renewDeadline / 1000} s`
    this.lose(problem === undefined ? why : `${why}: ${problem.message}`, problem)
  }
}
