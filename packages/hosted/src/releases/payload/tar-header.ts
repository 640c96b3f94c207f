import { TarError } from './tar-error.ts'

/** Everything in a tar archive comes in blocks of this size. */
export const blockSize = 512

/** The header of one entry, as it stands in its block. */
export interface TarHeader {
  readonly name: string
  /** Bytes that follow, without padding. */
  readonly size: number
  /** `0` is a file, `5` a folder, `x` says something about the next entry; see `tar.ts`. */
  readonly type: string
  readonly linkName: string
  /** Old sparse files have more header blocks behind the first. */
  readonly isContinued: boolean
}

/** Where fields are: offset and length. */
const fields = {
  name: [0, 100],
  size: [124, 12],
  checksum: [148, 8],
  type: [156, 1],
  linkName: [157, 100],
  magic: [257, 6],
  prefix: [345, 155],
} as const

const continuedAt = 482

/** Undefined for a block of zeros, which marks the end. */
export function parseHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined
  if (!hasRightChecksum(block)) throw new TarError('the checksum of a header is wrong: this is no tar archive, or a damaged one')
  const magic = text(block, 'magic')
  // GNU's own format has `ustar ` there and other things where the prefix would be.
  const prefix = magic === 'ustar' ? text(block, 'prefix') : ''
  const name = text(block, 'name')
  const type = text(block, 'type')
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: number(block, 'size'),
    type: type === '' ? '0' : type,
    linkName: text(block, 'linkName'),
    isContinued: type === 'S' && block[continuedAt] === 1,
  }
}

function text(block: Buffer, field: keyof typeof fields): string {
  const [offset, length] = fields[field]
  const bytes = block.subarray(offset, offset + length)
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? length : end)
}

/** Octal digits, or, where those do not suffice, a number in base 256 behind a set bit. */
function number(block: Buffer, field: keyof typeof fields): number {
  const [offset, length] = fields[field]
  const bytes = block.subarray(offset, offset + length)
  let value: number
  if (((bytes[0] ?? 0) & 0x80) !== 0) {
    value = bytes.reduce((sum, byte, index) => sum * 256 + (index === 0 ? byte & 0x7f : byte), 0)
  } else {
    const digits = text(block, field).trim()
    if (!/^[0-7]*$/.test(digits)) throw new TarError(`a header has a ${field} that is no number`)
    value = digits === '' ? 0 : Number.parseInt(digits, 8)
  }
  if (!Number.isSafeInteger(value)) throw new TarError(`a header has a ${field} beyond all measure`)
  return value
}

/** The sum of all bytes, with blanks where the sum itself stands. Very old tools counted bytes as signed. */
function hasRightChecksum(block: Buffer): boolean {
  const [offset, length] = fields.checksum
  let unsigned = 0
  let signed = 0
  for (const [index, byte] of block.entries()) {
    const counted = index >= offset && index < offset + length ? 0x20 : byte
    unsigned += counted
    signed += counted > 127 ? counted - 256 : counted
  }
  const digits = /^ *([0-7]+)/.exec(text(block, 'checksum'))?.[1]
  const expected = digits === undefined ? Number.NaN : Number.parseInt(digits, 8)
  return expected === unsigned || expected === signed
}
