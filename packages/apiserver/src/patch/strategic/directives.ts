import { ApiError, badRequest } from '../../errors/api-error.ts'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../../json.ts'

/** Members of a patch that are instructions rather than data. */
export const directive = '$patch'
export const retainKeys = '$retainKeys'
export const deleteFromList = '$deleteFromPrimitiveList/'
export const elementOrder = '$setElementOrder/'

/** Errors that real servers let through as they are: 500 and the bare text. */
export function brokenPatch(message: string): ApiError {
  return new ApiError(500, '', message)
}

export const badPrimitiveList = (): ApiError => badRequest('invalid patch format of primitive list')
export const badRetainKeys = (): ApiError => badRequest('invalid patch format of retainKeys')
export const badElementOrder = (): ApiError => badRequest('invalid patch format of setElementOrder list')

export function unknownDirective(value: Json, patch: JsonObject): ApiError {
  return brokenPatch(`unknown patch type '${shown(value)}' in map: ${shown(patch)}`)
}

export function missingMergeKey(item: Json, key: string): ApiError {
  return brokenPatch(`map: ${shown(item)} does not contain declared merge key: ${key}`)
}

export function shown(value: Json): string {
  return JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? Number(part) : part))
}

/**
 * A part of a patch as it is stored where nothing was before: without nulls and without instructions. `undefined` when the whole of it is
 * an instruction.
 */
export function plain(value: Json): Json | undefined {
  if (isArray(value)) return value.map(plain).filter((item) => item !== undefined)
  if (!isObject(value)) return value
  if (Object.hasOwn(value, directive)) return undefined
  const result: MutableObject = {}
  for (const key in value) {
    const part = value[key]
    if (key === '__proto__' || part === undefined || part === null) continue
    const kept = plain(part)
    if (kept !== undefined) result[key] = kept
  }
  return result
}
