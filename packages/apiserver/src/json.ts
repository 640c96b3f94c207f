/**
 * JSON values as the server handles them: immutable trees. Changes build new trees that share what stayed the same, so an
 * unchanged subtree is the same reference (`===`) before and after.
 *
 * Integers beyond ±2^53 are `bigint`, so that they survive a read-modify-write (see `wire/`).
 */
export type Json = null | boolean | number | bigint | string | JsonArray | JsonObject
export type JsonArray = readonly Json[]
export interface JsonObject {
  readonly [key: string]: Json
}

/** A JSON object under construction. */
export type MutableObject = Record<string, Json>

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: Json | undefined): value is JsonArray {
  return Array.isArray(value)
}

/** Deep equality of JSON values; the order of keys does not matter. */
export function equalJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (isArray(a)) {
    if (!isArray(b) || a.length !== b.length) return false
    for (let index = 0; index < a.length; index++) if (!equalJson(a[index], b[index])) return false
    return true
  }
  if (!isObject(a) || !isObject(b)) return false
  let size = 0
  for (const key in a) {
    if (!Object.hasOwn(b, key) || !equalJson(a[key], b[key])) return false
    size++
  }
  for (const _ in b) size--
  return size === 0
}
