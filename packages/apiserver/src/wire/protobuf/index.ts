/**
 * Request bodies in Kubernetes' protobuf encoding, turned into JSON. Answers are never written in it.
 *
 * - `reader.ts`: the wire format: tags, integers, bytes
 * - `message.ts`: messages of built-in kinds, driven by the field numbers in their declarations (`builtin/fields/`)
 *
 * A body is four magic bytes and an envelope that names the kind and holds its message.
 */
import { canonicalObject, messageType } from '../../builtin/index.ts'
import { badRequest } from '../../errors/api-error.ts'
import type { JsonObject } from '../../json.ts'
import { mediaType, unsupportedMediaType } from '../content-type.ts'
import { readMessage } from './message.ts'
import { ProtobufError, Reader, WireType } from './reader.ts'

const contentType = 'application/vnd.kubernetes.protobuf'
const magic = Buffer.from([0x6b, 0x38, 0x73, 0x00])

export function isProtobuf(header: string | undefined): boolean {
  return header !== undefined && mediaType(header) === contentType
}

/**
 * The object in a body. `expected` is the kind that the URL asks for; it is named in complaints about broken bytes.
 *
 * Errors: 400 for bytes that cannot be read, 415 for kinds that are only taken as JSON or YAML.
 */
export function decodeProtobuf(body: Buffer, expected = 'Object'): JsonObject {
  try {
    return decode(body)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw badRequest(`the object provided is unrecognized (must be of type ${expected}): ${error.message} (${summary(body)})`)
  }
}

function decode(body: Buffer): JsonObject {
  if (!body.subarray(0, magic.length).equals(magic)) {
    throw new ProtobufError(`provided data does not appear to be a protobuf message, expected prefix [${[...magic].join(' ')}]`)
  }
  const { apiVersion, kind, raw } = readEnvelope(body.subarray(magic.length))
  const type = messageType(apiVersion, kind)
  if (type === undefined) throw unsupportedMediaType(['application/json', 'application/yaml'])
  return { kind, apiVersion, ...canonicalObject(type, readMessage(type, raw)) }
}

interface Envelope {
  readonly apiVersion: string
  readonly kind: string
  readonly raw: Buffer
}

function readEnvelope(bytes: Buffer): Envelope {
  const { 1: typeMeta = empty, 2: raw = empty } = byteFields(bytes)
  const { 1: apiVersion = empty, 2: kind = empty } = byteFields(typeMeta)
  return { apiVersion: apiVersion.toString('utf8'), kind: kind.toString('utf8'), raw }
}

const empty = Buffer.alloc(0)

/** The fields of a message in which every field of interest is bytes. */
function byteFields(bytes: Buffer): Readonly<Record<number, Buffer>> {
  const reader = new Reader(bytes)
  const fields: Record<number, Buffer> = {}
  while (!reader.isAtEnd) {
    const { number, wireType } = reader.tag()
    if (wireType === WireType.Bytes) fields[number] = reader.bytes()
    else reader.skip(wireType)
  }
  return fields
}

const summaryLength = 27

function summary(body: Buffer): string {
  const hex = body.subarray(0, summaryLength).toString('hex')
  return body.length > summaryLength ? `${hex}...` : hex
}
