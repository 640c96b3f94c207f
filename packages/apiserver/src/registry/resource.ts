import type { Instant, Random } from '@windlass/core'
import type { FieldError } from '../errors/field-error.ts'
import type { Json, JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/** A column of `kubectl get`, found by a JSON path, as CustomResourceDefinitions declare it. */
export interface PathColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description?: string
  readonly priority?: number
  readonly jsonPath: string
}

/** A column of a built-in kind, computed. Dates are given as `{ age: '2026-01-01T00:00:00Z' }` and printed as an age. */
export interface ComputedColumn {
  readonly name: string
  readonly type: string
  readonly format?: string
  readonly description: string
  readonly priority: number
  readonly cell: (object: JsonObject, now: Instant) => Json
}

export interface ScalePaths {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/** One version in which a resource is served. */
export interface ResourceVersion {
  readonly name: string
  readonly served: boolean
  /** The whole object, `metadata` left open: `{type: object, properties: {spec, status, …}}`. */
  readonly schema: JsonSchema
  readonly hasStatus: boolean
  readonly scale?: ScalePaths
  readonly columns: readonly (PathColumn | ComputedColumn)[]
  /** JSON paths (`.spec.color`) that field selectors may name. */
  readonly selectableFields: readonly string[]
  /** Set when every use of the version earns a Warning header. */
  readonly deprecationWarning?: string
}

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch'

/** What hooks may know besides the object. */
export interface WriteContext {
  readonly now: Instant
  readonly random: Random
  /** Name of the subresource being written (`status`, `scale`, `finalize`), or empty. */
  readonly subresource: string
  readonly user: string
}

/**
 * How one kind differs from the others. Custom resources all share one behaviour; each built-in kind declares its own. Hooks are
 * pure: they return the object they were given, or a new one.
 */
export interface Behaviour {
  /** What names must look like: DNS subdomain (253), DNS label (63), RFC 1035 label (Service), or any path segment (RBAC). */
  readonly names: 'subdomain' | 'label' | 'service' | 'path'
  /** PUT without a resourceVersion overwrites. */
  readonly allowsUnconditionalUpdate: boolean
  /** PUT to a name that does not exist creates. */
  readonly allowsCreateOnUpdate: boolean
  /** `metadata.generation` is kept for this kind. */
  readonly hasGeneration: boolean
  /** DELETE answers the object, not a Status. */
  readonly deleteAnswersObject: boolean
  /** Unknown or ill-typed fields are refused while decoding with a 400, as Go's decoder does for built-in kinds. */
  readonly typed: boolean
  /**
   * Normalises what was sent before anything else looks at it (Secret's stringData, times, quantities). Built-in defaults too. `before` is the object
   * that it was patched from: what it shares with that is normal already.
   */
  readonly normalize?: (object: JsonObject, context: WriteContext, before?: JsonObject) => JsonObject
  readonly prepareForCreate?: (object: JsonObject, context: WriteContext) => JsonObject
  /** `old` is what is stored. Drops what this request may not change. */
  readonly prepareForUpdate?: (object: JsonObject, old: JsonObject, context: WriteContext) => JsonObject
  /** Rules beyond the schema; `old` is set on updates. */
  readonly validate?: (object: JsonObject, old: JsonObject | undefined, context: WriteContext) => readonly FieldError[]
  readonly warnings?: (object: JsonObject, old: JsonObject | undefined) => readonly string[]
  /** Values of the kind's own field labels, by label; the keys are the ones that selectors may name. */
  readonly fieldLabels?: (object: JsonObject) => Readonly<Record<string, string>>
  readonly fieldLabelNames?: readonly string[]
  /** Changes of annotations raise the generation too (Deployments keep their revision in one). */
  readonly annotationsRaiseGeneration?: boolean
  /** Fields outside `metadata` whose changes leave the generation alone; `status` where there is a status subresource. */
  readonly withoutGeneration?: readonly string[]
  /**
   * Seconds an object lives on after DELETE, for kinds that end gracefully (Pods). `requested` is what the client asked for.
   */
  readonly gracePeriod?: (object: JsonObject, requested: number | undefined) => number
  /** Whether something besides `metadata.finalizers` keeps a deleted object (a Namespace's `spec.finalizers`). */
  readonly isHeld?: (object: JsonObject) => boolean
  /** What else changes when an object is marked for deletion (a Namespace's phase, a CRD's cleanup finalizer). */
  readonly markDeleted?: (object: JsonObject, context: WriteContext) => JsonObject
  /** Seconds after which an object expires, counted from its last write. */
  readonly timeToLive?: number
}

/** A kind that is stored and served: built in, or made by a CustomResourceDefinition. */
export interface ResourceType {
  readonly group: string
  /** Plural, as in URLs. */
  readonly resource: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly namespaced: boolean
  readonly verbs: readonly Verb[]
  /** Most preferred first. */
  readonly versions: readonly ResourceVersion[]
  readonly storageVersion: string
  readonly isCustom: boolean
  readonly behaviour: Behaviour
  /** Subresources besides status and scale, for discovery: `eviction`, `token`, `finalize`, `binding`. */
  readonly extraSubresources?: readonly ExtraSubresource[]
  /** Set when the objects live under another resource (events.k8s.io Events are stored as core ones). */
  readonly storedAs?: StoredAs
}

/** Two resources over the same stored objects, and how to translate between them. */
export interface StoredAs {
  readonly group: string
  readonly resource: string
  readonly fromStored: (object: JsonObject) => JsonObject
  readonly toStored: (object: JsonObject) => JsonObject
}

export interface ExtraSubresource {
  readonly name: string
  readonly group: string
  readonly version: string
  readonly kind: string
  readonly verbs: readonly string[]
}
