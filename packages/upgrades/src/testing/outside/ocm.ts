import type { Instant } from '@windlass/core'
import type { ServiceLog, UpgradePolicy, UpgradePolicyState } from '../../notifications/index.ts'
import type { PolicyStateBody } from '../../outside/types.ts'
import type { OcmCluster } from '../../provider/index.ts'

export interface Told {
  readonly at: Instant
  /** `started`, or the summary of a service log. */
  readonly what: string
  readonly description: string
}

/** One cluster, its upgrade policies and its service log, as OCM keeps them. It remembers all that it was told. */
export class SimulatedOcm {
  readonly #now: () => Instant
  readonly told: Told[] = []
  readonly logs: ServiceLog[] = []
  cluster: OcmCluster
  policies: readonly UpgradePolicy[] = []
  readonly #states = new Map<string, UpgradePolicyState>()

  constructor(now: () => Instant, cluster: OcmCluster) {
    this.#now = now
    this.cluster = cluster
  }

  /** Somebody schedules an upgrade. */
  schedule(policy: UpgradePolicy, state: UpgradePolicyState = { value: 'scheduled' }): void {
    this.policies = [...this.policies.filter(({ id }) => id !== policy.id), policy]
    this.#states.set(policy.id, state)
  }

  cancel(policyId: string): void {
    this.policies = this.policies.filter(({ id }) => id !== policyId)
  }

  stateOf(policyId: string): UpgradePolicyState {
    const state = this.#states.get(policyId)
    if (state === undefined) throw new Error(`OCM answered with status 404: there is no upgrade policy ${policyId}`)
    return state
  }

  setState(policyId: string, { value, description }: PolicyStateBody): void {
    this.stateOf(policyId)
    this.#states.set(policyId, { value, description })
    this.told.push({ at: this.#now(), what: value, description })
  }

  post(log: ServiceLog): void {
    this.logs.push(log)
    this.told.push({ at: this.#now(), what: log.summary, description: log.description })
  }
}
