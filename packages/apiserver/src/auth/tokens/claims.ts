import type { Instant } from '@windlass/core'
import type { JsonObject } from '../../json.ts'
import { objectAt, textList } from '../fields.ts'
import { quoteList } from '../refusal.ts'

/** Thrown while judging a token. The message is what a TokenReview shows; a request answers `Unauthorized` and no more. */
export class TokenError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'TokenError'
  }
}

/** The cluster at `/`, whose ServiceAccount tokens look exactly like those of any other server. */
export const rootCluster = 'root'

/** The claim that ties a token to a logical cluster other than the root. */
export const clusterClaim = 'windlass.dev'

/** Clocks may differ by this much. */
export const leeway = 60_000

export const seconds = (instant: Instant): number => Math.floor(instant / 1000)

/** Throws unless the token is valid at this moment, give or take the leeway. */
export function assertTimely(claims: JsonObject, now: Instant): void {
  const { nbf, exp, iat } = claims
  if (typeof nbf === 'number' && now + leeway < nbf * 1000) throw new TokenError('service account token is not valid yet')
  if (typeof exp === 'number' && now - leeway > exp * 1000) throw new TokenError('service account token has expired')
  if (typeof iat === 'number' && now + leeway < iat * 1000) throw new TokenError('service account token is issued in the future')
}

/** The audiences that the token is for and that were asked for; throws when there are none. */
export function commonAudiences(claims: JsonObject, wanted: readonly string[]): readonly string[] {
  const offered = typeof claims.aud === 'string' ? [claims.aud] : textList(claims.aud)
  const common = wanted.filter((audience) => offered.includes(audience))
  if (common.length === 0) {
    throw new TokenError(`token audiences ${quoteList(offered)} is invalid for the target audiences ${quoteList(wanted)}`)
  }
  return common
}

/** The logical cluster that a token belongs to. */
export function clusterOf(claims: JsonObject): string {
  const name = objectAt(claims, clusterClaim)?.cluster
  return typeof name === 'string' ? name : rootCluster
}

export function assertCluster(claims: JsonObject, cluster: string): void {
  if (clusterOf(claims) !== cluster) throw new TokenError(`token is not valid in the cluster ${JSON.stringify(cluster)}`)
}
