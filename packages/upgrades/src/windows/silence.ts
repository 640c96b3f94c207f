import { formatTime, type Instant, parseTime } from '@windlass/core'
import { operatorName } from '../upgrade-config/names.ts'

export interface Matcher {
  readonly name: string
  readonly value: string
  readonly isRegex: boolean
}

/** A silence to be made, as Alertmanager takes it. */
export interface NewSilence {
  readonly createdBy: string
  readonly comment: string
  readonly matchers: readonly Matcher[]
  readonly startsAt: string
  readonly endsAt: string
}

/** A silence as Alertmanager lists it. Expired ones stay in the list for days. */
export interface Silence extends NewSilence {
  readonly id: string
  readonly updatedAt: string
  readonly status: { readonly state: 'active' | 'pending' | 'expired' }
}

/** Who made it tells whose it is: silences of people are never touched. */
export function isByUs({ createdBy }: Silence): boolean {
  return createdBy === operatorName
}

/** In force, or about to be. */
export function isLive({ status }: Silence): boolean {
  return status.state === 'active' || status.state === 'pending'
}

/** Clocks of two machines differ. */
const tolerance = 60_000

/** Whether a silence belongs to the attempt that began then. An expired one of an earlier attempt at the same version must not count for this one. */
export function isOfAttempt(silence: Silence, startTime: Instant): boolean {
  return isLive(silence) || (parseTime(silence.startsAt) ?? Number.NEGATIVE_INFINITY) >= startTime - tolerance
}

/** Alertmanager marks a silence that was deleted by ending it at the moment of its last change; one that ran out ended later than that. */
export function ranOut({ status, endsAt, updatedAt }: Silence): boolean {
  const ended = parseTime(endsAt)
  const updated = parseTime(updatedAt)
  return status.state === 'expired' && ended !== undefined && updated !== undefined && ended - updated > 1000
}

export function newSilence(comment: string, matchers: readonly Matcher[], now: Instant, end: Instant): NewSilence {
  return { createdBy: operatorName, comment, matchers, startsAt: formatTime(now), endsAt: formatTime(end) }
}

/** Whether any silence of ours is in force. */
export function hasActiveSilence(silences: readonly Silence[]): boolean {
  return silences.some((silence) => isByUs(silence) && silence.status.state === 'active')
}
