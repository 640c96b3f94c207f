/** One entry of an Accept header. */
export interface AcceptEntry {
  readonly type: string
  readonly subtype: string
  readonly quality: number
  readonly parameters: ReadonlyMap<string, string>
}

const anything: readonly AcceptEntry[] = [{ type: '*', subtype: '*', quality: 1, parameters: new Map() }]

/**
 * What a client accepts, most wanted first: by quality, then exact types before wildcards, then in the order it was written.
 * Entries of quality 0 are refusals and left out; no header means anything.
 */
export function parseAccept(header: string | undefined): readonly AcceptEntry[] {
  if (header === undefined || header.trim() === '') return anything
  return header
    .split(',')
    .flatMap((text) => parseEntry(text) ?? [])
    .filter((entry) => entry.quality > 0)
    .toSorted((a, b) => b.quality - a.quality || wildcards(a) - wildcards(b))
}

function parseEntry(text: string): AcceptEntry | undefined {
  const [media, ...rest] = text.split(';')
  const match = /^\s*([^/\s]+)\/([^/\s]+)\s*$/.exec(media ?? '')
  if (match?.[1] === undefined || match[2] === undefined) return undefined
  const parameters = new Map<string, string>()
  for (const part of rest) {
    const equals = part.indexOf('=')
    if (equals > 0) parameters.set(part.slice(0, equals).trim().toLowerCase(), unquoted(part.slice(equals + 1).trim()))
  }
  const quality = Number(parameters.get('q') ?? 1)
  return { type: match[1].toLowerCase(), subtype: match[2].toLowerCase(), quality: Number.isNaN(quality) ? 1 : quality, parameters }
}

function unquoted(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text
}

function wildcards(entry: AcceptEntry): number {
  return (entry.type === '*' ? 2 : 0) + (entry.subtype === '*' ? 1 : 0)
}

/** Whether JSON satisfies the entry, its parameters aside. */
export function acceptsJson(entry: AcceptEntry): boolean {
  return (
    (entry.type === '*' && entry.subtype === '*') || (entry.type === 'application' && (entry.subtype === 'json' || entry.subtype === '*'))
  )
}
