import type { JsonObject } from '@windlass/api'
import { equalJson, isRecord, type JsonRecord } from './equal.ts'

/**
 * The smallest JSON merge patch (RFC 7386) that turns one object into the other; undefined when they are equal. Lists are replaced whole: a merge
 * patch has no other way.
 *
 * Caveat: a merge patch cannot set a member to null, so a null in `after` reads as "absent".
 */
export function mergePatchBetween(before: object, after: object): JsonObject | undefined {
  return isRecord(before) && isRecord(after) ? between(before, after) : undefined
}

/** For one value; `null` when it is to go. Undefined when nothing is to be done. */
export function mergePatchForValue(before: unknown, after: unknown): unknown {
  if (isRecord(before) && isRecord(after)) return between(before, after)
  if (equalJson(before ?? null, after ?? null)) return undefined
  return after ?? null
}

/** Whether the merge patch would change anything. */
export function changes(target: unknown, patch: unknown): boolean {
  if (patch === undefined) return false
  if (patch === null) return target !== undefined && target !== null
  if (!isRecord(patch)) return !equalJson(target, patch)
  if (!isRecord(target)) return true
  for (const key in patch) if (changes(target[key], patch[key])) return true
  return false
}

function between(before: JsonRecord, after: JsonRecord): JsonObject | undefined {
  if (before === after) return undefined
  const patch: Record<string, unknown> = {}
  for (const key in after) {
    const change = mergePatchForValue(before[key], after[key])
    if (change !== undefined) patch[key] = change
  }
  for (const key in before) {
    if (after[key] === undefined && before[key] !== undefined && before[key] !== null) patch[key] = null
  }
  return asPatch(patch)
}

/** Values of API objects are JSON; their types say so field by field, which TypeScript cannot follow here. */
export function asPatch(members: Record<string, unknown>): JsonObject | undefined {
  for (const _ in members) return members as JsonObject
  return undefined
}
