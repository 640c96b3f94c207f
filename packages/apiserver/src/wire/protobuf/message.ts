import { formatTime } from '@windlass/core'
import type { Field, MapType, Scalar, StructType, Type } from '../../builtin/dsl/index.ts'
import type { Json, JsonObject, MutableObject } from '../../json.ts'
import { ProtobufError, Reader, WireType } from './reader.ts'

/**
 * Reads a message of a declared type as the JSON that a client would have sent instead. Fields that the type does not have are passed over,
 * as protobuf demands.
 */
export function readMessage(type: StructType, bytes: Buffer): JsonObject {
  const object: MutableObject = {}
  readInto(object, type, bytes)
  return object
}

const fieldsByNumber = new WeakMap<StructType, ReadonlyMap<number, Field>>()

function fieldsOf(type: StructType): ReadonlyMap<number, Field> {
  const known = fieldsByNumber.get(type)
  if (known !== undefined) return known
  const fields = new Map(type.fields.flatMap((field): [number, Field][] => (field.number === undefined ? [] : [[field.number, field]])))
  fieldsByNumber.set(type, fields)
  return fields
}

function readInto(object: MutableObject, type: StructType, bytes: Buffer): void {
  const fields = fieldsOf(type)
  const reader = new Reader(bytes)
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag()
    const field = fields.get(number)
    if (field === undefined) reader.skip(wireType)
    else if (field.isInline && field.type.is === 'struct') readInto(object, field.type, bytesOf(reader, wireType, field.name))
    else readField(object, field, reader, wireType)
  }
}

function readField(object: MutableObject, { name, type }: Field, reader: Reader, wireType: number): void {
  if (type.is === 'map') {
    const [key, value] = readEntry(type, bytesOf(reader, wireType, name))
    // A key of this name would not become a field but the object's prototype.
    if (key !== '__proto__') underConstruction<MutableObject>(object, name, {})[key] = value
  } else if (type.is === 'list' && type.isWrapped !== true) {
    underConstruction<Json[]>(object, name, []).push(...readItems(type.of, reader, wireType, name))
  } else {
    object[name] = readValue(type, reader, wireType, name)
  }
}

/** The map or list of a field, to which every occurrence of the field adds. It was made here, so it may still change. */
function underConstruction<Value extends Json>(object: MutableObject, name: string, initial: Value): Value {
  object[name] ??= initial
  return object[name] as Value
}

/** One item, or a run of packed numbers. */
function readItems(type: Type, reader: Reader, wireType: number, name: string): readonly Json[] {
  const isNumber = type.is === 'scalar' && (type.of === 'int32' || type.of === 'int64')
  if (!isNumber || wireType !== WireType.Bytes) return [readValue(type, reader, wireType, name)]
  const packed = new Reader(reader.bytes())
  const items: Json[] = []
  while (!packed.isAtEnd) items.push(packed.integer())
  return items
}

function readEntry(type: MapType, bytes: Buffer): readonly [key: string, value: Json] {
  const reader = new Reader(bytes)
  let key = ''
  let value: Json = null
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag()
    if (number === 1) key = textOf(reader, wireType, 'key')
    else if (number === 2) value = readValue(type.of, reader, wireType, 'value')
    else reader.skip(wireType)
  }
  return [key, value]
}

function readValue(type: Type, reader: Reader, wireType: number, name: string): Json {
  if (type.is === 'scalar') return scalars[type.of](reader, wireType, name)
  const bytes = bytesOf(reader, wireType, name)
  if (type.is === 'struct') return readMessage(type, bytes)
  if (type.is === 'list') return readWrapped(type.of, bytes)
  throw new ProtobufError(`proto: a map inside of ${name}`)
}

/** A message whose first field is the list. */
function readWrapped(type: Type, bytes: Buffer): Json {
  const reader = new Reader(bytes)
  const items: Json[] = []
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag()
    if (number === 1) items.push(readValue(type, reader, wireType, 'items'))
    else reader.skip(wireType)
  }
  return items
}

type ReadScalar = (reader: Reader, wireType: number, name: string) => Json

const scalars: Readonly<Record<Scalar, ReadScalar>> = {
  string: textOf,
  boolean: (reader, wireType, name) => integerOf(reader, wireType, name) !== 0,
  int32: integerOf,
  int64: integerOf,
  bytes: (reader, wireType, name) => bytesOf(reader, wireType, name).toString('base64'),
  time: (reader, wireType, name) => readTime(bytesOf(reader, wireType, name), false),
  microTime: (reader, wireType, name) => readTime(bytesOf(reader, wireType, name), true),
  quantity: (reader, wireType, name) => fieldOf(bytesOf(reader, wireType, name), { 1: textOf })[1] ?? '0',
  intOrString: (reader, wireType, name) => readIntOrString(bytesOf(reader, wireType, name)),
  raw: (reader, wireType, name) => readRaw(bytesOf(reader, wireType, name)),
}

function expectType(wireType: number, expected: number, name: string): void {
  if (wireType !== expected) throw new ProtobufError(`proto: wrong wireType = ${wireType} for field ${name}`)
}

function bytesOf(reader: Reader, wireType: number, name: string): Buffer {
  expectType(wireType, WireType.Bytes, name)
  return reader.bytes()
}

function textOf(reader: Reader, wireType: number, name: string): string {
  return bytesOf(reader, wireType, name).toString('utf8')
}

function integerOf(reader: Reader, wireType: number, name: string): number | bigint {
  expectType(wireType, WireType.Varint, name)
  return reader.integer()
}

/** The fields of a small message, by number. */
function fieldOf(bytes: Buffer, readers: Readonly<Record<number, ReadScalar>>): Readonly<Record<number, Json>> {
  const reader = new Reader(bytes)
  const values: Record<number, Json> = {}
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag()
    const read = readers[number]
    if (read === undefined) reader.skip(wireType)
    else values[number] = read(reader, wireType, String(number))
  }
  return values
}

/** Seconds and nanoseconds; no bytes at all stand for no time. */
function readTime(bytes: Buffer, isMicro: boolean): Json {
  if (bytes.length === 0) return null
  const { 1: seconds, 2: nanos } = fieldOf(bytes, { 1: integerOf, 2: integerOf })
  const text = formatTime(Number(seconds ?? 0) * 1000)
  if (!isMicro) return text
  const micros = Math.floor(Number(nanos ?? 0) / 1000)
  return `${text.slice(0, -1)}.${String(micros).padStart(6, '0')}Z`
}

function readIntOrString(bytes: Buffer): Json {
  const { 1: kind, 2: number, 3: text } = fieldOf(bytes, { 1: integerOf, 2: integerOf, 3: textOf })
  return kind === 1 ? (text ?? '') : (number ?? 0)
}

function readRaw(bytes: Buffer): Json {
  const { 1: base64 } = fieldOf(bytes, { 1: scalars.bytes })
  const text = Buffer.from(typeof base64 === 'string' ? base64 : '', 'base64').toString('utf8')
  if (text === '') return null
  try {
    return JSON.parse(text) as Json
  } catch {
    throw new ProtobufError('raw field is not JSON')
  }
}
