import { isArray, isObject, type Json, type JsonObject } from '../json.ts'

/** Reading fields of objects whose shape others have checked, or nobody yet: what has another type counts as absent. */

export const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

export function textList(value: Json | undefined): readonly string[] {
  return isArray(value) ? value.filter((each) => typeof each === 'string') : []
}

export function objectAt(value: Json | undefined, key: string): JsonObject | undefined {
  const child = isObject(value) ? value[key] : undefined
  return isObject(child) ? child : undefined
}

export function objectList(value: Json | undefined): readonly JsonObject[] {
  return isArray(value) ? value.filter(isObject) : []
}
