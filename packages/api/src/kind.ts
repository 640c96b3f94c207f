import type { Static, TSchema } from 'typebox'
import type { Immutable } from './json.ts'
import type { KubernetesObject, ObjectMeta } from './meta/object-meta.ts'
import type { Rule } from './schema/index.ts'

/** A column of `kubectl get`. A priority above 0 shows it with `-o wide` only. */
export interface PrinterColumn {
  readonly name: string
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date'
  readonly jsonPath: string
  readonly description?: string
  readonly priority?: number
}

/** Where `kubectl scale` and autoscalers find the numbers. */
export interface Scale {
  readonly specReplicasPath: string
  readonly statusReplicasPath: string
  readonly labelSelectorPath?: string
}

/**
 * How the API calls a kind: all that is needed to read and write its objects. The type parameter is the type of its objects, so that
 * `client.get(NodePool, …)` returns a NodePool.
 */
export interface Resource<T extends KubernetesObject = KubernetesObject> {
  /** Empty for the core group. */
  readonly group: string
  readonly version: string
  /** `group/version`, as objects carry it. */
  readonly apiVersion: T['apiVersion']
  readonly kind: T['kind']
  readonly plural: string
  readonly scope: 'Namespaced' | 'Cluster'
  /** Status is written apart from the rest, through `/status`. */
  readonly hasStatusSubresource: boolean
  /** The type of the objects; there is no value behind it. */
  readonly '~object'?: T
}

/** Everything known about a kind of ours: besides how the API calls it, what its objects look like and how they are shown. */
export interface Kind<T extends KubernetesObject = KubernetesObject> extends Resource<T> {
  readonly listKind: string
  readonly singular: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly description: string
  readonly spec: TSchema
  readonly status: TSchema | undefined
  /** CEL rules over the whole object. */
  readonly rules: readonly Rule[]
  readonly scale: Scale | undefined
  readonly printerColumns: readonly PrinterColumn[]
}

/** The object type of a kind: `type NodePool = ObjectOf<typeof NodePool>`. */
export type ObjectOf<K> = K extends Resource<infer T> ? T : never

export interface KindDeclaration<Group, Version, Name, Spec, Status> {
  readonly group: Group
  readonly version: Version
  readonly kind: Name
  readonly plural: string
  /** The kind in lower case unless told. */
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  /** Namespaced unless told. */
  readonly scope?: 'Namespaced' | 'Cluster'
  readonly description: string
  readonly spec: Spec
  readonly status?: Status
  /** A kind with a status has the subresource unless told. */
  readonly hasStatusSubresource?: boolean
  readonly rules?: readonly Rule[]
  readonly scale?: Scale
  readonly printerColumns?: readonly PrinterColumn[]
}

/**
 * What an object of the kind looks like to code. `spec` is always there: an object without one would be refused by our CRD, and
 * no controller has anything to do with it.
 */
export interface KindObject<Group extends string, Version extends string, Name extends string, Spec extends TSchema, Status> {
  readonly apiVersion: `${Group}/${Version}`
  readonly kind: Name
  readonly metadata: ObjectMeta
  readonly spec: Immutable<Static<Spec>>
  readonly status?: Status extends TSchema ? Immutable<Static<Status>> : never
}

/** Declares a kind. See any file named after a kind for an example. */
export function defineKind<
  const Group extends string,
  const Version extends string,
  const Name extends string,
  Spec extends TSchema,
  Status extends TSchema | undefined = undefined,
>(declaration: KindDeclaration<Group, Version, Name, Spec, Status>): Kind<KindObject<Group, Version, Name, Spec, Status>> {
  const { group, version, kind, plural, description, spec, status } = declaration
  return {
    group,
    version,
    apiVersion: `${group}/${version}`,
    kind,
    listKind: `${kind}List`,
    plural,
    singular: declaration.singular ?? kind.toLowerCase(),
    shortNames: declaration.shortNames ?? [],
    categories: declaration.categories ?? [],
    scope: declaration.scope ?? 'Namespaced',
    description,
    spec,
    status,
    rules: declaration.rules ?? [],
    hasStatusSubresource: declaration.hasStatusSubresource ?? status !== undefined,
    scale: declaration.scale,
    printerColumns: declaration.printerColumns ?? [],
  }
}

export function column(
  name: string,
  jsonPath: string,
  options: { readonly type?: PrinterColumn['type']; readonly priority?: number } = {},
): PrinterColumn {
  return { name, type: options.type ?? 'string', jsonPath, ...(options.priority === undefined ? {} : { priority: options.priority }) }
}

/** A column that shows one field of one condition. */
export function conditionColumn(
  name: string,
  condition: string,
  field: 'status' | 'reason' | 'message' | 'lastTransitionTime' = 'status',
  options: { readonly priority?: number } = {},
): PrinterColumn {
  const type = field === 'lastTransitionTime' ? 'date' : 'string'
  return column(name, `.status.conditions[?(@.type=="${condition}")].${field}`, { type, ...options })
}

export const ageColumn: PrinterColumn = column('Age', '.metadata.creationTimestamp', { type: 'date' })
