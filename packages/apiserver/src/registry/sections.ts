import type { JsonObject, MutableObject } from '../json.ts'

/**
 * Changes the sections of an object (`spec`, `status`, …) that are not those of `before`, by reference, and leaves the others as they are. What
 * `change` makes of a section must not depend on the others.
 */
export function inChangedSections(
  object: JsonObject,
  before: JsonObject | undefined,
  change: (part: JsonObject) => JsonObject,
): JsonObject {
  const part = before === undefined ? object : changedPart(object, before)
  const changed = change(part)
  if (part === object) return changed
  return changed === part ? object : merged(object, part, changed)
}

function changedPart(object: JsonObject, before: JsonObject): JsonObject {
  const part: MutableObject = {}
  let hasShared = false
  for (const key in object) {
    const value = object[key]
    if (value === before[key]) hasShared = true
    else if (value !== undefined) part[key] = value
  }
  return hasShared ? part : object
}

/** In the order of the object. What `changed` has besides is filled in where the object has nothing. */
function merged(object: JsonObject, part: JsonObject, changed: JsonObject): JsonObject {
  const result: MutableObject = {}
  for (const key in object) {
    const value = part[key] === undefined ? object[key] : changed[key]
    if (value !== undefined) result[key] = value
  }
  for (const key in changed) {
    const value = changed[key]
    if (object[key] === undefined && value !== undefined) result[key] = value
  }
  return result
}
