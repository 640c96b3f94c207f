import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { ApiError } from '../../errors/api-error.ts'
import type { JsonObject } from '../../json.ts'
import bodies from './recorded/bodies.json' with { type: 'json' }
import { decodeProtobuf, isProtobuf } from './index.ts'

/** Bodies that real clients sent, and what they said. */
const recorded: unknown = bodies

const magic = Buffer.from([0x6b, 0x38, 0x73, 0])

const bytesOf = (base64: string): Buffer => Buffer.from(base64, 'base64')

function refusalOf(body: Buffer, kind?: string): ApiError {
  try {
    decodeProtobuf(body, kind)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error
  }
  throw new Error('was read')
}

describe('protobuf bodies', () => {
  for (const { from, base64, object } of recorded as readonly {
    readonly from: string
    readonly base64: string
    readonly object: JsonObject
  }[]) {
    it(from, () => assert.deepEqual(decodeProtobuf(bytesOf(base64)), object))
  }

  it('NE-014 bytes without the magic prefix are refused', () => {
    const error = refusalOf(Buffer.from('rubbish'), 'ConfigMap')
    assert.equal(error.code, 400)
    assert.match(
      error.message,
      /^the object provided is unrecognized \(must be of type ConfigMap\): provided data does not appear to be a protobuf message, expected prefix \[107 56 115 0\] \(/,
    )
  })

  it('NE-014 bytes that end too early are refused', () => {
    const error = refusalOf(bytesOf('azhzAP//'), 'ConfigMap')
    assert.equal(error.code, 400)
    assert.match(error.message, /^the object provided is unrecognized \(must be of type ConfigMap\): unexpected EOF \(/)
  })

  it('C4 a kind without declaration is of an unknown format', () => {
    const error = refusalOf(envelope('discovery.k8s.io/v1', 'EndpointSlice'))
    assert.equal(error.code, 415)
    assert.equal(
      error.message,
      'the body of the request was in an unknown format - accepted media types include: application/json, application/yaml',
    )
  })

  it('a body cut off inside of a field is refused, never read wrongly', () => {
    const whole = bytesOf('azhzAAoPCgJ2MRIJQ29uZmlnTWFwEg0KAwoBYRIGCgFrEgF3')
    // Where the kind is named and nothing follows, there is a whole message: an empty one.
    const named = envelope('v1', 'ConfigMap').length
    for (let length = 0; length < whole.length; length++) {
      if (length === named) continue
      const { code, message } = refusalOf(whole.subarray(0, length))
      assert.ok(code === 400 || code === 415, `${length} bytes: ${message}`)
    }
    assert.deepEqual(decodeProtobuf(whole), { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a' }, data: { k: 'w' } })
  })

  it('any bytes are read or refused', () => {
    const prefix = envelope('v1', 'ConfigMap')
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const raw = Buffer.from(bytes)
        try {
          decodeProtobuf(Buffer.concat([prefix, Buffer.from([0x12, raw.length]), raw]))
        } catch (error) {
          assert.ok(error instanceof ApiError)
        }
      }),
      { numRuns: 500 },
    )
  })

  it('a key named __proto__ changes nothing but itself', () => {
    const key = Buffer.from('__proto__')
    const entry = Buffer.concat([Buffer.from([0x0a, key.length]), key, Buffer.from([0x12, 1, 0x78])])
    const raw = Buffer.concat([Buffer.from([0x12, entry.length]), entry])
    const object = decodeProtobuf(Buffer.concat([envelope('v1', 'ConfigMap'), Buffer.from([0x12, raw.length]), raw]))
    assert.deepEqual(object, { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} })
  })

  it('is known by its content type', () => {
    assert.ok(isProtobuf('application/vnd.kubernetes.protobuf'))
    assert.ok(isProtobuf('application/vnd.kubernetes.protobuf; charset=x'))
    assert.ok(!isProtobuf('application/json'))
    assert.ok(!isProtobuf(undefined))
  })
})

const field = (number: number, content: Buffer): Buffer => Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content])

/** The magic bytes and the part of the envelope that names the kind. */
function envelope(apiVersion: string, kind: string): Buffer {
  const typeMeta = Buffer.concat([field(1, Buffer.from(apiVersion)), field(2, Buffer.from(kind))])
  return Buffer.concat([magic, field(1, typeMeta)])
}
