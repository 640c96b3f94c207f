export interface ElectionTiming {
  /** How long others leave a lease alone that nobody renews. */
  readonly leaseDuration: number
  /** How long a leader goes on without having renewed its lease. */
  readonly renewDeadline: number
  /** How often a leader renews it, and others look whether they can have it. */
  readonly retryPeriod: number
}

/** Those that look wait up to so many times longer than the period, so that they do not all look at once. */
export const jitter = 1.2

export const usualTiming: ElectionTiming = { leaseDuration: 15_000, renewDeadline: 10_000, retryPeriod: 2000 }

/** A leader must have stopped before others may begin, and must have had more than one try to renew. */
export function checkTiming({ leaseDuration, renewDeadline, retryPeriod }: ElectionTiming): void {
  if (!(leaseDuration > renewDeadline)) {
    throw new RangeError(
      `leaseDuration (${leaseDuration} ms) must be longer than renewDeadline (${renewDeadline} ms): a leader has to stop before others may begin`,
    )
  }
  if (!(renewDeadline > retryPeriod * jitter)) {
    throw new RangeError(
      `renewDeadline (${renewDeadline} ms) must be longer than ${jitter} times retryPeriod (${retryPeriod} ms): one failed renewal must not end a leadership`,
    )
  }
  if (!(retryPeriod > 0)) throw new RangeError(`retryPeriod (${retryPeriod} ms) must be more than 0`)
}
