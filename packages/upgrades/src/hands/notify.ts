import type { UpgradeConfig } from '@windlass/api'
import type { ReconcileContext } from '@windlass/kube'
import { configSource, type OperatorConfig } from '../config/index.ts'
import type { Effect } from '../effects/index.ts'
import { valueOf } from '../metrics/series.ts'
import {
  decideNotification,
  gaugesAfter,
  type NotificationDecision,
  type NotificationState,
  recordSent,
  recordTakenOver,
} from '../notifications/index.ts'
import type { UpgradeParts } from '../parts.ts'
import { desiredVersion } from '../upgrade-config/history.ts'
import type { StoredUpgrade } from './stored-upgrade.ts'
import { tellOcm } from './tell-ocm.ts'

/** What it takes to tell somebody something. */
export interface Notifying {
  readonly parts: UpgradeParts
  readonly context: ReconcileContext
  readonly stored: StoredUpgrade
  readonly config: OperatorConfig
  /** By which id the cluster knows itself. */
  readonly clusterId: () => Promise<string>
}

type Notice = Extract<Effect, { readonly do: 'notify' }>
type Sending = Extract<NotificationDecision, { readonly is: 'send' }>

/**
 * Tells one thing, once. What was told is on record in the UpgradeConfig, which is read anew: another process may have told it a moment ago.
 *
 * Errors: what went wrong on the way, and with the record of it.
 */
export async function notifyOnce({ state, result, cause }: Notice, notifying: Notifying): Promise<void> {
  const { parts, context, stored } = notifying
  const { prometheus } = parts.outside
  const upgradeConfig = await stored.reread()
  const labels = {
    upgradeconfig_name: stored.current.metadata.name ?? '',
    event: state,
    version: desiredVersion(stored.current),
  }
  const isOnGauge = valueOf(parts.gauges.series, 'upgradeoperator_upgrade_notification', labels) === 1
  const occasion = { ...(result === undefined ? {} : { result }), ...(cause === undefined ? {} : { cause }) }
  const request = { state, upgradeConfig, isOnGauge, ...occasion }
  let decision = decideNotification(request)
  if (decision.is === 'ask') decision = decideNotification({ ...request, found: await prometheus.query(decision.query, context.signal) })
  switch (decision.is) {
    case 'nothing':
      return
    case 'record': {
      const { upgradeConfig: found } = decision
      await stored.patch((current) => recordTakenOver(current, decision.state))
      return showSent(found, decision.state, { isSent: true, hasResult: result !== undefined }, parts)
    }
    case 'send':
      return send(decision, result !== undefined, notifying)
    case 'failed':
      throw new Error(decision.problem)
    case 'ask':
      throw new Error(`whether ${state} has been told was asked, and is asked again`)
    default:
      return decision satisfies never
  }
}

async function send(sending: Sending, hasResult: boolean, notifying: Notifying): Promise<void> {
  const { parts, stored } = notifying
  const { upgradeConfig, state } = sending
  const show = (isSent: boolean): void => showSent(upgradeConfig, state, { isSent, hasResult }, parts)
  try {
    await tell(sending, notifying)
    await stored.patch((current) => recordSent(current, state, desiredVersion(upgradeConfig)))
  } catch (error) {
    show(false)
    throw error
  }
  show(true)
}

function showSent(
  upgradeConfig: UpgradeConfig,
  state: NotificationState,
  attempt: { readonly isSent: boolean; readonly hasResult: boolean },
  { gauges }: UpgradeParts,
): void {
  for (const effect of gaugesAfter(upgradeConfig, state, attempt)) if (effect.do === 'gauge') gauges.change(effect.change)
}

function tell(sending: Sending, notifying: Notifying): Promise<void> {
  const { context, config } = notifying
  if (configSource(config) === 'OCM') return tellOcm(sending, notifying)
  context.log.info({ state: sending.state }, sending.description)
  return Promise.resolve()
}
