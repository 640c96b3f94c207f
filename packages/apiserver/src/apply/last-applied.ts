import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import { compare } from './compare.ts'
import { fieldSet } from './field-set.ts'
import { difference, noFields, type Fields } from './fields.ts'
import type { FieldType } from './field-type.ts'

/**
 * The way from client-side to server-side apply: kubectl kept its last configuration in an annotation, and what it says there, kubectl may
 * take over without a conflict. Other managers do not get this.
 */
const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

export const heir = 'kubectl'

function lastApplied(object: JsonObject): string | undefined {
  const annotations = isObject(object.metadata) ? object.metadata.annotations : undefined
  const text = isObject(annotations) ? annotations[annotation] : undefined
  return typeof text === 'string' && text !== '' ? text : undefined
}

/** Fields that the annotation names and that still have the value it gives them. */
export function inheritedFields(live: JsonObject, type: FieldType, apiVersion: string): Fields {
  const text = lastApplied(live)
  const configuration = text === undefined ? undefined : parsed(text)
  if (!isObject(configuration) || configuration.apiVersion !== apiVersion) return noFields
  const { changed, removed } = compare(configuration, live, type)
  return difference(difference(fieldSet(configuration, type), changed ?? noFields), removed ?? noFields)
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** The object with its annotation, if it has one, brought up to date with what was applied. */
export function withLastApplied(object: JsonObject, applied: JsonObject): JsonObject {
  const before = lastApplied(object)
  if (before === undefined || !isObject(object.metadata) || !isObject(object.metadata.annotations)) return object
  const text = `${ordered(withoutAnnotation(applied))}\n`
  if (text === before) return object
  const annotations = { ...object.metadata.annotations, [annotation]: text }
  return { ...object, metadata: { ...object.metadata, annotations } }
}

function withoutAnnotation(applied: JsonObject): JsonObject {
  const { metadata } = applied
  if (!isObject(metadata) || !isObject(metadata.annotations)) return applied
  const { [annotation]: _, ...annotations } = metadata.annotations
  return { ...applied, metadata: { ...metadata, annotations } }
}

const escapes: Readonly<Record<string, string>> = { '<': '\\u003c', '>': '\\u003e', '&': '\\u0026' }

/** JSON as Go writes it: members sorted, angle brackets and ampersands escaped. */
function ordered(value: Json): string {
  if (typeof value === 'bigint') return value.toString()
  if (isArray(value)) return `[${value.map(ordered).join(',')}]`
  if (!isObject(value)) return escaped(value)
  const members: MutableObject = value
  return `{${Object.keys(members)
    .sort()
    .map((key) => `${escaped(key)}:${ordered(members[key] ?? null)}`)
    .join(',')}}`
}

function escaped(value: Json): string {
  return JSON.stringify(value).replace(/[<>&]/g, (character) => escapes[character] ?? character)
}
