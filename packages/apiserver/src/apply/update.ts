import { formatTime } from '@windlass/core'
import { equalJson, isArray, isObject, type JsonArray, type JsonObject } from '../json.ts'
import { folded, identity, readSent, readStored, storedEntries, withEntries, writeEntries, type Entry } from './entries.ts'
import { difference, isEmpty, union, type Fields } from './fields.ts'
import { bookkeeping, comparisonsOf, disowned, type ComparisonIn, type OwnershipContext } from './ownership.ts'

/**
 * `next` with `metadata.managedFields` brought up to date for a create or an update (POST, PUT, and patches other than apply). `live` is
 * what is stored, `undefined` on create.
 *
 * The writer gains what it changed, everyone loses what it changed or removed. Entries that this does not touch are the ones of `live`, by
 * reference and with their times.
 *
 * # What the client says about managedFields
 *
 * An update may bring entries of its own. `[{}]` makes the server forget them all, and it starts again with the next apply. None, an empty
 * list, and what cannot be read mean those of `live`. Subresources cannot change them.
 *
 * # When to call
 *
 * After defaults and pruning, before anything that the server itself sets on the object (`spec.finalizers` of a Namespace is nobody's), and
 * with `next` still holding what the client sent as managedFields.
 */
export function trackUpdate(live: JsonObject | undefined, next: JsonObject, context: OwnershipContext): JsonObject {
  const stored = storedEntries(live)
  const entries = entriesToKeep(stored, next, context)
  if (entries.length === 0 && live !== undefined) return withEntries(next, [])
  // With the entries of `live` the comparison has no reason to look at them.
  const comparisonIn = comparisonsOf(live, withEntries(next, stored), context)
  const rest = disowned(entries, comparisonIn)
  const gained = gainedFields(comparisonIn, context)
  const after = gained === undefined ? rest : withGained(rest, gained, context)
  return withEntries(next, writeEntries(folded(after), stored))
}

function entriesToKeep(stored: JsonArray, next: JsonObject, { subresource }: OwnershipContext): readonly Entry[] {
  const sent = isObject(next.metadata) ? next.metadata.managedFields : undefined
  const isOurs = sent === undefined || subresource !== '' || sent === stored || (isArray(sent) && equalJson(sent, stored))
  const own = isOurs ? undefined : readSent(sent)
  if (own === 'reset') return []
  return own ?? readStored(stored)
}

function gainedFields(comparisonIn: ComparisonIn, { apiVersion }: OwnershipContext): Fields | undefined {
  const changed = comparisonIn(apiVersion)?.changed
  if (changed === undefined) return undefined
  const gained = difference(changed, bookkeeping)
  return isEmpty(gained) ? undefined : gained
}

function withGained(entries: readonly Entry[], gained: Fields, context: OwnershipContext): readonly Entry[] {
  const { apiVersion, subresource, now } = context
  const writer = { manager: context.manager === '' ? 'unknown' : context.manager, operation: 'Update', apiVersion, subresource } as const
  const id = identity(writer)
  const before = entries.find((entry) => identity(entry) === id)
  const own: Entry = { ...writer, time: formatTime(now), fields: before === undefined ? gained : union(before.fields, gained) }
  return [...entries.filter((entry) => entry !== before), own]
}

/** The entry of whoever made an object that nobody tracked, as if it had just been created. */
export function entriesBeforeFirstApply(live: JsonObject, context: OwnershipContext): readonly Entry[] {
  const gained = gainedFields(comparisonsOf(undefined, live, context), context)
  return gained === undefined ? [] : withGained([], gained, { ...context, manager: 'before-first-apply' })
}

/**
 * `next` with the times of `live` when nothing else differs: a write that changes nothing leaves no trace. Call it last, with both objects
 * as they would be stored; it returns `live` itself when they are equal.
 */
export function withoutIdleTimes(live: JsonObject, next: JsonObject): JsonObject {
  const before = storedEntries(live)
  // Nearly every write changes something else, too, and that is seen much sooner than whether owners have changed.
  if (!equalJson(withEntries(next, before), live)) return next
  const after = storedEntries(next)
  const isSame =
    before.length === after.length && after.every((entry, index) => equalJson(timeless(entry), timeless(before[index] ?? null)))
  return isSame ? live : next
}

function timeless(entry: JsonArray[number]): JsonArray[number] {
  if (!isObject(entry)) return entry
  const { time: _, ...rest } = entry
  return rest
}
