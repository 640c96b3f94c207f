import { isArray, isObject, type Json, type JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'

/**
 * A CustomResourceDefinition as the rest of the folder reads it. What a client left out, or sent as null, is empty here, as it is in
 * Go. Values have the right JSON types: the kind's own schema has been checked when the request was decoded.
 */
export interface Definition {
  readonly name: string
  readonly annotations: JsonObject
  readonly group: string
  readonly scope: string
  readonly names: Names
  readonly versions: readonly Version[]
  readonly conversion: Conversion | undefined
  readonly preservesUnknownFields: boolean
  readonly accepted: Names
  readonly storedVersions: readonly string[]
  readonly conditions: readonly JsonObject[]
}

export interface Names {
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
}

export interface Version {
  readonly name: string
  readonly isServed: boolean
  readonly isStored: boolean
  readonly isDeprecated: boolean
  readonly deprecationWarning: string | undefined
  readonly schema: JsonSchema | undefined
  readonly subresources: JsonObject | undefined
  readonly columns: readonly Column[]
  readonly selectablePaths: readonly string[]
}

export interface Column {
  readonly name: string
  readonly type: string
  readonly format: string
  readonly description: string
  readonly priority: number
  readonly jsonPath: string
}

export interface Conversion {
  readonly strategy: string
  readonly clientConfig: JsonObject | undefined
  readonly reviewVersions: readonly string[]
}

export function readDefinition(crd: JsonObject): Definition {
  const [metadata, spec, status] = [object(crd.metadata), object(crd.spec), object(crd.status)]
  return {
    name: text(metadata.name),
    annotations: object(metadata.annotations),
    group: text(spec.group),
    scope: text(spec.scope),
    names: readNames(spec.names),
    versions: objects(spec.versions).map(readVersion),
    conversion: isObject(spec.conversion) ? readConversion(spec.conversion) : undefined,
    preservesUnknownFields: spec.preserveUnknownFields === true,
    accepted: readNames(status.acceptedNames),
    storedVersions: texts(status.storedVersions),
    conditions: objects(status.conditions),
  }
}

function readNames(json: Json | undefined): Names {
  const names = object(json)
  return {
    plural: text(names.plural),
    singular: text(names.singular),
    kind: text(names.kind),
    listKind: text(names.listKind),
    shortNames: texts(names.shortNames),
    categories: texts(names.categories),
  }
}

/** Names as they are written: what is empty is left out, but plural and kind never are. */
export function namesJson(names: Names): JsonObject {
  const { plural, singular, kind, listKind, shortNames, categories } = names
  return {
    plural,
    ...(singular === '' ? {} : { singular }),
    ...(shortNames.length === 0 ? {} : { shortNames }),
    kind,
    ...(listKind === '' ? {} : { listKind }),
    ...(categories.length === 0 ? {} : { categories }),
  }
}

function readVersion(json: JsonObject): Version {
  const schema = object(json.schema).openAPIV3Schema
  return {
    name: text(json.name),
    isServed: json.served === true,
    isStored: json.storage === true,
    isDeprecated: json.deprecated === true,
    deprecationWarning: typeof json.deprecationWarning === 'string' ? json.deprecationWarning : undefined,
    schema: isObject(schema) ? toSchema(schema) : undefined,
    subresources: isObject(json.subresources) ? json.subresources : undefined,
    columns: objects(json.additionalPrinterColumns).map(readColumn),
    selectablePaths: objects(json.selectableFields).map((each) => text(each.jsonPath)),
  }
}

/** Decoding has checked that the words of the schema have the types that `JsonSchema` gives them. */
function toSchema(json: JsonObject): JsonSchema {
  return json
}

/** A word of a schema that custom resources may not use, or that no code but the checks of this folder reads. */
export function word(schema: JsonSchema, name: string): Json | undefined {
  const value = (schema as unknown as JsonObject)[name]
  return value === null ? undefined : value
}

function readColumn(json: JsonObject): Column {
  return {
    name: text(json.name),
    type: text(json.type),
    format: text(json.format),
    description: text(json.description),
    priority: typeof json.priority === 'number' ? json.priority : 0,
    jsonPath: text(json.jsonPath),
  }
}

function readConversion(json: JsonObject): Conversion {
  const webhook = object(json.webhook)
  return {
    strategy: text(json.strategy),
    clientConfig: isObject(webhook.clientConfig) ? webhook.clientConfig : undefined,
    reviewVersions: texts(webhook.conversionReviewVersions),
  }
}

export const text = (json: Json | undefined): string => (typeof json === 'string' ? json : '')
export const object = (json: Json | undefined): JsonObject => (isObject(json) ? json : {})
const objects = (json: Json | undefined): readonly JsonObject[] => (isArray(json) ? json.filter(isObject) : [])
const texts = (json: Json | undefined): readonly string[] => (isArray(json) ? json.filter((each) => typeof each === 'string') : [])

export function condition(of: Definition, type: string): JsonObject | undefined {
  return of.conditions.find((each) => each.type === type)
}

export const isTrue = (of: Definition, type: string): boolean => condition(of, type)?.status === 'True'
