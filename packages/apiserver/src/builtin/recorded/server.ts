import { seededRandom } from '@windlass/core'
import { ApiError, badRequest, invalidObject } from '../../errors/api-error.ts'
import { DecodeError } from '../../errors/decode-error.ts'
import { equalJson, isObject, type Json, type JsonObject } from '../../json.ts'
import { applyMergePatch, applyStrategicPatch } from '../../patch/index.ts'
import { metadataErrors } from '../../registry/object-meta.ts'
import type { ResourceType, WriteContext } from '../../registry/resource.ts'
import { objectTable } from '../../table/index.ts'
import { builtinResources, decodeErrors } from '../index.ts'
import { metadataOf, put, textIn } from '../tree.ts'

/** One request of a recorded conversation, without what only a whole server can answer. */
export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly patch?: 'merge' | 'strategic'
  readonly table?: boolean
  readonly body?: JsonObject
}

export interface Answer {
  readonly status: number
  readonly body: JsonObject
  readonly warnings: readonly string[]
}

export const now = Date.UTC(2026, 0, 2)
const created = '2026-01-01T00:00:00Z'

interface Place {
  readonly type: ResourceType
  readonly key: string
  readonly name: string
  readonly namespace: string
  readonly subresource: string
}

/** Just enough of a server to try the hooks of built-in kinds in the order in which the real one calls them. */
export class HookServer {
  readonly #objects = new Map<string, JsonObject>()
  readonly #random = seededRandom(1)

  answer(request: RecordedRequest): Answer {
    const place = placeOf(request.path)
    try {
      return this.#answer(request, place)
    } catch (error) {
      if (error instanceof DecodeError) {
        const { kind } = place.type
        return this.#answerError(badRequest(`${kind} in version "v1" cannot be handled as a ${kind}: ${error.message}`), place)
      }
      if (error instanceof ApiError) return this.#answerError(error, place)
      throw error
    }
  }

  #answerError(error: ApiError, { type }: Place): Answer {
    const status: unknown = error.status
    return { status: error.code, body: isObject(status as Json) ? (status as JsonObject) : {}, warnings: deprecation(type) }
  }

  #answer({ method, patch, table, body = {} }: RecordedRequest, place: Place): Answer {
    const old = this.#objects.get(place.key)
    if (method === 'POST') return this.#create(place, body)
    if (old === undefined && method === 'PUT' && place.type.behaviour.allowsCreateOnUpdate) return this.#create(place, body)
    if (old === undefined) throw new ApiError(404, 'NotFound', `${place.key} not found`)
    if (method === 'GET')
      return { status: 200, body: table === true ? this.#table(place, old) : this.#read(place, old), warnings: deprecation(place.type) }
    const current = this.#read(place, old)
    return this.#update(place, current, changed(place, current, body, patch))
  }

  #read({ type }: Place, stored: JsonObject): JsonObject {
    return type.storedAs?.fromStored(stored) ?? stored
  }

  #table({ type }: Place, object: JsonObject): JsonObject {
    const [version] = type.versions
    return version === undefined ? {} : objectTable(type, version, object, { now })
  }

  #create(place: Place, body: JsonObject): Answer {
    const { type, namespace } = place
    const problem = decodeErrors(type, body)
    if (problem !== undefined) throw new DecodeError(problem)
    const context = this.#context(place)
    const { generation: _, resourceVersion: __, ...given } = metadataOf(body)
    const placed = { ...given, ...(type.namespaced ? { namespace } : {}) }
    const normal = normalized(type, put(body, 'metadata', placed), context)
    const system = { uid: this.#random.uuid(), creationTimestamp: created, ...(type.behaviour.hasGeneration ? { generation: 1 } : {}) }
    const named = put(normal, 'metadata', { ...metadataOf(normal), ...system })
    const object = type.behaviour.prepareForCreate?.(named, context) ?? named
    const errors = [
      ...metadataErrors(type, metadataOf(object), type.behaviour.names),
      ...(type.behaviour.validate?.(object, undefined, context) ?? []),
    ]
    const name = textIn(metadataOf(object).name)
    if (errors.length > 0) throw invalidObject(storedKind(type), name, errors)
    this.#objects.set(keyOf(type, place.namespace, name), type.storedAs?.toStored(object) ?? object)
    return { status: 201, body: object, warnings: [...deprecation(type), ...(type.behaviour.warnings?.(object, undefined) ?? [])] }
  }

  #update(place: Place, old: JsonObject, sent: JsonObject): Answer {
    const { type } = place
    const context = this.#context(place)
    const { uid, creationTimestamp, generation, name, namespace } = metadataOf(old)
    const kept = {
      name: name ?? '',
      uid: uid ?? '',
      creationTimestamp: creationTimestamp ?? '',
      ...(namespace === undefined ? {} : { namespace }),
    }
    const metadata = { ...withoutEmpty(metadataOf(sent)), ...kept, ...(generation === undefined ? {} : { generation }) }
    const normal = normalized(type, put(sent, 'metadata', metadata), context)
    const prepared = type.behaviour.prepareForUpdate?.(normal, old, context) ?? normal
    const object = raised(type, prepared, old)
    const errors = type.behaviour.validate?.(object, old, context) ?? []
    if (errors.length > 0) throw invalidObject(storedKind(type), place.name, errors)
    this.#objects.set(place.key, type.storedAs?.toStored(object) ?? object)
    return { status: 200, body: object, warnings: [...deprecation(type), ...(type.behaviour.warnings?.(object, old) ?? [])] }
  }

  #context({ subresource }: Place): WriteContext {
    return { now, random: this.#random, subresource, user: 'admin' }
  }
}

