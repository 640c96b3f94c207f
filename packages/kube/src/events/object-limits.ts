import { Recent } from '../plan/recent.ts'

/** How many events about one object may come at once. */
const burst = 25
/** How long until one more may. */
const refill = 300_000
/** Of so many objects it is remembered how much was said about them. */
const objects = 16_384

interface Bucket {
  tokens: number
  /** Monotonic. */
  filledAt: number
}

/** Keeps an object that goes wrong over and over from filling the server with events. */
export class ObjectLimits {
  readonly #buckets = new Recent<Bucket>(objects)

  /** Whether there may be another event about the object now. */
  take(object: string, now: number): boolean {
    let bucket = this.#buckets.get(object)
    if (bucket === undefined) this.#buckets.set(object, (bucket = { tokens: burst, filledAt: now }))
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.filledAt) / refill)
    bucket.filledAt = now
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }
}
