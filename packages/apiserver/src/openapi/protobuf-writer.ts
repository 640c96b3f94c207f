/** Field types of protobuf's wire format that OpenAPI needs. */
const varintType = 0
const doubleType = 1
const bytesType = 2

/** Writes one protobuf message. Fields that are undefined, empty or false are left out, as proto3 does. */
export class MessageWriter {
  readonly #parts: Buffer[] = []

  text(field: number, value: string | undefined): this {
    return value === undefined || value === '' ? this : this.bytes(field, Buffer.from(value, 'utf8'))
  }

  texts(field: number, values: readonly string[] | undefined): this {
    for (const value of values ?? []) this.bytes(field, Buffer.from(value, 'utf8'))
    return this
  }

  flag(field: number, value: boolean | undefined): this {
    if (value === true) this.#parts.push(varint((field << 3) | varintType), varint(1))
    return this
  }

  /** Whole numbers that are not negative. */
  whole(field: number, value: number | undefined): this {
    if (value !== undefined && value > 0) this.#parts.push(varint((field << 3) | varintType), varint(value))
    return this
  }

  double(field: number, value: number | undefined): this {
    if (value === undefined || value === 0) return this
    const bytes = Buffer.alloc(8)
    bytes.writeDoubleLE(value)
    this.#parts.push(varint((field << 3) | doubleType), bytes)
    return this
  }

  /** Written even when it is empty: an empty message is not the same as none. */
  message(field: number, value: MessageWriter | undefined): this {
    return value === undefined ? this : this.bytes(field, value.finish())
  }

  bytes(field: number, value: Buffer): this {
    this.#parts.push(varint((field << 3) | bytesType), varint(value.length), value)
    return this
  }

  finish(): Buffer {
    return Buffer.concat(this.#parts)
  }
}

function varint(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80)
    rest = Math.floor(rest / 0x80)
  }
  bytes.push(rest)
  return Buffer.from(bytes)
}
