import type { Instant } from '@windlass/core'
import type { JsonObject } from '../../json.ts'
import { objectAt, text, textList } from '../fields.ts'
import { ExtraKeys, type User } from '../user.ts'
import { clusterClaim, seconds, TokenError } from './claims.ts'

/** A token for the kubeconfig of one logical cluster: it names its user and groups itself, so nothing has to be stored. */
export interface ClusterTokenRequest {
  readonly audiences: readonly string[]
  readonly cluster: string
  /** The uid of the cluster's object: a later cluster by the same name must not accept the token. */
  readonly clusterUid: string
  readonly user: string
  readonly groups: readonly string[]
  /** Without it the token lasts as long as its cluster. */
  readonly expirationSeconds?: number
  /** A UUID that names this token. */
  readonly id: string
  readonly now: Instant
}

export function clusterClaims(request: ClusterTokenRequest): JsonObject {
  const issuedAt = seconds(request.now)
  const { expirationSeconds } = request
  return {
    aud: request.audiences,
    ...(expirationSeconds === undefined ? {} : { exp: issuedAt + expirationSeconds }),
    iat: issuedAt,
    jti: request.id,
    nbf: issuedAt,
    sub: request.user,
    [clusterClaim]: { cluster: request.cluster, clusterUid: request.clusterUid, groups: request.groups },
  }
}

/** The uid of a logical cluster's object; undefined when there is no such cluster. */
export type ClusterUid = (cluster: string) => string | undefined

/** The user behind a cluster token whose signature, times, audience and cluster are in order. */
export function clusterUserOf(claims: JsonObject, cluster: string, clusterUid: ClusterUid): User {
  const own = objectAt(claims, clusterClaim)
  if (own === undefined) throw new TokenError('token names no user')
  if (text(own.clusterUid) !== clusterUid(cluster)) throw new TokenError(`cluster ${JSON.stringify(cluster)} has been deleted`)
  const id = text(claims.jti)
  const extra = id === '' ? {} : { [ExtraKeys.credentialId]: [`JTI=${id}`] }
  return { name: text(claims.sub), uid: '', groups: textList(own.groups), extra }
}
