import type { HostedCluster } from '@windlass/api'
import { findCondition, formatDuration, InvalidDurationError, parseDuration, parseTime } from '@windlass/core'
import type { Instant } from '@windlass/core'
import type { Verdict } from './verdict.ts'
import { Annotation } from './wire.ts'

/** How long a destroyed cluster stays, so that somebody can look at what is left of it in the infrastructure. */
export type GracePeriod =
  | { readonly is: 'over' }
  /** `destroyed` says since when; undefined when the cluster says so already. */
  | { readonly is: 'running'; readonly milliseconds: number; readonly destroyed: Verdict | undefined }
  | { readonly is: 'invalid'; readonly problem: string }

const over: GracePeriod = { is: 'over' }

/** Read only here, when a cluster is being deleted: a typing error must not keep a living one from being looked after. */
export function gracePeriod({ metadata, status }: HostedCluster, now: Instant): GracePeriod {
  const text = metadata.annotations?.[Annotation.destroyGracePeriod] ?? ''
  if (text === '') return over
  let period: number
  try {
    period = parseDuration(text)
  } catch (error) {
    if (!(error instanceof InvalidDurationError)) throw error
    return { is: 'invalid', problem: `annotation ${Annotation.destroyGracePeriod}: ${error.message}` }
  }
  if (period <= 0) return over
  const condition = findCondition(status?.conditions, 'HostedClusterDestroyed')
  if (condition?.status !== 'True') {
    const message = `Grace period set: ${formatDuration(period)}`
    return { is: 'running', milliseconds: period, destroyed: { status: 'True', reason: 'WaitingForGracePeriod', message } }
  }
  const left = period - (now - (parseTime(condition.lastTransitionTime) ?? now))
  return left > 0 ? { is: 'running', milliseconds: left, destroyed: undefined } : over
}
