import * as fc from 'fast-check'
import { isRecord } from '../equal.ts'

/** Objects as APIs have them: no member is null. */
export const someObject = fc.letrec<{ value: unknown; object: Record<string, unknown>; list: unknown[] }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom<unknown>(0, 1, 'x', '', true, false), tie('object'), tie('list')),
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  list: fc.array(tie('value'), { maxLength: 3 }),
})).object

/** The algorithm of RFC 7386, for comparison. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) delete result[name]
    else result[name] = mergePatch(result[name], value)
  }
  return result
}
