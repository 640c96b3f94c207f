/**
 * The string formats that schemas can ask for, judged as Go's libraries do, with their habits:
 *
 *   time.ts      date-time, date, duration
 *   network.ts   uri, hostname, email, ipv4, ipv6, cidr, mac
 *   codes.ts     byte, uuid, isbn, creditcard, colours and other patterns
 *
 * Dashes in names do not count: `date-time` and `datetime` are one format. Unknown formats mean nothing.
 */
import { codeFormats } from './codes.ts'
import { networkFormats } from './network.ts'
import { timeFormats } from './time.ts'

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map(
  Object.entries({ ...timeFormats, ...networkFormats, ...codeFormats }),
)

const normalized = (format: string): string => format.replaceAll('-', '')

export function isStringFormat(format: string): boolean {
  return formats.has(normalized(format))
}

/** The judge of a format; one that is not known accepts everything. */
export function matchesFormat(format: string): (text: string) => boolean {
  return formats.get(normalized(format)) ?? (() => true)
}
