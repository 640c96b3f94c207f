/** A moment, in milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** Stops a timer that has not fired yet; does nothing to one that has. */
export type Cancel = () => void

/**
 * The only way to learn the time or to wait. Everything that needs either takes a Clock, so that the same code runs in real
 * time and in virtual time.
 */
export interface Clock {
  /** Wall-clock time. May jump. */
  now(): Instant
  /** Milliseconds from an arbitrary start; never goes back. For measuring. */
  monotonic(): number
  /** Calls `fire` once, `milliseconds` from now. */
  after(milliseconds: number, fire: () => void): Cancel
  /** Resolves after `milliseconds`; rejects with the signal's reason when it is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>
}
