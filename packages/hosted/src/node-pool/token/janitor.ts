import { Secret } from '@windlass/api'
import type { HostedCluster, NodePool } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { type Action, type Plan, plan, remove, wait } from '@windlass/kube'
import { tokenSecretName, userDataSecretName } from '../names.ts'
import { Annotation, Label } from '../wire.ts'
import { disposed, expired, type UserDataUsers } from './expiry.ts'

export interface ObservedSecret extends UserDataUsers {
  readonly secret: Secret
  /** The pool that its annotation names. */
  readonly pool: NodePool | undefined
  readonly cluster: HostedCluster | undefined
  /** The hash that the pool has now; undefined when it cannot be worked out, and then nothing is thrown away. */
  readonly expectedHash: string | undefined
}

const nothing: Plan = { actions: [] }

/** Whether a Secret is the janitor's business at all. */
export function isPoolSecret({ metadata: { name = '', annotations } }: Secret): boolean {
  return annotations?.[Annotation.nodePool] !== undefined && kindOf(name) !== undefined
}

/**
 * What becomes of a Secret that may be a leftover: of a pool or a cluster that is gone, or of a configuration that was wanted for a while and never
 * completed, which nobody else knows of.
 */
export function decideSecret(observed: ObservedSecret, now: Instant): Plan {
  const { secret, pool, cluster, expectedHash } = observed
  if (!isPoolSecret(secret) || secret.metadata.deletionTimestamp !== undefined) return nothing
  if (pool === undefined) {
    if (secret.metadata.labels?.[Label.managedByKarpenter] === 'true') return nothing
    return plan(remove(Secret, secret, 'its NodePool is gone'))
  }
  if (cluster === undefined || cluster.metadata.deletionTimestamp !== undefined) {
    return plan(...putAway(observed, now, 'its HostedCluster is going'))
  }
  if (expectedHash === undefined) return wait('the configuration of its NodePool, which cannot be worked out')
  const { name: poolName = '' } = pool.metadata
  const expected = [tokenSecretName(poolName, expectedHash), userDataSecretName(poolName, expectedHash)]
  if (expected.includes(secret.metadata.name ?? '')) return nothing
  return plan(...putAway(observed, now, `its NodePool has configuration ${expectedHash} by now`))
}

function putAway(observed: ObservedSecret, now: Instant, because: string): readonly Action[] {
  const { secret } = observed
  return kindOf(secret.metadata.name ?? '') === 'token' ? expired(secret, now, because) : disposed(secret, observed, because)
}

function kindOf(name: string): 'token' | 'user-data' | undefined {
  if (name.startsWith('token')) return 'token'
  return name.startsWith('user-data') ? 'user-data' : undefined
}
