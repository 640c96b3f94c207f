/** The reason for the abort of what was led, and what the elector rejects with: this process must not act any more. */
export class LeadershipLost extends Error {
  /** `namespace/name` of the lease. */
  readonly lease: string

  constructor(lease: string, why: string, options?: ErrorOptions) {
    super(`lost the lease ${lease}: ${why}`, options)
    this.name = 'LeadershipLost'
    this.lease = lease
  }
}

/**
 * Thrown by what is led when parts of it were told to stop and did not. The lease is not released then, because they may still act; it
 * runs out by itself.
 */
export class StillRunning extends Error {
  readonly names: readonly string[]

  constructor(names: readonly string[], milliseconds: number) {
    super(`did not stop within ${milliseconds / 1000} s: ${names.join(', ')}`)
    this.name = 'StillRunning'
    this.names = names
  }
}
