import type { JsonObject } from '../json.ts'
import type { Entry } from './entries.ts'
import { fieldSet, withNamedParents } from './field-set.ts'
import { difference, intersection, isEmpty, noFields, union, type Fields } from './fields.ts'
import type { FieldType } from './field-type.ts'
import { typeIn, type OwnershipContext } from './ownership.ts'
import { removeFields } from './remove.ts'

/**
 * Takes out of a merged object what its applier applied last time, not this time, and nobody else owns.
 *
 * `last` is the applier's entry before, `entries` are all entries with its new one.
 */
export function withoutDropped(merged: JsonObject, last: Entry, entries: readonly Entry[], context: OwnershipContext): JsonObject {
  const now = entries.find(
    (entry) => entry.manager === last.manager && entry.operation === 'Apply' && entry.subresource === last.subresource,
  )
  if (isEmpty(difference(last.fields, now?.fields ?? noFields))) return merged
  const type = typeIn(context, last.apiVersion)
  if (type === undefined) return merged
  const whole = namedFields(merged, type)
  const dropped = withNamedParents(last.fields, type)
  const kept = keptObject(merged, removeFields(merged, dropped, type, null), last.apiVersion, entries, context)
  const gone = intersection(difference(whole, namedFields(kept, type)), dropped)
  return removeFields(merged, gone, type, context.isCustom ? null : undefined)
}

/** What must stay of the merged object: what is in `rest` anyway, and what somebody owns. */
function keptObject(
  merged: JsonObject,
  rest: JsonObject,
  firstVersion: string,
  entries: readonly Entry[],
  context: OwnershipContext,
): JsonObject {
  const owned = new Map<string, Fields>([[firstVersion, noFields]])
  for (const { apiVersion, fields } of entries) owned.set(apiVersion, union(owned.get(apiVersion) ?? noFields, fields))
  let kept = rest
  for (const [apiVersion, fields] of owned) {
    const type = typeIn(context, apiVersion)
    if (type === undefined) continue
    const stays = union(namedFields(kept, type), withNamedParents(fields, type))
    kept = removeFields(merged, difference(namedFields(merged, type), stays), type, null)
  }
  return kept
}

function namedFields(object: JsonObject, type: FieldType): Fields {
  return withNamedParents(fieldSet(object, type), type)
}
