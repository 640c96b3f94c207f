/**
 * What is below a path of names, in fields that our schema passes on without a description. `*` stands for every element of a list, hence several
 * answers.
 */
export function valuesAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const [name, ...rest] = path
  if (name === undefined) return value === undefined || value === null ? [] : [value]
  if (name === '*') return Array.isArray(value) ? value.flatMap((element) => valuesAt(element, ...rest)) : []
  return isRecord(value) ? valuesAt(value[name], ...rest) : []
}

/** Texts below a path, those that are not empty. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly string[] {
  return valuesAt(value, ...path).filter((each): each is string => typeof each === 'string' && each !== '')
}

/** The one text below a path without `*`; undefined for an empty one too. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  return textsAt(value, ...path)[0]
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
