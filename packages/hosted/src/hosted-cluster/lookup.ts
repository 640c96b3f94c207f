/**
 * An answer from outside of the API, which may be missing. A failure is a value here: it is shown to people and blocks what depends on it, and
 * the rest goes on.
 */
export type Lookup<T> = { readonly is: 'found'; readonly value: T } | { readonly is: 'failed'; readonly problem: string }

export function found<T>(value: T): Lookup<T> {
  return { is: 'found', value }
}

export function failed(problem: string): Lookup<never> {
  return { is: 'failed', problem }
}

/** The answer, or nothing. */
export function valueOf<T>(lookup: Lookup<T>): T | undefined {
  return lookup.is === 'found' ? lookup.value : undefined
}
