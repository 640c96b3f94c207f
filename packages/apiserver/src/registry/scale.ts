import {
  applyConfiguration,
  fromScaleEntries,
  type OwnershipContext,
  scaleApiVersion,
  scaleSchema,
  toScaleEntries,
  trackUpdate,
} from '../apply/index.ts'
import { badRequest, internalError, invalidObject, notFound } from '../errors/api-error.ts'
import { DecodeError } from '../errors/decode-error.ts'
import { invalid } from '../errors/field-error.ts'
import { isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../json.ts'
import type { Entry, Transaction } from '../storage/store.ts'
import { groupVersion, type Served } from './catalog.ts'
import { metadataOf, strings, text } from './object-meta.ts'
import { type Patch, patched } from './patch.ts'
import type { ScalePaths } from './resource.ts'
import { fromStored, keyFor } from './stored.ts'
import { replace } from './update.ts'
import { atSimplePath } from './validate.ts'
import { ownershipOf, type WriteRequest, type Written } from './write-request.ts'
import { encodeJson } from '../wire/index.ts'

const scaleStatus = [['status']] as const

/** The `/scale` subresource: how many replicas an object wants and has, in the same form for every kind. */

export function getScale(served: Served, paths: ScalePaths, object: JsonObject): JsonObject {
  const replicas = numberAt(object, paths.specReplicasPath)
  if (replicas === undefined && served.type.isCustom) {
    throw internalError(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} does not exist`)
  }
  return scaleOf(served, paths, object, replicas ?? 0)
}

function scaleOf(served: Served, paths: ScalePaths, object: JsonObject, replicas: number): JsonObject {
  const metadata = metadataOf(object)
  const kept: MutableObject = {}
  for (const field of ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp']) {
    const value = metadata[field]
    if (value !== undefined) kept[field] = value
  }
  const selector = selectorOf(served, paths, object)
  return {
    kind: 'Scale',
    apiVersion: scaleApiVersion,
    metadata: kept,
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: numberAt(object, paths.statusReplicasPath) ?? 0, ...(selector === '' ? {} : { selector }) },
  }
}

/** Custom resources keep the selector as a string; built-in kinds keep an object that is written out. */
function selectorOf(served: Served, paths: ScalePaths, object: JsonObject): string {
  if (served.type.isCustom) return paths.labelSelectorPath === undefined ? '' : text(valueAt(object, paths.labelSelectorPath))
  const spec = isObject(object.spec) ? object.spec : {}
  return isObject(spec.selector) ? selectorText(spec.selector) : ''
}

/** A label selector in the form that queries take, ordered by key. */
function selectorText(selector: JsonObject): string {
  const requirements: [key: string, text: string][] = []
  if (isObject(selector.matchLabels)) {
    for (const [key, value] of Object.entries(selector.matchLabels)) requirements.push([key, `${key}=${text(value)}`])
  }
  for (const each of isArray(selector.matchExpressions) ? selector.matchExpressions : []) {
    if (!isObject(each)) continue
    const key = text(each.key)
    const values = strings(each.values).toSorted().join(',')
    const forms: Readonly<Record<string, string>> = {
      In: `${key} in (${values})`,
      NotIn: `${key} notin (${values})`,
      Exists: key,
      DoesNotExist: `!${key}`,
    }
    requirements.push([key, forms[text(each.operator)] ?? key])
  }
  return requirements
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, written]) => written)
    .join(',')
}

export async function updateScale(request: WriteRequest, name: string, body: JsonObject): Promise<Written> {
  const { kind = 'Scale', apiVersion = scaleApiVersion } = body
  if (kind !== 'Scale' || apiVersion !== scaleApiVersion)
    throw badRequest('no kind is registered for the type v1.Scale in scheme "windlass"')
  try {
    return await replaceScale(request, name, body)
  } catch (error) {
    throw error instanceof DecodeError ? unreadableScale(error) : error
  }
}

function replaceScale(request: WriteRequest, name: string, body: JsonObject): Promise<Written> {
  return rewrite(request, name, (current) => {
    const given = text(metadataOf(body).name)
    if (given !== '' && given !== name) throw badRequest(`the name of the object (${given}) does not match the name on the URL (${name})`)
    const metadata: MutableObject = { ...metadataOf(current) }
    const revision = text(metadataOf(body).resourceVersion)
    if (revision === '') delete metadata.resourceVersion
    else metadata.resourceVersion = revision
    return { ...current, metadata, spec: isObject(body.spec) ? body.spec : {} }
  })
}

export async function patchScale(request: WriteRequest, name: string, change: Patch): Promise<Written> {
  try {
    return await rewrite(request, name, (current) =>
      patched({ version: { ...request.served.version, schema: scaleSchema } }, current, change),
    )
  } catch (error) {
    throw error instanceof DecodeError
      ? invalidObject({ group: '', kind: '' }, '', [invalid('patch', change.source, error.message)])
      : error
  }
}

export async function applyScale(request: WriteRequest, name: string, applied: JsonObject): Promise<Written> {
  const merge: Change = (current, ownership) => applyConfiguration(current, applied, { ...ownership, force: request.options.force })
  try {
    return await rewrite(request, name, merge, (_current, scaled) => scaled)
  } catch (error) {
    throw error instanceof DecodeError ? unreadableScale(error) : error
  }
}

function unreadableScale(error: DecodeError): Error {
  return badRequest(`Scale in version "v1" cannot be handled as a Scale: ${error.message}`)
}

type Change = (current: JsonObject, ownership: OwnershipContext) => JsonObject
type TrackScale = (current: JsonObject, scaled: JsonObject, ownership: OwnershipContext) => JsonObject

/** The new Scale of an object, written back into it, with the owners of its replicas. */
function rewrite(request: WriteRequest, name: string, change: Change, track: TrackScale = trackUpdate): Promise<Written> {
  const { scope, served, namespace } = request
  const paths = served.version.scale
  if (paths === undefined) throw notFound(served.type, name)
  return scope.store.write((transaction) => {
    const entry = transaction.get(keyFor(scope.cluster, served.type, namespace, name))
    if (entry === undefined) throw notFound(served.type, name)
    return rewriteIn(transaction, request, paths, entry, change, track)
  })
}

function rewriteIn(
  transaction: Transaction,
  request: WriteRequest,
  paths: ScalePaths,
  entry: Entry,
  change: Change,
  track: TrackScale,
): Written {
  const { served } = request
  const old = fromStored(served, entry)
  const name = text(metadataOf(old).name)
  const replicasPath = (apiVersion: string): readonly string[] | null | undefined => {
    const version = served.type.versions.find((each) => groupVersion(served.type.group, each.name) === apiVersion)
    return version === undefined ? undefined : (version.scale?.specReplicasPath.split('.').slice(1) ?? null)
  }
  const owners = isArray(metadataOf(old).managedFields) ? (metadataOf(old).managedFields as JsonArray) : []
  const current = scaleOf(served, paths, old, numberAt(old, paths.specReplicasPath) ?? 0)
  const tracked = { ...current, metadata: { ...metadataOf(current), managedFields: toScaleEntries(owners, replicasPath) } }
  const ownership = {
    ...ownershipOf(request),
    schemaOf: () => scaleSchema,
    apiVersion: scaleApiVersion,
    subresource: 'scale',
    resetFields: scaleStatus,
    isCustom: false,
  }
  const wanted = change(tracked, ownership)
  const replicas = replicasOf(served, name, wanted)
  const scaled = { ...tracked, ...wanted, metadata: { ...metadataOf(tracked), ...metadataOf(wanted) }, spec: { replicas } }
  const entries = metadataOf(track(tracked, scaled, ownership)).managedFields
  const managedFields = fromScaleEntries(owners, isArray(entries) ? entries : [], served.apiVersion, replicasPath)
  const metadata: MutableObject = { ...metadataOf(old) }
  const revision = metadataOf(wanted).resourceVersion
  if (typeof revision === 'string') metadata.resourceVersion = revision
  if (managedFields.length > 0) metadata.managedFields = managedFields
  else delete metadata.managedFields
  const next = { ...setAt(old, paths.specReplicasPath.split('.').slice(1), replicas), metadata }
  const written = replace(transaction, request, entry, old, next, (_request, _old, object) => object)
  const result = JSON.parse(written.bytes.toString('utf8')) as JsonObject
  return { status: 200, bytes: encodeJson(scaleOf(served, paths, result, replicas)) }
}

/** Custom resources are judged by their own schemas afterwards. */
function replicasOf(served: Served, name: string, scale: JsonObject): number {
  const spec = isObject(scale.spec) ? scale.spec : {}
  const replicas = spec.replicas ?? 0
  if (typeof replicas !== 'number' || !Number.isInteger(replicas)) {
    throw new DecodeError(`json: cannot unmarshal ${typeof replicas} into Go struct field ScaleSpec.spec.replicas of type int32`)
  }
  if (replicas < 0 && !served.type.isCustom) {
    const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0')
    throw invalidObject({ group: 'autoscaling', kind: 'Scale' }, name, [error])
  }
  return replicas
}

function valueAt(object: JsonObject, path: string): Json | undefined {
  const found = atSimplePath(object, path)
  return 'obstacle' in found ? undefined : found.value
}

function numberAt(object: JsonObject, path: string): number | undefined {
  const value = valueAt(object, path)
  return typeof value === 'number' ? value : undefined
}

function setAt(object: JsonObject, [field, ...rest]: readonly string[], value: Json): JsonObject {
  if (field === undefined) return object
  const inner = object[field]
  return { ...object, [field]: rest.length === 0 ? value : setAt(isObject(inner) ? inner : {}, rest, value) }
}
