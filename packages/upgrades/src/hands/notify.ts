import type { ReconcileContext } from '@windlass/kube'
import { configSource, type OperatorConfig } from '../config/index.ts'
import type { Effect } from '../effects/index.ts'
import { valueOf } from '../metrics/series.ts'
import { decideNotification, gaugesAfter, type NotificationDecision, recordSent } from '../notifications/index.ts'
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
  const show = (isSent: boolean): void => {
    for (const effect of gaugesAfter(upgradeConfig, state, { isSent, hasResult })) {
      if (effect.do === 'gauge') parts.gauges.change(effect.change)
    }
  }
  try {
    await tell(sending, notifying)
    await stored.patch((current) => recordSent(current, state))
  } catch (error) {
    show(false)
    throw error
  }
  show(true)
}

function tell(sending: Sending, notifying: Notifying): Promise<void> {
  const { context, config } = notifying
  if (configSource(config) === 'OCM') return tellOcm(sending, notifying)
  context.log.info({ state: sending.state }, sending.description)
  return Promise.resolve()
}
