/** The key as servers write it. In the middle of a string, quotes would have backslashes before them. */
const start = '"managedFields":['
const end = ']'
/** A number that nobody writes. */
const standIn = '"managedFields":-0'

interface Received {
  readonly object?: { metadata?: { readonly managedFields?: unknown } | null } | null
}

/**
 * What `JSON.parse` makes of an event, without `metadata.managedFields`. It is made of so many small objects that reading it takes longer
 * than all the rest, so it is cut out before.
 *
 * It is found by the looks of it, up to the first bracket that closes. All that can go wrong with that shows: when the bracket is not the
 * list's own, quotes or brackets no longer match and what is left is no JSON; when the list is somebody else's, the stand-in is not
 * where it should be. Then the whole text is read.
 *
 * Throws as `JSON.parse` does.
 */
export function parseWithoutManagedFields(line: string): unknown {
  const event = parseCut(line) ?? (JSON.parse(line) as Received | null)
  const object = event?.object
  if (object?.metadata?.managedFields === undefined) return event
  const { managedFields: _, ...metadata } = object.metadata
  object.metadata = metadata
  return event
}

/** Undefined when the cut was not in the right place, or there was nothing to cut. */
function parseCut(line: string): Received | undefined {
  const from = line.indexOf(start)
  const to = from < 0 ? -1 : line.indexOf(end, from)
  if (to < 0) return undefined
  try {
    const event = JSON.parse(line.slice(0, from) + standIn + line.slice(to + end.length)) as Received | null
    return event !== null && Object.is(event.object?.metadata?.managedFields, -0) ? event : undefined
  } catch {
    return undefined
  }
}
