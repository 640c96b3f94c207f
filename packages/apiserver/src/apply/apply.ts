import { formatTime } from '@windlass/core'
import { ApiError, badRequest } from '../errors/api-error.ts'
import { equalJson, isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import { configurationProblems } from './check.ts'
import { conflictError, type Conflict } from './conflicts.ts'
import { identity, readStored, storedEntries, withEntries, writeEntries, type Entry } from './entries.ts'
import { fieldSet } from './field-set.ts'
import { difference, isEmpty, noFields, without } from './fields.ts'
import type { FieldType } from './field-type.ts'
import { heir, inheritedFields, withLastApplied } from './last-applied.ts'
import { mergeObjects } from './merge.ts'
import { bookkeeping, comparisonsOf, contested, disowned, requestType, resetSet, type OwnershipContext } from './ownership.ts'
import { withoutDropped } from './prune.ts'
import { entriesBeforeFirstApply } from './update.ts'

export interface ApplyContext extends OwnershipContext {
  /** Take fields from managers that gave them other values, instead of refusing. */
  readonly force: boolean
}

/**
 * Server-side apply: `body` laid over `live` (`undefined`: the object is created), without what this manager applied before and leaves
 * out now, with ownership brought up to date. Returns `live` itself when neither the object nor its ownership changes.
 *
 * Defaults, pruning and validation come after it, and then `withoutIdleTimes`. Nulls in the result are meant: a list or map that lost its
 * last element is null in a custom resource, and validation refuses it.
 *
 * # Errors
 *
 * 409 with one cause per field when others own fields that would change; 500 when the body does not fit the schema (real servers say 500);
 * 400 when the body has managedFields.
 */
export function applyConfiguration(live: JsonObject | undefined, body: JsonObject, context: ApplyContext): JsonObject {
  const applied = withoutUnsetTime(body)
  if (isObject(applied.metadata) && (applied.metadata.managedFields ?? null) !== null) {
    throw badRequest('metadata.managedFields must be nil')
  }
  const type = requestType(context)
  checkConfiguration(applied, type)
  const stored = storedEntries(live)
  const known = readStored(stored)
  const entries = known.length === 0 && live !== undefined ? entriesBeforeFirstApply(live, context) : known
  const bare = live === undefined ? undefined : withEntries(live, [])

  const applier = applierOf(applied, entries, type, context)
  const merged = bare === undefined ? applied : mergeObjects(bare, applied, type)
  const others = entries.filter((entry) => entry !== applier.before)
  const pruned = applier.before === undefined ? merged : withoutDropped(merged, applier.before, [...others, applier.now], context)
  const object = tidyMetadata(pruned)

  const isChanged = bare === undefined || !equalJson(bare, object)
  const rest = bare === undefined ? others : othersAfter(others, bare, object, type, context)
  const own = ownEntry(applier, isChanged, context)
  const after = own === undefined ? rest : [...rest, own]
  const base = isChanged || live === undefined ? object : live
  const synced = context.manager === heir ? withLastApplied(base, applied) : base
  return withEntries(synced, writeEntries(after, stored))
}

/** Clients that print objects from Go structures send `creationTimestamp: null` and mean nothing by it. */
function withoutUnsetTime(body: JsonObject): JsonObject {
  if (!isObject(body.metadata) || body.metadata.creationTimestamp !== null) return body
  const { creationTimestamp: _, ...metadata } = body.metadata
  return { ...body, metadata }
}

function checkConfiguration(applied: JsonObject, type: FieldType): void {
  const problems = configurationProblems(applied, type)
  if (problems.length === 0) return
  const text = problems.length === 1 ? problems[0] : `errors:\n${problems.map((problem) => `  ${problem}`).join('\n')}`
  throw new ApiError(500, '', `failed to create typed patch object (${objectText(applied)}): ${text}`)
}

function objectText({ apiVersion, kind, metadata }: JsonObject): string {
  const { namespace, name } = isObject(metadata) ? metadata : {}
  return `${text(namespace)}/${text(name)}; ${kindText(apiVersion, kind)}`
}

/** `test.windlass.dev/v1, Kind=Widget`; `/v1, Kind=ConfigMap` in the core group. */
export function kindText(apiVersion: Json | undefined, kind: Json | undefined): string {
  const version = text(apiVersion)
  return `${version.includes('/') ? version : `/${version}`}, Kind=${text(kind)}`
}

function text(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

interface Applier {
  readonly before: Entry | undefined
  /** With everything the body names, bookkeeping included; the time is not decided yet. */
  readonly now: Entry
}

function applierOf(applied: JsonObject, entries: readonly Entry[], type: FieldType, context: ApplyContext): Applier {
  const { apiVersion, subresource } = context
  const who = { manager: context.manager, operation: 'Apply', apiVersion, subresource } as const
  const before = entries.find((entry) => identity(entry) === identity(who))
  const fields = without(fieldSet(applied, type), resetSet(context))
  return { before, now: { ...who, time: before?.time, fields } }
}

/** The applier's entry as it is stored: the one from before when nothing about it changed, none when it owns nothing. */
function ownEntry({ before, now }: Applier, isChanged: boolean, context: ApplyContext): Entry | undefined {
  const fields = difference(now.fields, bookkeeping)
  if (isEmpty(fields)) return undefined
  const time = isChanged ? formatTime(context.now) : before?.time
  const isSame = before !== undefined && before.time === time && before.apiVersion === now.apiVersion && equalJson(before.fields, fields)
  return isSame ? before : { ...now, time, fields }
}

function othersAfter(
  others: readonly Entry[],
  bare: JsonObject,
  object: JsonObject,
  type: FieldType,
  context: ApplyContext,
): readonly Entry[] {
  const comparisonIn = comparisonsOf(bare, object, context)
  if (!context.force) {
    const conflicts = conflictsWith(others, comparisonIn, bare, type, context)
    if (conflicts.length > 0) throw conflictError(conflicts)
  }
  return disowned(others, comparisonIn)
}

function conflictsWith(
  others: readonly Entry[],
  comparisonIn: ReturnType<typeof comparisonsOf>,
  bare: JsonObject,
  type: FieldType,
  context: ApplyContext,
): readonly Conflict[] {
  const found = (allowed: JsonObject): Conflict[] =>
    others.flatMap((entry) => {
      const fields = difference(contested(entry, comparisonIn), allowed)
      return isEmpty(fields) ? [] : [{ with: entry, fields }]
    })
  const conflicts = found(noFields)
  if (conflicts.length === 0 || context.manager !== heir) return conflicts
  return found(inheritedFields(bare, type, context.apiVersion))
}

const collections = ['labels', 'annotations', 'finalizers', 'ownerReferences']

/** `metadata` has no empty collections: what lost its last element is gone. */
function tidyMetadata(object: JsonObject): JsonObject {
  const { metadata } = object
  if (!isObject(metadata)) return object
  const isIdle = (name: string): boolean => {
    const value = metadata[name]
    if (value === null) return true
    return isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0
  }
  if (!collections.some(isIdle)) return object
  const tidy: MutableObject = {}
  for (const [name, value] of Object.entries(metadata)) if (!collections.includes(name) || !isIdle(name)) tidy[name] = value
  return { ...object, metadata: tidy }
}