const deprecation = ({ versions: [version] }: ResourceType): readonly string[] =>
  version?.deprecationWarning === undefined ? [] : [version.deprecationWarning]

/** Errors name the kind as it is stored. */
const storedKind = ({ group, kind, storedAs }: ResourceType): { readonly group: string; readonly kind: string } => ({
  group: storedAs?.group ?? group,
  kind,
})

function normalized(type: ResourceType, object: JsonObject, context: WriteContext): JsonObject {
  const named = { ...object, kind: type.kind, apiVersion: type.group === '' ? 'v1' : `${type.group}/v1` }
  return type.behaviour.normalize?.(put(named, 'metadata', withoutEmpty(metadataOf(named))), context) ?? named
}

const isEmpty = (value: Json): boolean => value === null || (typeof value === 'object' && Object.keys(value).length === 0)

function withoutEmpty(metadata: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([, value]) => !isEmpty(value)))
}

function changed({ type }: Place, old: JsonObject, body: JsonObject, patch: RecordedRequest['patch']): JsonObject {
  if (patch === 'merge') return applyMergePatch(old, body)
  const schema = type.versions[0]?.schema
  return patch === 'strategic' && schema !== undefined ? applyStrategicPatch(old, body, schema) : body
}

function raised(type: ResourceType, object: JsonObject, old: JsonObject): JsonObject {
  const generation = metadataOf(old).generation
  if (!type.behaviour.hasGeneration || typeof generation !== 'number') return object
  const [next, before] = [object, old].map(({ metadata: _, status: __, ...content }) => content)
  const isAnnotated =
    type.behaviour.annotationsRaiseGeneration === true && !equalJson(metadataOf(object).annotations, metadataOf(old).annotations)
  return equalJson(next, before) && !isAnnotated ? object : put(object, 'metadata', { ...metadataOf(object), generation: generation + 1 })
}

function placeOf(path: string): Place {
  const [, root = '', ...parts] = path.split('/')
  const group = root === 'api' ? '' : (parts.shift() ?? '')
  parts.shift()
  const namespace =
    parts[0] === 'namespaces' && parts.length > 2 && !['status', 'finalize'].includes(parts[2] ?? '') ? (parts.splice(0, 2)[1] ?? '') : ''
  const [resource = '', name = '', subresource = ''] = parts
  const type = builtinResources.find((each) => each.group === group && each.resource === resource)
  if (type === undefined) throw new Error(`no built-in kind at ${path}`)
  return { type, key: keyOf(type, namespace, name), name, namespace, subresource }
}

/** Both groups of events share their objects. */
const keyOf = (type: ResourceType, namespace: string, name: string): string =>
  `${type.storedAs?.group ?? type.group}/${type.resource}/${namespace}/${name}`
