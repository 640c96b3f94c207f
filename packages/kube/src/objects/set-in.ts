import { equalJson, isRecord } from './equal.ts'

/** The type of what a path leads to, through members that may be absent. */
export type ValueAt<T, Path extends readonly PropertyKey[]> = Path extends readonly [
  infer Key,
  ...infer Rest extends readonly PropertyKey[],
]
  ? NonNullable<T> extends infer Target
    ? Key extends keyof Target
      ? ValueAt<Target[Key], Rest>
      : never
    : never
  : T

/**
 * The object with one value changed: `setIn(pool, ['spec', 'replicas'], 3)`. Everything beside the path is shared with the old object;
 * when the value is equal already, it is the old object. Undefined removes the member.
 *
 * Paths lead through objects, not into lists; parents that are absent are made.
 */
export function setIn<T extends object, const Path extends readonly [PropertyKey, ...PropertyKey[]]>(
  object: T,
  path: Path,
  value: ValueAt<T, Path> | undefined,
): T {
  // The value has the type of what it replaces, so what comes out is of the type that went in.
  return set(object, path, 0, value) as T
}

function set(target: object, path: readonly PropertyKey[], depth: number, value: unknown): object {
  const key = path[depth]
  if (key === undefined) return target
  const before: unknown = Reflect.get(target, key)
  const isLast = depth === path.length - 1
  if (!isLast && before === undefined && value === undefined) return target
  const after = isLast ? value : set(isRecord(before) ? before : {}, path, depth + 1, value)
  if (equalJson(before, after)) return target
  if (after !== undefined) return { ...target, [key]: after }
  const { [key]: _removed, ...rest } = { ...target } as Record<PropertyKey, unknown>
  return rest
}
