/**
 * Writes DER, the binary form of ASN.1 in which certificates are signed: each value is a tag, a length and its content. Only the
 * few types that certificates need.
 */

const Tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

function element(tag: number, content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from([tag]), length(content.length), content])
}

/** Up to 127 in one byte, otherwise the number of length bytes followed by them. */
function length(size: number): Buffer {
  if (size < 0x80) return Buffer.from([size])
  const bytes: number[] = []
  for (let rest = size; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256)
  return Buffer.from([0x80 | bytes.length, ...bytes])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => element(Tag.sequence, Buffer.concat(parts))
export const set = (...parts: readonly Uint8Array[]): Buffer => element(Tag.set, Buffer.concat(parts))
export const octetString = (content: Uint8Array): Buffer => element(Tag.octetString, content)
export const utf8String = (text: string): Buffer => element(Tag.utf8String, Buffer.from(text, 'utf8'))
export const yes = (): Buffer => element(Tag.boolean, Buffer.from([0xff]))

/** A positive number, most significant byte first. A leading zero keeps the top bit from reading as a sign. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const significant = bytes.subarray(start)
  const isNegative = ((significant[0] ?? 0) & 0x80) !== 0
  return element(Tag.integer, isNegative ? Buffer.concat([Buffer.from([0]), significant]) : significant)
}

/** `unused` counts the bits at the end of the last byte that do not belong to the value. */
export function bitString(content: Uint8Array, unused = 0): Buffer {
  return element(Tag.bitString, Buffer.concat([Buffer.from([unused]), content]))
}

/** `1.2.840.10045.4.3.2`: the first two numbers share a byte, the others are written in groups of seven bits. */
export function objectIdentifier(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest.flatMap(sevenBits)]
  return element(Tag.objectIdentifier, Buffer.from(bytes))
}

function sevenBits(value: number): number[] {
  const bytes = [value % 128]
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) bytes.unshift((rest % 128) | 0x80)
  return bytes
}

/** RFC 5280: two-digit years until 2049, four-digit years from then on. */
export function time(instant: number): Buffer {
  const digits = new Date(instant).toISOString().slice(0, 19).replaceAll(/[-:T]/g, '')
  const isShort = new Date(instant).getUTCFullYear() < 2050
  return element(isShort ? Tag.utcTime : Tag.generalizedTime, Buffer.from(`${isShort ? digits.slice(2) : digits}Z`, 'ascii'))
}

/** `[number]` around values of their own. */
export const explicit = (number: number, ...parts: readonly Uint8Array[]): Buffer => element(0xa0 | number, Buffer.concat(parts))

/** `[number]` in place of the tag of a simple value. */
export const implicit = (number: number, content: Uint8Array): Buffer => element(0x80 | number, content)
