import type { Instant } from '@windlass/core'
import type { JsonObject } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { compare, type Comparison } from './compare.ts'
import { emptyObjectOf } from './empty-objects.ts'
import { withFields, type Entry } from './entries.ts'
import { fieldAt, difference, intersection, isEmpty, noFields, union, without, type Fields } from './fields.ts'
import { freeForm, objectType, type FieldType } from './field-type.ts'

/** Who writes, where and when: what ownership needs to know of a request. */
export interface OwnershipContext {
  /** Schema of a version ("test.windlass.dev/v1") of this kind; `undefined` when that version is gone. */
  readonly schemaOf: (apiVersion: string) => JsonSchema | undefined
  /** The version in which the request speaks. */
  readonly apiVersion: string
  readonly manager: string
  /** `status`, `scale`, or empty for the object itself. */
  readonly subresource: string
  readonly now: Instant
  /** Paths of fields that this request cannot set and therefore does not own, everything below included. */
  readonly resetFields: readonly (readonly string[])[]
  readonly isCustom: boolean
}

const bookkept = [
  'name',
  'namespace',
  'creationTimestamp',
  'selfLink',
  'uid',
  'clusterName',
  'generation',
  'managedFields',
  'resourceVersion',
]

/** Fields that nobody owns because the server keeps them. */
export const bookkeeping: Fields = [['apiVersion'], ['kind'], ['metadata'], ...bookkept.map((name) => ['metadata', name])]
  .map(fieldAt)
  .reduce(union, noFields)

/** The type of the kind in a version; `undefined` when the version is gone. */
export function typeIn(context: OwnershipContext, apiVersion: string): FieldType | undefined {
  const schema = context.schemaOf(apiVersion)
  return schema === undefined ? undefined : objectType(schema)
}

export function requestType(context: OwnershipContext): FieldType {
  return typeIn(context, context.apiVersion) ?? freeForm
}

const resetSets = new WeakMap<OwnershipContext['resetFields'], Fields>()

/** The set of what a request resets. Cheapest when requests of one kind share their `resetFields`. */
export function resetSet({ resetFields }: OwnershipContext): Fields {
  let set = resetSets.get(resetFields)
  if (set === undefined) {
    set = resetFields.map(fieldAt).reduce(union, noFields)
    resetSets.set(resetFields, set)
  }
  return set
}

/** What a write changed, as a manager sees it who speaks in a given version; `undefined` when that version is gone. */
export type ComparisonIn = (apiVersion: string) => Comparison | undefined

export function comparisonsOf(before: JsonObject | undefined, after: JsonObject, context: OwnershipContext): ComparisonIn {
  const reset = resetSet(context)
  const known = new Map<FieldType | undefined, Comparison | undefined>()
  const old = completed(before ?? {}, after, context)
  const next = before === undefined ? after : completed(after, after, context)
  return (apiVersion) => {
    const type = apiVersion === context.apiVersion ? requestType(context) : typeIn(context, apiVersion)
    if (!known.has(type)) known.set(type, type === undefined ? undefined : outside(reset, compare(old, next, type)))
    return known.get(type)
  }
}

/**
 * Built-in kinds have sections that are always there, even when nothing is in them. Who fills one in does not own it, unlike one that it
 * made.
 */
function completed(object: JsonObject, named: JsonObject, context: OwnershipContext): JsonObject {
  if (context.isCustom) return object
  const empty = emptyObjectOf(named)
  for (const section in empty) if (object[section] === undefined) return { ...empty, ...object }
  return object
}

function outside(reset: Fields, comparison: Comparison): Comparison {
  if (isEmpty(reset)) return comparison
  const rest = (set: Fields | undefined): Fields | undefined => {
    const left = set === undefined ? noFields : without(set, reset)
    return isEmpty(left) ? undefined : left
  }
  return { changed: rest(comparison.changed), removed: rest(comparison.removed) }
}

/** Entries without the fields that a write took from them, and without those that are left with nothing or speak in a version that is gone. */
export function disowned(entries: readonly Entry[], comparisonIn: ComparisonIn): readonly Entry[] {
  return entries.flatMap((entry) => {
    const comparison = comparisonIn(entry.apiVersion)
    if (comparison === undefined) return []
    let { fields } = entry
    if (comparison.changed !== undefined) fields = difference(fields, comparison.changed)
    if (comparison.removed !== undefined) fields = difference(fields, comparison.removed)
    return isEmpty(fields) ? [] : [withFields(entry, fields)]
  })
}

/** Fields that an entry would lose to a write that gives them another value. */
export function contested(entry: Entry, comparisonIn: ComparisonIn): Fields {
  const changed = comparisonIn(entry.apiVersion)?.changed
  return changed === undefined ? noFields : intersection(entry.fields, changed)
}
