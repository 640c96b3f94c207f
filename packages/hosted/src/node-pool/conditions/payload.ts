import { isTrue } from '@windlass/core'
import { decoded } from '../token/index.ts'
import { isInPlace, secretOf, type Seen } from '../seen.ts'
import { Annotation } from '../wire.ts'
import { asExpectedReason, fails, holds, kept, type Outcome, unknown } from './outcome.ts'

/** What the token controller says about the payload that nodes will get. */
export function isPayloadGenerated(seen: Seen): Outcome {
  const found = targetSecret(seen)
  if ('outcome' in found) return found.outcome
  const reason = decoded(found.secret, 'reason')
  const message = decoded(found.secret, 'message') ?? ''
  if (reason === undefined) return unknown('', 'Unable to get status data from token secret')
  return reason === asExpectedReason ? holds(message) : fails(reason, message)
}

/**
 * Whether a machine has fetched the payload of the target. With each new target it starts anew; but nodes that are upgraded in place never fetch it
 * again, so there it stays.
 */
export function isIgnitionReached(seen: Seen): Outcome {
  if (isInPlace(seen) && isTrue(seen.pool.status?.conditions, 'ReachedIgnitionEndpoint')) return kept
  const found = targetSecret(seen)
  if ('outcome' in found) return found.outcome
  return found.secret.metadata.annotations?.[Annotation.ignitionReached] === undefined ? fails('ignitionNotReached') : holds()
}

type TargetSecret = { readonly secret: NonNullable<ReturnType<typeof secretOf>> } | { readonly outcome: Outcome }

function targetSecret(seen: Seen): TargetSecret {
  const { secrets, namespace } = seen
  const target = seen.target()
  if (target.is === 'failed' || 'deferred' in target.value) return { outcome: kept }
  if (secrets.is === 'failed') return { outcome: fails('FailedToGet', secrets.problem) }
  const secret = secretOf(seen, target.value.tokenSecret)
  return secret === undefined ? { outcome: fails('NotFound', `Secret ${namespace}/${target.value.tokenSecret} not found`) } : { secret }
}
