import type { ByteString } from '../byte-string.ts'
import { type Batch, type Table, tables } from '../engine.ts'

/**
 * A batch as one piece of memory that changes its thread without being copied. Each write: table (1 byte), whether it deletes (1),
 * length of the key (2), length of the value (4), key, value.
 */
const header = 8

export interface PackedWrite {
  readonly table: Table
  readonly key: Uint8Array
  /** Absent when the key is deleted. */
  readonly value?: Uint8Array
}

export function packBatch(batch: Batch): Uint8Array<ArrayBuffer> {
  let size = 0
  for (const table of tables) for (const [key, value] of batch[table]) size += header + key.length + (value?.length ?? 0)
  const packed = new Uint8Array(size)
  const target = Buffer.from(packed.buffer)
  let position = 0
  for (const [number, table] of tables.entries()) {
    for (const [key, value] of batch[table]) position = packWrite(target, position, number, key, value)
  }
  return packed
}

function packWrite(target: Buffer, at: number, table: number, key: ByteString, value: Buffer | undefined): number {
  let position = target.writeUInt8(table, at)
  position = target.writeUInt8(value === undefined ? 1 : 0, position)
  position = target.writeUInt16LE(key.length, position)
  position = target.writeUInt32LE(value?.length ?? 0, position)
  position += target.write(key, position, 'latin1')
  return position + (value?.copy(target, position) ?? 0)
}

export function* unpackBatch(packed: Uint8Array<ArrayBuffer>): Generator<PackedWrite> {
  const source = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength)
  for (let position = 0; position < source.length;) {
    const table = tables[source.readUInt8(position)] ?? 'meta'
    const isDeletion = source.readUInt8(position + 1) === 1
    const keyEnd = position + header + source.readUInt16LE(position + 2)
    const end = keyEnd + source.readUInt32LE(position + 4)
    const key = source.subarray(position + header, keyEnd)
    yield isDeletion ? { table, key } : { table, key, value: source.subarray(keyEnd, end) }
    position = end
  }
}
