import { applyJsonPatch, applyMergePatch, applyStrategicPatch } from '../../patch/index.ts'
import { equalJson, isArray, isObject, type Json, type JsonArray, type JsonObject, type MutableObject } from '../../json.ts'
import type { JsonSchema } from '../../schema/json-schema.ts'
import {
  applyConfiguration,
  fromScaleEntries,
  scaleApiVersion,
  scaleSchema,
  toScaleEntries,
  trackUpdate,
  withoutIdleTimes,
  type OwnershipContext,
} from '../index.ts'

/** A kind as the recorded scenarios use it. */
export interface RecordedKind {
  readonly isCustom: boolean
  readonly schemas: Readonly<Record<string, JsonSchema>>
  readonly hasStatus: boolean
  /** What the kind's server adds to what clients send. */
  readonly normalize?: (object: JsonObject) => JsonObject
  /** What it sets itself on what is created. */
  readonly prepare?: (object: JsonObject) => JsonObject
}

export interface RecordedStep {
  readonly do: 'apply' | 'create' | 'replace' | 'merge' | 'json' | 'strategic' | 'read'
  readonly at?: 'status' | 'scale'
  readonly by?: string
  readonly in?: string
  readonly force?: boolean
  readonly send?: Json
}

/** The smallest server that can hold one of these conversations: one object, no storage, no validation. */
export class RecordedServer {
  private readonly kind: RecordedKind
  private readonly apiVersion: string
  private now = Date.UTC(2026, 0, 1)
  object: JsonObject | undefined

  constructor(kind: RecordedKind, apiVersion: string) {
    this.kind = kind
    this.apiVersion = apiVersion
  }

  run(step: RecordedStep): JsonObject {
    this.now += 1000
    if (step.at === 'scale') return this.scale(step)
    const context = this.context(step)
    const live = this.object === undefined ? undefined : this.readAs(this.object, context.apiVersion)
    const next = this.write(step, live, context)
    const stored = this.prepared(next, live, step)
    this.object = live === undefined ? stored : withoutIdleTimes(live, stored)
    return this.object
  }

  private write(step: RecordedStep, live: JsonObject | undefined, context: OwnershipContext): JsonObject {
    const send = step.send ?? null
    if (step.do === 'read') return live ?? {}
    if (step.do === 'apply') {
      if (!isObject(send)) throw new TypeError('only objects can be applied')
      return this.complete(applyConfiguration(live, send, { ...context, force: step.force === true }), context.apiVersion)
    }
    const changed = this.complete(patched(step, live ?? {}, send, this.schema(context.apiVersion)), context.apiVersion)
    return trackUpdate(live, changed, context)
  }

  private schema(apiVersion: string): JsonSchema {
    return this.kind.schemas[apiVersion] ?? {}
  }

  private complete(object: JsonObject, apiVersion: string): JsonObject {
    const defaulted = withDefaults(object, this.schema(apiVersion))
    return isObject(defaulted) ? (this.kind.normalize?.(defaulted) ?? defaulted) : object
  }

  private readAs(object: JsonObject, apiVersion: string): JsonObject {
    if (object.apiVersion === apiVersion) return object
    const { spec, ...rest }: JsonObject = { ...object, apiVersion }
    const known = this.schema(apiVersion).properties?.spec?.properties ?? {}
    if (!isObject(spec)) return rest
    const kept = Object.fromEntries(Object.entries(spec).filter(([field]) => Object.hasOwn(known, field)))
    return this.complete({ ...rest, spec: kept }, apiVersion)
  }

  private context(step: RecordedStep): OwnershipContext {
    const apiVersion = step.in ?? this.apiVersion
    const reset = step.at === 'status' ? [['spec']] : this.kind.hasStatus ? [['status']] : []
    return {
      schemaOf: (version) => this.kind.schemas[version],
      apiVersion,
      manager: step.by ?? 'replay',
      subresource: step.at ?? '',
      now: this.now,
      resetFields: reset,
      isCustom: this.kind.isCustom,
    }
  }

