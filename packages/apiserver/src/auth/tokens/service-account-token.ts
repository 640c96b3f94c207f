import { parseTime, type Instant } from '@windlass/core'
import type { JsonObject } from '../../json.ts'
import { objectAt, text } from '../fields.ts'
import { ExtraKeys, serviceAccountGroups, serviceAccountUser, type User } from '../user.ts'
import { clusterClaim, leeway, rootCluster, seconds, TokenError } from './claims.ts'

/** Objects that a token may be bound to, by their resource. */
export type BoundResource = 'serviceaccounts' | 'pods' | 'secrets' | 'nodes'

/** Reads one object of a logical cluster as it is now; undefined when there is none. Nodes have no namespace. */
export type ObjectLookup = (cluster: string, resource: BoundResource, namespace: string, name: string) => JsonObject | undefined

export interface ServiceAccountTokenRequest {
  readonly cluster: string
  readonly namespace: string
  readonly serviceAccount: JsonObject
  readonly pod?: JsonObject
  readonly secret?: JsonObject
  /** Where the pod runs, or the node that the token is bound to. May have a name only. */
  readonly node?: JsonObject
  readonly audiences: readonly string[]
  readonly expirationSeconds: number
  /** Seconds after which the token still works but counts as stale. */
  readonly warnAfter?: number
  /** A UUID that names this token. */
  readonly id: string
  readonly now: Instant
}

export function serviceAccountClaims(request: ServiceAccountTokenRequest): JsonObject {
  const issuedAt = seconds(request.now)
  const { namespace, serviceAccount, pod, secret, node, warnAfter, cluster } = request
  return {
    aud: request.audiences,
    exp: issuedAt + request.expirationSeconds,
    iat: issuedAt,
    jti: request.id,
    'kubernetes.io': {
      namespace,
      ...(node === undefined ? {} : { node: reference(node) }),
      ...(pod === undefined ? {} : { pod: reference(pod) }),
      ...(secret === undefined ? {} : { secret: reference(secret) }),
      serviceaccount: reference(serviceAccount),
      ...(warnAfter === undefined ? {} : { warnafter: issuedAt + warnAfter }),
    },
    nbf: issuedAt,
    sub: serviceAccountUser(namespace, text(objectAt(serviceAccount, 'metadata')?.name)),
    ...(cluster === rootCluster ? {} : { [clusterClaim]: { cluster } }),
  }
}

function reference(object: JsonObject): JsonObject {
  const metadata = objectAt(object, 'metadata')
  const uid = text(metadata?.uid)
  return { name: text(metadata?.name), ...(uid === '' ? {} : { uid }) }
}

export interface Judgement {
  readonly cluster: string
  readonly now: Instant
  readonly lookup: ObjectLookup
}

/**
 * The user behind a ServiceAccount token whose signature, times and audience are in order. Throws when the ServiceAccount, or
 * the object the token is bound to, is gone or is another one by the same name.
 */
export function serviceAccountOf(claims: JsonObject, { cluster, now, lookup }: Judgement): User {
  const bound = objectAt(claims, 'kubernetes.io')
  const namespace = text(bound?.namespace)
  const account = objectAt(bound, 'serviceaccount')
  const name = text(account?.name)
  const uid = text(account?.uid)
  const object = lookup(cluster, 'serviceaccounts', namespace, name)
  if (object === undefined) throw new TokenError(`serviceaccounts ${JSON.stringify(name)} not found`)
  if (isDeleted(object, now)) throw new TokenError(`service account ${namespace}/${name} has been deleted`)
  if (uidOf(object) !== uid) throw new TokenError(`service account UID (${uidOf(object)}) does not match claim (${uid})`)

  const secret = objectAt(bound, 'secret')
  const pod = objectAt(bound, 'pod')
  const node = objectAt(bound, 'node')
  const assertBound = (resource: BoundResource, kind: string, ref: JsonObject, inNamespace: string): void => {
    const found = lookup(cluster, resource, inNamespace, text(ref.name))
    if (found === undefined || isDeleted(found, now)) throw new TokenError('service account token has been invalidated')
    const claimed = text(ref.uid)
    if (uidOf(found) !== claimed) {
      throw new TokenError(`${kind} UID (${uidOf(found)}) does not match service account ${kind} ref claim (${claimed})`)
    }
  }
  if (secret !== undefined) assertBound('secrets', 'secret', secret, namespace)
  if (pod !== undefined) assertBound('pods', 'pod', pod, namespace)
  // The node of a pod is information: the pod's own life decides. A token bound to a node alone lives as long as the node.
  else if (node !== undefined) assertBound('nodes', 'node', node, '')

  return {
    name: serviceAccountUser(namespace, name),
    uid,
    groups: serviceAccountGroups(namespace),
    extra: extraOf(claims, pod, node),
  }
}

function extraOf(claims: JsonObject, pod: JsonObject | undefined, node: JsonObject | undefined): User['extra'] {
  const extra: Record<string, readonly string[]> = {}
  const put = (key: string, value: string): void => {
    if (value !== '') extra[key] = [value]
  }
  const id = text(claims.jti)
  put(ExtraKeys.credentialId, id === '' ? '' : `JTI=${id}`)
  put(ExtraKeys.podName, text(pod?.name))
  put(ExtraKeys.podUid, text(pod?.uid))
  put(ExtraKeys.nodeName, text(node?.name))
  put(ExtraKeys.nodeUid, text(node?.uid))
  return extra
}

const uidOf = (object: JsonObject): string => text(objectAt(object, 'metadata')?.uid)

/** An object that waits for its finalizers still vouches for tokens for the length of the leeway. */
function isDeleted(object: JsonObject, now: Instant): boolean {
  const metadata = objectAt(object, 'metadata')
  const deletedAt = parseTime(text(metadata?.deletionTimestamp))
  return deletedAt !== undefined && deletedAt < now - leeway
}
