import type { UpgradeConfig } from '@windlass/api'
import { type Effect, gauge } from '../effects/effect.ts'
import { setGauge } from '../metrics/series.ts'
import { type Labels, promqlString } from '../observed/prometheus.ts'
import type { Seen } from '../observed/seen.ts'
import { desiredVersion } from '../upgrade-config/history.ts'
import { describeState, type Occasion } from './descriptions.ts'
import { isTakenOver, wasSent } from './sent-record.ts'
import { isNotificationState, type NotificationState } from './states.ts'

/** What is known about a notification that somebody wants sent. */
export interface NotificationRequest extends Omit<Occasion, 'upgradeConfig'> {
  readonly state: string
  /** Read anew; undefined when there is none. */
  readonly upgradeConfig: UpgradeConfig | undefined
  /** Whether our own gauge says that it has been sent. */
  readonly isOnGauge: boolean
  /** What the query of `sentQuery` found, once it was asked. */
  readonly found?: Seen<readonly Labels[]>
}

export type NotificationDecision =
  | { readonly is: 'nothing'; readonly why: string }
  /** Another operator may have sent it before we took over: the monitoring remembers. */
  | { readonly is: 'ask'; readonly query: string }
  /** It has: from now on that is on our own record, and nobody is asked again. */
  | { readonly is: 'record'; readonly state: NotificationState; readonly upgradeConfig: UpgradeConfig }
  | { readonly is: 'send'; readonly state: NotificationState; readonly description: string; readonly upgradeConfig: UpgradeConfig }
  | { readonly is: 'failed'; readonly problem: string }

/** Whether to send, and what. Once for each UpgradeConfig, version and state. */
export function decideNotification(request: NotificationRequest): NotificationDecision {
  const { upgradeConfig, state, isOnGauge, found } = request
  if (upgradeConfig === undefined) return { is: 'nothing', why: 'the UpgradeConfig is gone' }
  if (!isNotificationState(state)) return { is: 'failed', problem: `the notification ${state} is not yet implemented` }
  if (isOnGauge || wasSent(upgradeConfig, state)) return { is: 'nothing', why: `${state} has been sent` }
  if (isTakenOver(upgradeConfig)) {
    if (found === undefined) return { is: 'ask', query: sentQuery(upgradeConfig, state) }
    // An error counts as "not sent": to say something twice is better than not at all.
    if ('value' in found && found.value.length > 0) return { is: 'record', state, upgradeConfig }
  }
  return { is: 'send', state, upgradeConfig, description: describeState(state, { ...request, upgradeConfig }) }
}

export function sentQuery(upgradeConfig: UpgradeConfig, state: NotificationState): string {
  const [name, event, version] = [upgradeConfig.metadata.name ?? '', state, desiredVersion(upgradeConfig)].map(promqlString)
  return `upgradeoperator_upgrade_notification{upgradeconfig_name=${name},event=${event},version=${version}}`
}

/** What the gauges say after an attempt. An attempt that carries a result does not count as failed there; its step does. */
export function gaugesAfter(
  { metadata, spec }: UpgradeConfig,
  state: NotificationState,
  attempt: { readonly isSent: boolean; readonly hasResult: boolean },
): readonly Effect[] {
  const upgradeconfig_name = metadata.name ?? ''
  const failed = (value: 0 | 1): Effect => gauge(setGauge('upgrade_notification_failed', { upgradeconfig_name, event: state }, value))
  if (!attempt.isSent) return attempt.hasResult ? [] : [failed(1)]
  const version = spec.desired.version ?? ''
  return [failed(0), gauge(setGauge('upgradeoperator_upgrade_notification', { upgradeconfig_name, event: state, version }, 1))]
}