  /** Keeps what a request to this URL may not change, and the name of what it made. */
  private prepared(next: JsonObject, live: JsonObject | undefined, step: RecordedStep): JsonObject {
    const result: MutableObject = { ...next }
    const keep = (field: string, value: Json | undefined): void => {
      if (value === undefined) delete result[field]
      else result[field] = value
    }
    if (step.at === 'status') {
      keep('spec', live?.spec)
      const entries = isObject(next.metadata) ? next.metadata.managedFields : undefined
      if (isObject(live?.metadata)) keep('metadata', { ...live.metadata, ...(entries === undefined ? {} : { managedFields: entries }) })
    } else if (this.kind.hasStatus && this.kind.isCustom) {
      keep('status', live?.status)
    }
    if (live === undefined) keep('metadata', { ...(isObject(next.metadata) ? next.metadata : {}), uid: 'u' })
    else if (isObject(result.metadata)) keep('metadata', { ...result.metadata, uid: 'u' })
    return live === undefined ? (this.kind.prepare?.(result) ?? result) : result
  }

  private scale(step: RecordedStep): JsonObject {
    const live = this.object
    if (live === undefined || !isObject(live.spec) || !isObject(live.metadata)) throw new TypeError('nothing to scale')
    const path = (apiVersion: string): readonly string[] | undefined => (this.kind.schemas[apiVersion] && ['spec', 'replicas']) || undefined
    const parentEntries = isArray(live.metadata.managedFields) ? live.metadata.managedFields : []
    const scale: JsonObject = {
      apiVersion: scaleApiVersion,
      kind: 'Scale',
      metadata: { name: live.metadata.name ?? '', managedFields: toScaleEntries(parentEntries, path) },
      spec: { replicas: live.spec.replicas ?? 0 },
      status: { replicas: 0 },
    }
    const context = {
      ...this.context(step),
      schemaOf: () => scaleSchema,
      apiVersion: scaleApiVersion,
      isCustom: false,
      resetFields: [['status']],
    }
    const send = step.send ?? null
    const next =
      step.do === 'apply' && isObject(send)
        ? applyConfiguration(scale, send, { ...context, force: step.force === true })
        : trackUpdate(scale, patched(step, scale, send, scaleSchema), context)
    const scaleEntries: JsonArray = isObject(next.metadata) && isArray(next.metadata.managedFields) ? next.metadata.managedFields : []
    const managedFields = fromScaleEntries(parentEntries, scaleEntries, this.apiVersion, path)
    const replicas = isObject(next.spec) ? (next.spec.replicas ?? 0) : 0
    this.object = { ...live, metadata: { ...live.metadata, managedFields }, spec: { ...live.spec, replicas } }
    return next
  }
}

function patched(step: RecordedStep, live: JsonObject, send: Json, schema: JsonSchema): JsonObject {
  switch (step.do) {
    case 'merge':
      return applyMergePatch(live, send)
    case 'json':
      return applyJsonPatch(live, send)
    case 'strategic':
      return applyStrategicPatch(live, send, schema)
    case 'apply':
    case 'create':
    case 'read':
    case 'replace':
      break
  }
  return isObject(send) ? send : {}
}

function withDefaults(value: Json, schema: JsonSchema): Json {
  if (isArray(value))
    return schema.items === undefined
      ? value
      : shared(
          value,
          value.map((item) => withDefaults(item, schema.items ?? {})),
        )
  if (!isObject(value)) return value
  const result: MutableObject = { ...value }
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const member = result[name] === undefined || (result[name] === null && field.default !== undefined) ? field.default : result[name]
    if (member !== undefined) result[name] = withDefaults(member, field)
  }
  return shared(value, result)
}

function shared<T extends Json>(before: T, after: T): T {
  return equalJson(before, after) ? before : after
}
