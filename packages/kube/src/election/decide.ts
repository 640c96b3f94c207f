import type { Lease } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { microTime } from '../micro-time.ts'

export type LeaseSpec = NonNullable<Lease['spec']>

/** Who asks. */
export interface Candidate {
  readonly identity: string
  /** What was led has not been stopped. */
  readonly isLeading: boolean
  /** In milliseconds: for leases of its own, and for those that do not say how long they last. */
  readonly leaseDuration: number
}

/** The lease, and since when it has been like that. */
export interface Sighting {
  /** As it was when it was there last; undefined when it never was. */
  readonly lease: Lease | undefined
  /**
   * When this candidate saw it change, on its own monotonic clock. The times in a lease are somebody else's: that clock may be wrong, and may have
   * jumped since.
   */
  readonly changedAt: number
}

export type LeaseDecision =
  | { readonly do: 'acquire'; readonly spec: LeaseSpec }
  | { readonly do: 'renew'; readonly spec: LeaseSpec }
  | { readonly do: 'wait'; readonly milliseconds: number; readonly holder: string }
  | { readonly do: 'lost'; readonly holder: string }

/**
 * What to do about a lease.
 *
 * | the lease is held by | and | then |
 * |---|---|---|
 * | nobody | | acquire it |
 * | ourselves | | renew it |
 * | somebody else | we lead | it is lost |
 * | somebody else | who may still lead | wait until they cannot |
 * | somebody else | who cannot lead any more | acquire it |
 *
 * A lease that has been deleted counts as it was last: whoever held it may not have noticed, and leads.
 */
export function decideLease({ lease, changedAt }: Sighting, self: Candidate, now: Instant, monotonic: number): LeaseDecision {
  const { holderIdentity: holder = '', leaseDurationSeconds } = lease?.spec ?? {}
  if (holder === self.identity) return { do: 'renew', spec: renewed(lease?.spec ?? {}, self, now) }
  if (holder === '') return { do: 'acquire', spec: acquired(lease, self, now) }
  if (self.isLeading) return { do: 'lost', holder }
  // The holder's own idea of how long it lasts: replicas of two releases may have been configured differently.
  const duration = leaseDurationSeconds === undefined ? self.leaseDuration : leaseDurationSeconds * 1000
  const remaining = changedAt + duration - monotonic
  return remaining > 0 ? { do: 'wait', milliseconds: remaining, holder } : { do: 'acquire', spec: acquired(lease, self, now) }
}

/** Given up: whoever looks next may take it at once. */
export function released(spec: LeaseSpec, now: Instant): LeaseSpec {
  const time = microTime(now)
  return { ...spec, holderIdentity: '', leaseDurationSeconds: 1, acquireTime: time, renewTime: time }
}

function renewed(spec: LeaseSpec, self: Candidate, now: Instant): LeaseSpec {
  return { ...spec, leaseDurationSeconds: seconds(self), renewTime: microTime(now) }
}

function acquired(lease: Lease | undefined, self: Candidate, now: Instant): LeaseSpec {
  const time = microTime(now)
  return {
    ...lease?.spec,
    holderIdentity: self.identity,
    leaseDurationSeconds: seconds(self),
    acquireTime: time,
    renewTime: time,
    leaseTransitions: lease === undefined ? 0 : (lease.spec?.leaseTransitions ?? 0) + 1,
  }
}

function seconds({ leaseDuration }: Candidate): number {
  return Math.ceil(leaseDuration / 1000)
}
