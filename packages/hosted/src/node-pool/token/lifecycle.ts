import { Secret } from '@windlass/api'
import { type Action, create, ensure, ensurePatch, patch, refOf } from '@windlass/kube'
import type { Draft } from '@windlass/kube'
import { tokenSecretName, userDataSecretName } from '../names.ts'
import { secretOf, type Seen } from '../seen.ts'
import type { Target } from '../target.ts'
import { PoolAnnotation } from '../wire.ts'
import { decoded } from './encoding.ts'
import { disposed, expired } from './expiry.ts'
import { newTokenSecret, tokenSecretPatch } from './token-secret.ts'
import { userDataSecret } from './user-data.ts'

/**
 * The Secrets of a pass: those of the last completed configuration are on their way out while another one is rolled out, those of the target are there
 * and in order.
 *
 * It is the same in every pass of a rollout: the pool says what was completed last until the next is complete. A pool that goes back before that makes
 * the old Secrets those of the target again, and nothing is lost.
 *
 * `freshToken` is used when there is none.
 */
export function secretActions(seen: Seen, target: Target, freshToken: string): readonly Action[] {
  const { [PoolAnnotation.currentConfigVersion]: current } = seen.pool.metadata.annotations ?? {}
  const outgoing = current !== undefined && current !== target.hash ? outgoingActions(seen, current) : []
  return [...outgoing, ...targetActions(seen, target, freshToken)]
}

function outgoingActions(seen: Seen, hash: string): readonly Action[] {
  const { name, machineSets, machines, now } = seen
  const token = secretOf(seen, tokenSecretName(name, hash))
  const userData = secretOf(seen, userDataSecretName(name, hash))
  const because = `the pool is going from configuration ${hash} to another`
  // Machines that could not be listed may need it.
  const users = machines.is === 'found' ? { machineSets, machines: machines.value } : undefined
  return [
    ...(token === undefined ? [] : expired(token, now, because)),
    ...(userData === undefined || users === undefined ? [] : disposed(userData, users, because)),
  ]
}

function targetActions(seen: Seen, target: Target, freshToken: string): readonly Action[] {
  const live = secretOf(seen, target.tokenSecret)
  const token = (live === undefined ? undefined : decoded(live, 'token')) ?? freshToken
  const change = live === undefined ? undefined : tokenSecretPatch(seen, live)
  const because = `the pool is to have configuration ${target.hash}`
  return [
    // One that is there though it was not seen has another token: user data with this one would start machines that nobody lets in.
    ...(live === undefined ? [create(Secret, newTokenSecret(seen, target, token), because, { mustBeNew: true })] : []),
    ...(live === undefined || change === undefined ? [] : [patch(Secret, refOf(live), change, because)]),
    ...userDataActions(seen, userDataSecret(seen, target, token), because),
  ]
}

/** Rewritten when the token was replaced. */
function userDataActions(seen: Seen, draft: Draft<Secret>, because: string): readonly Action[] {
  const live = secretOf(seen, draft.metadata.name ?? '')
  return live !== undefined && ensurePatch(live, draft) === undefined ? [] : [ensure(Secret, draft, because)]
}
