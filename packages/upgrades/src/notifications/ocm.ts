import type { UpgradeConfig } from '@windlass/api'
import { parseTime } from '@windlass/core'
import { isEnabled, type ConfigValues } from '../config/index.ts'
import type { Seen } from '../observed/seen.ts'
import { hasDone } from '../upgrade-config/conditions.ts'
import { desiredVersion, entryOf } from '../upgrade-config/history.ts'
import { Annotation } from '../upgrade-config/names.ts'
import { docReferences, isServiceLog, type NotificationState, notificationStates, type PolicyState, transitions } from './states.ts'

/** What OCM knows of an upgrade that it wants. */
export interface UpgradePolicy {
  readonly id: string
  readonly version?: string
  readonly next_run?: string
  readonly capacity_reservation?: boolean
}

export interface UpgradePolicyState {
  readonly value: string
  readonly description?: string
}

/** An entry of OCM's service log, but for the cluster that it is about. */
export interface ServiceLog {
  readonly kind: 'LogEntry'
  readonly severity: 'Info'
  readonly service_name: 'RedHat Managed Upgrade Notifications'
  readonly log_type: 'Cluster Updates'
  readonly summary: string
  readonly description: string
  readonly internal_only: false
  readonly doc_references?: readonly string[]
}

export interface OcmNotification {
  readonly state: NotificationState
  readonly description: string
  readonly upgradeConfig: UpgradeConfig
  readonly config: ConfigValues
  /** Looked up when asked for. */
  readonly policies?: Seen<readonly UpgradePolicy[]>
  readonly policyState?: Seen<UpgradePolicyState>
}

export type OcmDecision =
  /** Nothing to send, and that is fine; it counts as sent. */
  | { readonly is: 'nothing'; readonly why: string }
  | { readonly is: 'service log'; readonly log: ServiceLog }
  | { readonly is: 'ask policies' }
  | { readonly is: 'ask state'; readonly policyId: string }
  | {
      readonly is: 'set state'
      readonly policyId: string
      readonly body: { readonly kind: 'UpgradePolicyState'; readonly value: string; readonly description: string }
    }
  | { readonly is: 'failed'; readonly problem: string }

/** How a notification is told to OCM: as a service log, or as a state of the policy that the upgrade came from, if that may go there. */
export function decideOcm({ state, description, upgradeConfig, config, policies, policyState }: OcmNotification): OcmDecision {
  if (isServiceLog(state)) {
    if (!isEnabled(config, 'ServiceLogNotification')) return { is: 'nothing', why: 'the gate ServiceLogNotification is off' }
    return { is: 'service log', log: serviceLog(state, description) }
  }
  if (policies === undefined) return { is: 'ask policies' }
  if ('problem' in policies) return { is: 'failed', problem: policies.problem }
  const policy = policyOf(upgradeConfig, policies.value)
  if (policy === undefined) {
    if (isUnderWay(upgradeConfig)) return { is: 'nothing', why: 'its policy was withdrawn after the update had commenced' }
    const problem = `no upgrade policy of OCM is for version ${desiredVersion(upgradeConfig)} at ${upgradeConfig.spec.upgradeAt}: ${state} cannot be told`
    return { is: 'failed', problem }
  }
  if (policyState === undefined) return { is: 'ask state', policyId: policy.id }
  if ('problem' in policyState) return { is: 'failed', problem: policyState.problem }
  const from = stateOf(policyState.value)
  if (from === undefined)
    return { is: 'failed', problem: `upgrade policy ${policy.id} is in a state that nobody knows: ${policyState.value.value}` }
  if (!transitions[from].includes(state)) return { is: 'nothing', why: `a policy that is in ${from} is not told ${state}` }
  const told = notificationStates[state]
  const value = 'policy' in told ? told.policy : ''
  return { is: 'set state', policyId: policy.id, body: { kind: 'UpgradePolicyState', value, description } }
}

/** There is no way back: an upgrade whose policy is withdrawn now is seen through, and nobody in OCM waits to hear of it. */
function isUnderWay(upgradeConfig: UpgradeConfig): boolean {
  const entry = entryOf(upgradeConfig)
  return entry !== undefined && hasDone(entry, 'UpgradeCommenced')
}

/** The policy that the UpgradeConfig says it came from, or the one of the same version and moment. */
export function policyOf({ metadata, spec }: UpgradeConfig, policies: readonly UpgradePolicy[]): UpgradePolicy | undefined {
  const id = metadata.annotations?.[Annotation.policyId]
  const at = parseTime(spec.upgradeAt)
  return (
    policies.find((policy) => policy.id === id) ??
    policies.find(({ version, next_run }) => at !== undefined && version === spec.desired.version && parseTime(next_run) === at)
  )
}

const policyStates: Readonly<Record<string, PolicyState>> = {
  pending: 'StatePending',
  scheduled: 'StateScheduled',
  started: 'StateStarted',
  completed: 'StateCompleted',
  failed: 'StateFailed',
  cancelled: 'StateCancelled',
}

/** What a policy is in. A delay and a skip are both `delayed` there; only their texts differ. */
export function stateOf({ value, description = '' }: UpgradePolicyState): PolicyState | undefined {
  if (value === 'delayed') return description.includes('retry') ? 'StateDelayed' : 'StateSkipped'
  return Object.hasOwn(policyStates, value) ? policyStates[value] : undefined
}

function serviceLog(state: NotificationState, description: string): ServiceLog {
  const told = notificationStates[state]
  const references = docReferences[state]
  return {
    kind: 'LogEntry',
    severity: 'Info',
    service_name: 'RedHat Managed Upgrade Notifications',
    log_type: 'Cluster Updates',
    summary: 'summary' in told ? told.summary : state,
    description,
    internal_only: false,
    ...(references === undefined ? {} : { doc_references: references }),
  }
}
