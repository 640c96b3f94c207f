import { type Clock, formatTime } from '@windlass/core'

/** What a policy can be in. */
export const policyValues = ['pending', 'scheduled', 'started', 'delayed', 'failed', 'completed', 'cancelled'] as const
export type PolicyValue = (typeof policyValues)[number]

/** A cluster as OCM knows it. */
export interface OcmCluster {
  /** By which OCM knows it. */
  readonly id: string
  /** By which it knows itself. */
  readonly externalId: string
  /** What opens OCM for it: what its pull secret has for cloud.openshift.com. */
  readonly token: string
  readonly version: string
  readonly channelGroup?: string
  readonly gracePeriod?: { readonly value: number; readonly unit: string }
}

/** Nothing follows on these: the upgrade is over. */
export function isOver(value: PolicyValue): boolean {
  return value === 'completed' || value === 'cancelled'
}

/** An upgrade that OCM wants. */
export interface OcmPolicy {
  readonly id: string
  readonly clusterId: string
  readonly version: string
  /** When; RFC 3339. */
  readonly nextRun: string
  readonly scheduleType?: 'manual' | 'automatic'
  readonly capacityReservation?: boolean
}

export interface PolicyState {
  readonly value: PolicyValue
  readonly description: string
}

/** An entry of the service log, as it was posted. */
export interface StoredLog {
  readonly id: string
  readonly timestamp: string
  readonly entry: Readonly<Record<string, unknown>>
}

/** Something that OCM was told: `state p1 started`, in the order in which it came. */
export type Told =
  | { readonly is: 'state'; readonly policyId: string; readonly value: PolicyValue; readonly description: string }
  | { readonly is: 'log'; readonly clusterId: string; readonly summary: string; readonly description: string }

/** What OCM remembers. It outlives the servers in front of it, as a database does. */
export class OcmMemory {
  readonly #clock: Clock
  readonly #clusters = new Map<string, OcmCluster>()
  readonly #policies = new Map<string, OcmPolicy>()
  readonly #states = new Map<string, PolicyState>()
  /** Ends of upgrades that it was told and has not noticed, by policy; undefined before it was told. */
  readonly #overlooked = new Map<string, PolicyState | undefined>()
  readonly #logs: StoredLog[] = []
  readonly #told: Told[] = []
  #operations = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  register(cluster: OcmCluster): void {
    this.#clusters.set(cluster.id, cluster)
  }

  /** Forgets a cluster: from then on nobody has heard of it. */
  forget(id: string): void {
    this.#clusters.delete(id)
  }

  schedule(policy: OcmPolicy, state: PolicyState = { value: 'scheduled', description: 'Upgrade scheduled.' }): void {
    this.#policies.set(policy.id, policy)
    this.#states.set(policy.id, state)
  }

  /** What people do in the console: the upgrade is not wanted any more. */
  withdraw(policyId: string): void {
    this.#policies.delete(policyId)
    this.#states.delete(policyId)
  }

  /** From now on it does not notice that the upgrade has ended, whatever it is told, as the real one may take its time to. */
  overlookEnd(policyId: string): void {
    this.#overlooked.set(policyId, undefined)
  }

  /** It notices now. */
  noticeEnd(policyId: string): void {
    const state = this.#overlooked.get(policyId)
    this.#overlooked.delete(policyId)
    if (state !== undefined) this.#states.set(policyId, state)
  }

  get clusters(): readonly OcmCluster[] {
    return [...this.#clusters.values()]
  }

  cluster(id: string): OcmCluster | undefined {
    return this.#clusters.get(id)
  }

  policiesOf(clusterId: string): readonly OcmPolicy[] {
    return [...this.#policies.values()].filter((policy) => policy.clusterId === clusterId)
  }

  policy(id: string): OcmPolicy | undefined {
    return this.#policies.get(id)
  }

  stateOf(policyId: string): PolicyState | undefined {
    return this.#states.get(policyId)
  }

  /** Everything that was told from outside, in order. */
  get told(): readonly Told[] {
    return this.#told
  }

  tell(policyId: string, state: PolicyState): void {
    if (isOver(state.value) && this.#overlooked.has(policyId)) this.#overlooked.set(policyId, state)
    else this.#states.set(policyId, state)
    this.#told.push({ is: 'state', policyId, ...state })
  }

  post(entry: Readonly<Record<string, unknown>>): StoredLog {
    const stored = { id: `log-${this.#logs.length + 1}`, timestamp: formatTime(this.#clock.now()), entry }
    this.#logs.push(stored)
    const text = (field: string): string => (typeof entry[field] === 'string' ? entry[field] : '')
    this.#told.push({ is: 'log', clusterId: text('cluster_id'), summary: text('summary'), description: text('description') })
    return stored
  }

  /** Newest first. */
  logsOf(clusterId: string): readonly StoredLog[] {
    return this.#logs.filter(({ entry }) => entry['cluster_id'] === clusterId || entry['cluster_uuid'] === clusterId).toReversed()
  }

  /** The id under which a request is found in logs. */
  nextOperation(): string {
    this.#operations += 1
    return `operation-${this.#operations}`
  }
}
