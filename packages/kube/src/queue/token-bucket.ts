export interface TokenBucketOptions {
  /** 10 unless told. */
  readonly perSecond?: number
  /** How much may happen at once after a quiet time; 100 unless told. */
  readonly burst?: number
}

/** Lets so much happen in a second, and a burst now and then. */
export class TokenBucket {
  readonly #perMillisecond: number
  readonly #burst: number
  #tokens: number
  #filledAt = 0

  constructor({ perSecond = 10, burst = 100 }: TokenBucketOptions = {}) {
    this.#perMillisecond = perSecond / 1_000
    this.#burst = burst
    this.#tokens = burst
  }

  /** Takes a token, and says how many milliseconds from `now` (monotonic) it is there. Those who come later wait longer. */
  take(now: number): number {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#filledAt) * this.#perMillisecond) - 1
    this.#filledAt = now
    return this.#tokens >= 0 ? 0 : -this.#tokens / this.#perMillisecond
  }
}
