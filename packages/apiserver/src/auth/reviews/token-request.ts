import { formatTime, type Instant, type Random } from '@windlass/core'
import { badRequest, conflict, invalidObject, notFound } from '../../errors/api-error.ts'
import { invalid, type FieldError } from '../../errors/field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import { objectAt, text, textList } from '../fields.ts'
import type { Authenticator } from '../tokens/authenticator.ts'
import type { BoundResource, ObjectLookup } from '../tokens/service-account-token.ts'
import { pick } from './review.ts'

/** `POST …/serviceaccounts/<name>/token`: a new token for a ServiceAccount. */

export interface TokenRequestContext {
  readonly cluster: string
  readonly namespace: string
  /** Of the ServiceAccount, from the URL. */
  readonly name: string
  readonly now: Instant
  readonly random: Random
  readonly lookup: ObjectLookup
  readonly authenticator: Pick<Authenticator, 'audiences' | 'issueServiceAccountToken'>
}

const tokenRequestKind = { group: 'authentication.k8s.io', kind: 'TokenRequest' } as const
const defaultSeconds = 3600
const leastSeconds = 600
const mostSeconds = 2 ** 32

/** Kubelets ask for exactly this: such a token lives on for a year, so that old clients which never reload it keep working. */
const extendable = { seconds: 3607, extended: 365 * 24 * 3600 } as const

/** The TokenRequest with its token. Throws an `ApiError` when the ServiceAccount or the bound object does not fit. */
export function answerTokenRequest(body: JsonObject, context: TokenRequestContext): JsonObject {
  const { cluster, namespace, name, now, random, lookup, authenticator } = context
  assertSameIdentity(body, context)
  const serviceAccount = lookup(cluster, 'serviceaccounts', namespace, name)
  if (serviceAccount === undefined) throw notFound({ group: '', resource: 'serviceaccounts' }, name)

  const spec = objectAt(body, 'spec') ?? {}
  const expirationSeconds = lifetime(spec.expirationSeconds)
  const asked = textList(spec.audiences)
  const audiences = asked.length === 0 ? authenticator.audiences : asked
  const errors = lifetimeErrors(expirationSeconds)
  if (errors.length > 0) throw invalidObject(tokenRequestKind, '', errors)

  const reference = objectAt(spec, 'boundObjectRef')
  const bound = reference === undefined ? {} : boundObjects(reference, context)
  const isForThisServer = audiences.every((audience) => authenticator.audiences.includes(audience))
  const isExtended = bound.pod !== undefined && expirationSeconds === extendable.seconds && isForThisServer
  const token = authenticator.issueServiceAccountToken({
    cluster,
    namespace,
    serviceAccount,
    ...bound,
    audiences,
    expirationSeconds: isExtended ? extendable.extended : expirationSeconds,
    ...(isExtended ? { warnAfter: expirationSeconds } : {}),
    id: random.uuid(),
    now,
  })
  return {
    kind: 'TokenRequest',
    apiVersion: 'authentication.k8s.io/v1',
    metadata: { name, namespace, creationTimestamp: formatTime(now) },
    spec: {
      audiences,
      expirationSeconds,
      boundObjectRef: reference === undefined ? null : pick(reference, ['kind', 'apiVersion', 'name', 'uid']),
    },
    status: { token, expirationTimestamp: formatTime(now + expirationSeconds * 1000) },
  }
}

function assertSameIdentity(body: JsonObject, { namespace, name }: TokenRequestContext): void {
  const metadata = objectAt(body, 'metadata') ?? {}
  const check = (key: 'name' | 'namespace', expected: string): void => {
    const given = text(metadata[key])
    if (given === '' || given === expected) return
    throw invalidObject(tokenRequestKind, name, [invalid(`metadata.${key}`, given, `must match the service account ${key} if specified`)])
  }
  check('name', name)
  check('namespace', namespace)
}

function lifetime(value: Json | undefined): number {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : defaultSeconds
}

function lifetimeErrors(seconds: number): readonly FieldError[] {
  const field = 'spec.expirationSeconds'
  if (seconds < leastSeconds) return [invalid(field, seconds, 'may not specify a duration less than 10 minutes')]
  if (seconds > mostSeconds) return [invalid(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
  return []
}

interface BoundObjects {
  readonly pod?: JsonObject
  readonly secret?: JsonObject
  readonly node?: JsonObject
}

/** Reads what the token is to be bound to: it stops working when that object goes. */
function boundObjects(reference: JsonObject, context: TokenRequestContext): BoundObjects {
  const { kind, apiVersion } = reference
  const isCore = !text(apiVersion).includes('/')
  if (isCore && kind === 'Pod') return boundPod(reference, context)
  if (isCore && kind === 'Secret') return { secret: boundObject('secrets', reference, context.namespace, context) }
  if (isCore && kind === 'Node') return { node: boundObject('nodes', reference, '', context) }
  throw badRequest(`cannot bind token to object of type ${groupVersionKind(text(apiVersion), text(kind))}`)
}

function boundPod(reference: JsonObject, context: TokenRequestContext): BoundObjects {
  const pod = boundObject('pods', reference, context.namespace, context, (found) => {
    if (text(objectAt(found, 'spec')?.serviceAccountName) === context.name) return
    const account = JSON.stringify(context.name)
    throw badRequest(`cannot bind token for serviceaccount ${account} to pod running with different serviceaccount name.`)
  })
  const nodeName = text(objectAt(pod, 'spec')?.nodeName)
  if (nodeName === '') return { pod }
  return { pod, node: context.lookup(context.cluster, 'nodes', '', nodeName) ?? { metadata: { name: nodeName } } }
}

function boundObject(
  resource: BoundResource,
  reference: JsonObject,
  namespace: string,
  { cluster, lookup }: TokenRequestContext,
  check?: (found: JsonObject) => void,
): JsonObject {
  const name = text(reference.name)
  const found = lookup(cluster, resource, namespace, name)
  if (found === undefined) throw notFound({ group: '', resource }, name)
  check?.(found)
  const uid = text(reference.uid)
  if (uid !== '' && uid !== text(objectAt(found, 'metadata')?.uid)) {
    const problem = `the UID in the bound object reference (${uid}) does not match the UID in record`
    const why = `${problem}. The object might have been deleted and then recreated`
    throw conflict({ group: '', resource: text(reference.kind) }, name, why)
  }
  return found
}

/** `/v1, Kind=ConfigMap`. */
function groupVersionKind(apiVersion: string, kind: string): string {
  const slash = apiVersion.indexOf('/')
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
  return `${group}/${version}, Kind=${kind}`
}
