/** The key as servers write it. In the middle of a string, quotes would have backslashes before them. */
const start = '"managedFields":['
const end = ']'
/** A number that nobody writes. */
const standIn = '"managedFields":-0'

/** What may have managedFields, as far as anybody knows before looking. */
type Described = { metadata?: { readonly managedFields?: unknown } | null } | null | undefined

/** Where the object is in what was read. */
type Place = (value: unknown) => Described

const inEvent: Place = (value) => (value as { readonly object?: Described } | null)?.object
const atTop: Place = (value) => value as Described

/**
 * What `JSON.parse` makes of an event of a watch, without `metadata.managedFields`. It is made of so many small objects that reading it takes longer
 * than all the rest, so it is cut out before.
 *
 * It is found by the looks of it, up to the first bracket that closes. All that can go wrong with that shows: when the bracket is not the
 * list's own, quotes or brackets no longer match and what is left is no JSON; when the list is somebody else's, the stand-in is not
 * where it should be. Then the whole text is read.
 *
 * Throws as `JSON.parse` does.
 */
export function eventWithoutManagedFields(line: string): unknown {
  return parseWithout(line, inEvent)
}

/** The same of one object. */
export function objectWithoutManagedFields(text: string): unknown {
  return parseWithout(text, atTop)
}

function parseWithout(text: string, place: Place): unknown {
  const value: unknown = parseCut(text, place) ?? JSON.parse(text)
  const object = place(value)
  if (object?.metadata?.managedFields === undefined) return value
  const { managedFields: _, ...metadata } = object.metadata
  object.metadata = metadata
  return value
}

/** Undefined when the cut was not in the right place, or there was nothing to cut. */
function parseCut(text: string, place: Place): unknown {
  const from = text.indexOf(start)
  const to = from < 0 ? -1 : text.indexOf(end, from)
  if (to < 0) return undefined
  try {
    const value: unknown = JSON.parse(text.slice(0, from) + standIn + text.slice(to + end.length))
    return Object.is(place(value)?.metadata?.managedFields, -0) ? value : undefined
  } catch {
    return undefined
  }
}
