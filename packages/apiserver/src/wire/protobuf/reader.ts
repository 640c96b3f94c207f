/** Thrown when bytes end or do not mean anything where a message should go on. */
export class ProtobufError extends Error {
  constructor(problem: string) {
    super(problem)
    this.name = 'ProtobufError'
  }
}

export const WireType = { Varint: 0, Fixed64: 1, Bytes: 2, Fixed32: 5 } as const

export interface Tag {
  readonly number: number
  readonly wireType: number
}

/** Seven bits per byte: this many bytes fit into the integers that doubles hold exactly. */
const exactGroups = 7
const mostGroups = 10

/** Reads the fields of one message, one after the other. */
export class Reader {
  readonly #bytes: Buffer
  #position = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length
  }

  tag(): Tag {
    const value = Number(this.integer())
    return { number: Math.floor(value / 8), wireType: value % 8 }
  }

  /** A signed 64-bit integer; a bigint only where a number would not be exact. */
  integer(): number | bigint {
    let value = 0
    for (let group = 0; group < exactGroups; group++) {
      const byte = this.#byte()
      value += (byte & 0x7f) * 2 ** (7 * group)
      if (byte < 0x80) return value
    }
    return this.#longInteger(BigInt(value))
  }

  #longInteger(low: bigint): number | bigint {
    let value = low
    for (let group = exactGroups; group < mostGroups; group++) {
      const byte = this.#byte()
      value |= BigInt(byte & 0x7f) << BigInt(7 * group)
      if (byte >= 0x80) continue
      const signed = BigInt.asIntN(64, value)
      return Number.isSafeInteger(Number(signed)) ? Number(signed) : signed
    }
    throw new ProtobufError('proto: integer overflow')
  }

  bytes(): Buffer {
    const length = Number(this.integer())
    const end = this.#position + length
    if (length < 0 || end > this.#bytes.length) throw new ProtobufError('unexpected EOF')
    const bytes = this.#bytes.subarray(this.#position, end)
    this.#position = end
    return bytes
  }

  /** Passes over a field that nobody knows. */
  skip(wireType: number): void {
    if (wireType === WireType.Varint) this.integer()
    else if (wireType === WireType.Bytes) this.bytes()
    else if (wireType === WireType.Fixed64) this.#advance(8)
    else if (wireType === WireType.Fixed32) this.#advance(4)
    else throw new ProtobufError(`proto: illegal wireType ${wireType}`)
  }

  #advance(count: number): void {
    this.#position += count
    if (this.#position > this.#bytes.length) throw new ProtobufError('unexpected EOF')
  }

  #byte(): number {
    const byte = this.#bytes[this.#position]
    if (byte === undefined) throw new ProtobufError('unexpected EOF')
    this.#position++
    return byte
  }
}
