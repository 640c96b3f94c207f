import type { capi, HostedCluster, Secret } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { controlPlaneNamespaceOf, type Lookup, type Pause, pauseOf } from '../hosted-cluster/index.ts'
import { poolKeyOf } from './names.ts'
import type { ObservedNodePool } from './observed.ts'
import type { NodePoolSettings } from './settings.ts'
import { type Deferred, type Target, targetOf } from './target.ts'

/** What was observed of a pool whose cluster is there, and what follows from it for the whole pass. */
export interface Seen extends ObservedNodePool {
  readonly cluster: HostedCluster
  readonly settings: NodePoolSettings
  readonly now: Instant
  /** Of the pool. */
  readonly name: string
  /** `<namespace>/<name>` of the pool. */
  readonly key: string
  /** Where the control plane, the machines and their Secrets are. */
  readonly namespace: string
  readonly pause: Pause
  /** Worked out when it is first asked for, and once. */
  readonly target: () => Lookup<Target | Deferred>
}

export function look(observed: ObservedNodePool, cluster: HostedCluster, settings: NodePoolSettings, now: Instant): Seen {
  const { pool } = observed
  let target: Lookup<Target | Deferred> | undefined
  const seen = {
    ...observed,
    cluster,
    settings,
    now,
    name: pool.metadata.name ?? '',
    key: poolKeyOf(pool),
    namespace: controlPlaneNamespaceOf(cluster),
    pause: pauseOf(pool.spec.pausedUntil, now),
  }
  return { ...seen, target: () => (target ??= targetOf(seen)) }
}

/** The hash of what the pool asks for, which its Secrets are named by; undefined when it cannot be worked out, or no node can become that. */
export function expectedHashOf(observed: ObservedNodePool, settings: NodePoolSettings, now: Instant): string | undefined {
  if (observed.cluster === undefined) return undefined
  const target = look(observed, observed.cluster, settings, now).target()
  const isReachable = target.is === 'found' && 'hash' in target.value && target.value.osProblem === undefined
  return isReachable ? target.value.hash : undefined
}

/** The machines of the pool, oldest first; none when they could not be listed. */
export function machinesOf({ machines }: Pick<ObservedNodePool, 'machines'>): readonly capi.Machine[] {
  if (machines.is === 'failed') return []
  return machines.value.toSorted((a, b) => compare(ageKey(a), ageKey(b)))
}

/** A Secret of the pool in the namespace of its control plane. */
export function secretOf({ secrets, namespace }: Seen, name: string): Secret | undefined {
  if (secrets.is === 'failed') return undefined
  return secrets.value.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name)
}

/** The MachineSet of an InPlace pool has the name of the pool; those of a MachineDeployment have others. */
export function ownMachineSetOf({ machineSets, pool }: Pick<ObservedNodePool, 'machineSets' | 'pool'>): capi.MachineSet | undefined {
  return machineSets.find(({ metadata }) => metadata.name === pool.metadata.name)
}

export function isInPlace({ pool }: Pick<ObservedNodePool, 'pool'>): boolean {
  return pool.spec.management.upgradeType === 'InPlace'
}

/** Machines that somebody else makes: there is nothing of Cluster API for them. */
export function isUnmanaged({ pool }: Pick<ObservedNodePool, 'pool'>): boolean {
  const { type, ibmcloud } = pool.spec.platform
  return type === 'None' || (type === 'IBMCloud' && ibmcloud?.providerType === 'UPI')
}

function ageKey({ metadata: { creationTimestamp = '', name = '' } }: capi.Machine): string {
  return `${creationTimestamp} ${name}`
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
