import type { UpgradeConfig } from '@windlass/api'
import type { ConfigSource, OperatorConfig } from '../config/index.ts'
import type { UpgradePolicyState } from '../notifications/ocm.ts'
import { type Seen, seen, unseen } from '../observed/seen.ts'
import type { Ocm, OcmAddress, Outside } from '../outside/types.ts'
import { localSpecs } from './local.ts'
import { decidePolicy } from './ocm-policies.ts'
import type { UpgradeSpec } from './refresh.ts'

/** What a provider wants, and which policy of OCM says so. */
export interface Wanted {
  readonly specs: readonly UpgradeSpec[]
  readonly policyId?: string
}

export interface WantedOptions {
  readonly source: ConfigSource
  readonly config: OperatorConfig
  /** The one that is there. */
  readonly upgradeConfig: UpgradeConfig | undefined
  readonly clusterId: string
  readonly outside: Pick<Outside, 'ocm'>
  readonly signal: AbortSignal
}

/** Asks the provider. That it cannot say is not the same as that it wants nothing: an upgrade is not called off because OCM is away. */
export async function wantedSpecs({ source, config, upgradeConfig, clusterId, outside, signal }: WantedOptions): Promise<Seen<Wanted>> {
  if (source === 'LOCAL') return seen({ specs: localSpecs(upgradeConfig) })
  const address: OcmAddress = { baseUrl: config['configManager.ocmBaseUrl'], clusterId }
  return wantedByOcm(outside.ocm(address), config, signal)
}

async function wantedByOcm(ocm: Ocm, config: OperatorConfig, signal: AbortSignal): Promise<Seen<Wanted>> {
  const answer = await ocm.cluster(signal)
  if (answer.is !== 'found') return unseen(answer.problem)
  const { cluster } = answer
  const policies = await ocm.policies(cluster.id, signal)
  if ('problem' in policies) return unseen(policies.problem)
  const states = new Map<string, Seen<UpgradePolicyState>>()
  // One state more is known after each round, so that it ends.
  for (;;) {
    const decision = decidePolicy({ cluster, policies: policies.value, states, config })
    switch (decision.is) {
      case 'none':
        return seen({ specs: [] })
      case 'spec':
        return seen({ specs: [decision.spec], policyId: decision.policyId })
      case 'failed':
        return unseen(decision.problem)
      case 'ask state':
        states.set(decision.policyId, await ocm.policyState(cluster.id, decision.policyId, signal))
        break
      default:
        return decision satisfies never
    }
  }
}
