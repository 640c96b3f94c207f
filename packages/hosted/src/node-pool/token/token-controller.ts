import { Secret } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import { type Action, patch, refOf, remove } from '@windlass/kube'
import { Annotation } from '../wire.ts'
import { decoded, encoded, formatPreciseTime, packed } from './encoding.ts'
import type { PayloadStore, StoredPayload } from './payload-store.ts'

/** A token that has lived this long is replaced. The one before it stays good until the next replacement. */
export const tokenLifetime = 5.5 * 3_600_000

/** What is to be done about a token Secret. */
export type TokenDecision =
  /** The tokens are no longer good; the Secret goes, if it is not gone already. */
  | { readonly do: 'forget'; readonly tokens: readonly string[]; readonly actions: readonly Action[] }
  /** There is no payload for it: one has to be made, and `concludePayload` says what follows. */
  | { readonly do: 'generate' }
  /** A new token takes the place of the present one; `keep` are the tokens that are good now. */
  | {
      readonly do: 'rotate'
      readonly keep: readonly string[]
      readonly forget: readonly string[]
      readonly payload: StoredPayload
      readonly actions: readonly Action[]
      readonly requeueAfter: number
    }
  /** All is well; `keep` are the tokens that must have the payload. */
  | { readonly do: 'keep'; readonly keep: readonly string[]; readonly payload: StoredPayload; readonly requeueAfter: number }

/** The tokens of a Secret, the present one first. */
export function tokensOf(secret: Secret): readonly string[] {
  return [decoded(secret, 'token'), decoded(secret, 'old_token')].filter((token): token is string => token !== undefined && token !== '')
}

/** Decides about a token Secret. `freshToken` is used when the present one is replaced. */
export function decideToken(secret: Secret, store: PayloadStore, now: Instant, freshToken: string): TokenDecision {
  const [token = '', previous] = tokensOf(secret)
  if (secret.metadata.deletionTimestamp !== undefined) return { do: 'forget', tokens: tokensOf(secret), actions: [] }
  const { annotations = {} } = secret.metadata
  const expires = parseTime(annotations[Annotation.tokenExpires])
  const isMarked = annotations[Annotation.tokenExpires] !== undefined
  // A mark that cannot be read was meant as one.
  if (isMarked && (expires === undefined || now > expires)) {
    return { do: 'forget', tokens: tokensOf(secret), actions: [remove(Secret, secret, 'its token has expired')] }
  }
  const payload = store.find(token, now)
  if (payload === undefined || payload.cloudConfigHash !== (decoded(secret, 'cloud-config-hash') ?? '')) return { do: 'generate' }
  // One millisecond more: at that moment itself it is still good.
  const untilExpiry = expires === undefined ? Number.POSITIVE_INFINITY : expires - now + 1
  const generated = parseTime(annotations[Annotation.tokenGenerated])
  if (generated !== undefined && now - generated < tokenLifetime) {
    const requeueAfter = Math.min(untilExpiry, generated + tokenLifetime - now)
    return { do: 'keep', keep: tokensOf(secret), payload, requeueAfter }
  }
  const change = {
    metadata: { annotations: { [Annotation.tokenGenerated]: formatPreciseTime(now) } },
    data: { token: encoded(freshToken), old_token: encoded(token) },
  }
  return {
    do: 'rotate',
    keep: [freshToken, token],
    forget: previous === undefined ? [] : [previous],
    payload,
    actions: [patch(Secret, refOf(secret), change, 'its token has lived long enough', { ifStill: secret })],
    requeueAfter: Math.min(untilExpiry, tokenLifetime),
  }
}

/** Does to the store what was decided. The actions are to be carried out first: a token that is not written is not good. */
export function applyToStore(decision: TokenDecision, store: PayloadStore, now: Instant): void {
  if (decision.do === 'generate') return
  for (const token of decision.do === 'forget' ? decision.tokens : decision.do === 'rotate' ? decision.forget : []) store.forget(token)
  if (decision.do === 'forget') return
  for (const token of decision.keep) if (store.find(token, now) === undefined) store.keep(token, decision.payload, now)
}

/** What making a payload came to. */
export type Generated =
  | { readonly is: 'made'; readonly payload: string }
  /** `pending`: the configuration that was read is not the one that the Secret means; it will be there soon. */
  | { readonly is: 'failed'; readonly message: string; readonly isPending: boolean }

/** Writes down what making a payload came to. Nothing when the Secret says so already: a generator that fails for ever must not write for ever. */
export function concludePayload(secret: Secret, generated: Generated): readonly Action[] {
  const said = { reason: decoded(secret, 'reason'), message: decoded(secret, 'message') }
  const isInPlace = secret.metadata.annotations?.[Annotation.upgradeType] === 'InPlace'
  const says =
    generated.is === 'made'
      ? { reason: 'AsExpected', message: 'Payload generated successfully' }
      : { reason: generated.isPending ? 'CloudConfigPending' : 'InvalidConfig', message: generated.message }
  const hasPayload = secret.data?.['payload'] !== undefined
  const payload =
    generated.is === 'failed' ? {} : isInPlace ? { payload: encoded(packed(generated.payload)) } : hasPayload ? { payload: null } : {}
  const isPayloadSame = !('payload' in payload) || payload.payload === secret.data?.['payload']
  if (said.reason === says.reason && said.message === says.message && isPayloadSame) return []
  const data = { reason: encoded(says.reason), message: encoded(says.message), ...payload }
  return [patch(Secret, refOf(secret), { data }, `its payload ${generated.is === 'made' ? 'is made' : 'cannot be made'}`)]
}
