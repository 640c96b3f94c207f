import { formatTime, parseTime, tryParseVersion } from '@windlass/core'
import type { OperatorConfig } from '../config/index.ts'
import type { UpgradePolicy, UpgradePolicyState } from '../notifications/ocm.ts'
import type { Seen } from '../observed/seen.ts'
import type { UpgradeSpec } from './refresh.ts'

/** What OCM says about the cluster. */
export interface OcmCluster {
  readonly id: string
  readonly version?: { readonly id?: string; readonly channel_group?: string }
  readonly node_drain_grace_period?: { readonly value?: number; readonly unit?: string }
}

export interface PolicyView {
  readonly cluster: OcmCluster
  readonly policies: readonly UpgradePolicy[]
  /** States that have been read, by id of the policy. */
  readonly states: ReadonlyMap<string, Seen<UpgradePolicyState>>
  readonly config: OperatorConfig
}

export type PolicyDecision =
  | { readonly is: 'none' }
  | { readonly is: 'ask state'; readonly policyId: string }
  | { readonly is: 'spec'; readonly policyId: string; readonly spec: UpgradeSpec }
  | { readonly is: 'failed'; readonly problem: string }

const notActionable = new Set(['pending', 'completed', 'cancelled'])

/** The upgrade that OCM wants next: the earliest policy that has a version, a time, and a state in which there is something to do. */
export function decidePolicy({ cluster, policies, states, config }: PolicyView): PolicyDecision {
  const candidates = policies
    .flatMap((policy) => {
      const at = parseTime(policy.next_run)
      return at === undefined || (policy.version ?? '') === '' ? [] : [{ policy, at }]
    })
    .sort((a, b) => a.at - b.at || (a.policy.id < b.policy.id ? -1 : 1))
  for (const { policy, at } of candidates) {
    const state = states.get(policy.id)
    if (state === undefined) return { is: 'ask state', policyId: policy.id }
    if ('problem' in state)
      return { is: 'failed', problem: `could not retrieve the state of upgrade policy ${policy.id}: ${state.problem}` }
    if (notActionable.has(state.value.value.toLowerCase())) continue
    const version = policy.version ?? ''
    const channel = channelFor(version, cluster.version?.channel_group)
    if (channel === undefined) {
      return {
        is: 'failed',
        problem: `could not process provider upgrade policies: policy ${policy.id} wants ${JSON.stringify(version)}, which is no version`,
      }
    }
    const spec: UpgradeSpec = {
      desired: { version, channel },
      upgradeAt: formatTime(at),
      PDBForceDrainTimeout: graceMinutes(cluster.node_drain_grace_period),
      type: config.upgradeType === 'OSD' ? 'OSD' : 'ARO',
      ...(policy.capacity_reservation === false ? {} : { capacityReservation: true }),
    }
    return { is: 'spec', policyId: policy.id, spec }
  }
  return { is: 'none' }
}

/** The channel that offers a version to a group of clusters. Extended support exists for even minors only: an odd one is on the way to the next. */
export function channelFor(versionText: string, group = ''): string | undefined {
  const version = tryParseVersion(versionText)
  if (version === undefined) return undefined
  const { major, minor } = version
  const name = group === '' ? 'stable' : group
  return `${name}-${major}.${name === 'eus' && minor % 2 === 1 ? minor + 1 : minor}`
}

/** OCM counts in the unit it likes. */
export function graceMinutes({ value = 0, unit = '' }: NonNullable<OcmCluster['node_drain_grace_period']> = {}): number {
  if (unit === 'hours') return value * 60
  return unit === 'seconds' ? Math.ceil(value / 60) : value
}
