/**
 * Remembers what was made of a schema by the schema's identity: schemas are immutable and live as long as the kind they describe, so a
 * changed CustomResourceDefinition brings new ones and the old results go with the old schemas.
 */
export function memoised<Source extends object, Result>(make: (source: Source) => Result): (source: Source) => Result {
  const made = new WeakMap<Source, { readonly result: Result }>()
  return (source) => {
    const known = made.get(source)
    if (known !== undefined) return known.result
    const result = make(source)
    made.set(source, { result })
    return result
  }
}

/** Makes a value when it is first asked for: schemas may be circular, so no part is compiled before an object leads to it. */
export function lazy<Result>(make: () => Result): () => Result {
  let made: { readonly result: Result } | undefined
  return () => (made ??= { result: make() }).result
}
