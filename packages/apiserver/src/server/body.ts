import { badRequest } from '../errors/api-error.ts'
import { DecodeError } from '../errors/decode-error.ts'
import type { JsonObject } from '../json.ts'
import { cannotBeHandled, checkTypeMeta, decodeObject } from '../registry/decode.ts'
import type { WriteOptions } from '../registry/options.ts'
import type { Patch } from '../registry/patch.ts'
import { type Repeated, reportProblems } from '../registry/problems.ts'
import { contextOf } from '../registry/write-request.ts'
import { bodyFormat, decodeBody, decodeApplyBody, decodeJson, type PatchFormat, UnreadableBody } from '../wire/index.ts'
import { decodeProtobuf } from '../wire/protobuf/index.ts'
import type { ApiRequest } from './request.ts'
import { type ResourceCall, writeRequest } from './resource-call.ts'

const nothing = Buffer.alloc(0)

/** Any object in a body, not yet looked at. */
export function readObject(request: ApiRequest, kind: string, findDuplicates: boolean): { value: JsonObject; repeated: Repeated } {
  const body = request.body ?? nothing
  const format = bodyFormat(request.headers['content-type'])
  if (format === 'protobuf') return { value: decodeProtobuf(body, kind), repeated: { complaints: [], format: 'json' } }
  const decoded = decodeBody(body, format, kind, { findDuplicates })
  return { value: decoded.value, repeated: decoded }
}

/** The object of a POST or PUT, as the kind of the URL. */
export function readResource(call: ResourceCall, options: WriteOptions): JsonObject {
  const { served, request } = call
  const { value, repeated } = readObject(request, served.type.kind, options.fieldValidation !== 'Ignore')
  checkTypeMeta(served, value)
  const write = writeRequest(call, options)
  try {
    const { object, unknown } = decodeObject(served, value, contextOf(write))
    reportProblems(write, repeated, unknown, (why) => cannotBeHandled(served, why))
    return object
  } catch (error) {
    throw error instanceof DecodeError ? cannotBeHandled(served, error.message) : error
  }
}

const patchKinds: Readonly<Record<Exclude<PatchFormat, 'apply-patch'>, Patch['kind']>> = {
  'json-patch': 'json',
  'merge-patch': 'merge',
  'strategic-merge-patch': 'strategic',
}

export function readPatch(request: ApiRequest, format: Exclude<PatchFormat, 'apply-patch'>, findDuplicates: boolean): Patch {
  const body = request.body ?? nothing
  try {
    const decoded = decodeJson(body, { findDuplicates })
    return { kind: patchKinds[format], value: decoded.value, repeated: decoded, source: body.toString('utf8') }
  } catch (error) {
    if (!(error instanceof UnreadableBody)) throw error
    throw badRequest(format === 'strategic-merge-patch' ? error.problem : `error decoding patch: ${error.problem}`)
  }
}

/** The configuration of an apply: YAML, of which JSON is a part. */
export function readConfiguration(request: ApiRequest, options: WriteOptions): JsonObject {
  return decodeApplyBody(request.body ?? nothing, { isStrict: options.fieldValidation === 'Strict' }).value
}

/** The body of a subresource, which has a kind of its own. */
export function readUnstored(request: ApiRequest, of: { readonly group: string; readonly kind: string }): JsonObject {
  const { value } = readObject(request, of.kind, false)
  const { kind } = value
  if (typeof kind === 'string' && kind !== '' && kind !== of.kind) {
    const internal = of.group === '' ? 'core' : of.group.split('.')[0]
    throw badRequest(
      `${kind} in version "v1" cannot be handled as a ${of.kind}: converting (v1.${kind}) to (${internal}.${of.kind}): unknown conversion`,
    )
  }
  return value
}
