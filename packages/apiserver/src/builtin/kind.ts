import type { JsonObject, MutableObject } from '../json.ts'
import type {
  Behaviour,
  ComputedColumn,
  ExtraSubresource,
  ResourceType,
  ScalePaths,
  StoredAs,
  Verb,
  WriteContext,
} from '../registry/resource.ts'
import { inChangedSections } from '../registry/sections.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { canonicalObject, schemaOf, struct, type Declared, type StructType } from './dsl/index.ts'
import { objectMeta } from './fields/meta.ts'

/** One built-in kind: how it is served, and its type for those who read other encodings than JSON. */
export interface BuiltinKind {
  readonly resource: ResourceType
  readonly type: StructType
}

/** What has to be said about a kind; the rest follows from it or is the same for all. */
export interface KindDeclaration {
  readonly group: string
  readonly kind: string
  /** Plural, as in URLs. */
  readonly resource: string
  readonly singular?: string
  readonly shortNames?: readonly string[]
  readonly categories?: readonly string[]
  readonly isClusterScoped?: boolean
  readonly verbs?: readonly Verb[]
  /** All fields besides apiVersion, kind and metadata. */
  readonly fields: Readonly<Record<string, Declared>>
  readonly hasStatus?: boolean
  readonly scale?: ScalePaths
  readonly columns?: readonly ComputedColumn[]
  readonly deprecationWarning?: string
  readonly subresources?: readonly ExtraSubresource[]
  readonly storedAs?: StoredAs
  /** Fills in what a client may leave out. The object is canonical. */
  readonly defaults?: (object: JsonObject, context: WriteContext) => JsonObject
  readonly behaviour?: Partial<Omit<Behaviour, 'normalize' | 'typed'>>
}

export const allVerbs: readonly Verb[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

const version = 'v1'

export function defineKind(declaration: KindDeclaration): BuiltinKind {
  const { group, kind, resource, fields, defaults } = declaration
  const content = struct({ metadata: objectMeta, ...fields })
  const hasStatus = declaration.hasStatus ?? false
  const canonical = canonicalReader(content)
  const normalize = (object: JsonObject, context: WriteContext, before?: JsonObject): JsonObject => {
    const read = canonical(object, before)
    return defaults === undefined ? read : defaults(read, context)
  }
  return {
    type: content,
    resource: {
      group,
      kind,
      resource,
      singular: declaration.singular ?? kind.toLowerCase(),
      listKind: `${kind}List`,
      shortNames: declaration.shortNames ?? [],
      categories: declaration.categories ?? [],
      namespaced: declaration.isClusterScoped !== true,
      verbs: declaration.verbs ?? allVerbs,
      versions: [
        {
          name: version,
          served: true,
          schema: objectSchema(content),
          hasStatus,
          ...(declaration.scale === undefined ? {} : { scale: declaration.scale }),
          columns: declaration.columns ?? [],
          selectableFields: [],
          ...(declaration.deprecationWarning === undefined ? {} : { deprecationWarning: declaration.deprecationWarning }),
        },
      ],
      storageVersion: version,
      isCustom: false,
      behaviour: {
        names: 'subdomain',
        allowsUnconditionalUpdate: true,
        allowsCreateOnUpdate: false,
        hasGeneration: false,
        deleteAnswersObject: false,
        ...(hasStatus ? { withoutGeneration: ['status'] } : {}),
        ...declaration.behaviour,
        typed: true,
        normalize,
      },
      ...(declaration.subresources === undefined ? {} : { extraSubresources: declaration.subresources }),
      ...(declaration.storedAs === undefined ? {} : { storedAs: declaration.storedAs }),
    },
  }
}

/** The schema of a whole object. Metadata is left open: it is the same for all kinds and looked after elsewhere. */
export function objectSchema(type: StructType): JsonSchema {
  return {
    type: 'object',
    properties: { apiVersion: { type: 'string' }, kind: { type: 'string' }, ...schemaOf(type).properties, metadata: { type: 'object' } },
  }
}

/**
 * Brings whole objects of a kind into canonical form. Metadata is read before the rest and left alone here, and so are sections that the object shares
 * with the one that it was made from.
 */
export function canonicalReader(type: StructType): (object: JsonObject, before?: JsonObject) => JsonObject {
  const content = { ...type, fields: type.fields.filter(({ name }) => name !== 'metadata') }
  return (object, before) => inOrder(inChangedSections(object, before, (part) => canonicalObject(content, part)))
}

/** Real servers write kind and apiVersion first, and people who read raw answers are used to it. */
function inOrder(object: JsonObject): JsonObject {
  let position = 0
  for (const key in object) {
    if (position === 0 && key !== 'kind') break
    if (position === 1 && key !== 'apiVersion') break
    if (position === 2) return object
    position++
  }
  const { kind, apiVersion, metadata, ...rest } = object
  const ordered: MutableObject = {}
  if (kind !== undefined) ordered.kind = kind
  if (apiVersion !== undefined) ordered.apiVersion = apiVersion
  if (metadata !== undefined) ordered.metadata = metadata
  return Object.assign(ordered, rest)
}
