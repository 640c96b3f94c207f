import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError } from '../errors/api-error.ts'
import { isArray, isObject, type Json } from '../json.ts'
import { decodeBody } from './body.ts'
import { UnreadableBody } from './unreadable-body.ts'
import { decodingWarnings, strictDecodingError } from './decoded.ts'
import { decodeJson } from './json-decode.ts'
import { encodeJson } from './json-encode.ts'
import { deepestNesting } from './json-scan.ts'

/** What JSON.parse would have made of integers that are kept exactly. */
function asNumbers(value: Json): Json {
  if (typeof value === 'bigint') return Number(value)
  if (isArray(value)) return value.map(asNumbers)
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, asNumbers(each)])) : value
}

function problemOf(text: string): string {
  try {
    decodeJson(text)
  } catch (error) {
    assert.ok(error instanceof UnreadableBody)
    assert.equal(error.code, 400)
    return error.problem
  }
  throw new assert.AssertionError({ message: `${text} was read` })
}

test('decoding agrees with JSON.parse', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const value: unknown = JSON.parse(text, (key, each: unknown) => (key === '__proto__' ? undefined : each))
      assert.deepEqual(asNumbers(decodeJson(text, { findDuplicates: true }).value), value)
    }),
  )
})

test('what JSON.parse refuses is refused with a reason, and nothing else', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('{}[]",:1e-.tn\\u ')) }), (text) => {
      let isJson = true
      try {
        JSON.parse(text)
      } catch {
        isJson = false
      }
      if (isJson) decodeJson(text, { findDuplicates: true })
      else assert.match(problemOf(text), /^(unexpected end of JSON input|invalid character '.+' .+)$/s)
    }),
    { numRuns: 500 },
  )
})

test('O13 integers beyond 2^53 keep their digits', () => {
  const text = '{"a":9007199254740993,"b":[-9223372036854775808],"c":"9007199254740993","d":1}'
  const { value } = decodeJson(text)
  assert.deepEqual(value, { a: 9007199254740993n, b: [-9223372036854775808n], c: '9007199254740993', d: 1 })
  assert.equal(encodeJson(value).toString(), text)
})

test('integers beyond 64 bits become doubles, and what no double can hold is refused', () => {
  assert.deepEqual(decodeJson('[18446744073709551616, 1e21]').value, [18446744073709552000, 1e21])
  assert.match(problemOf('{"a": 1e999}'), /^json: cannot unmarshal number 1e999/)
})

test('a key __proto__ is dropped, however it is written', () => {
  for (const key of ['__proto__', String.raw`\u005f_proto\u005F_`]) {
    const { value } = decodeJson(`{"a":{"${key}":{"polluted":true},"b":1}}`)
    assert.deepEqual(value, { a: { b: 1 } })
    assert.deepEqual(Object.keys(Object(value).a), ['b'])
  }
})

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)

test('nesting beyond the limit is a 400, up to it fine', () => {
  assert.equal(encodeJson(decodeJson(nested(deepestNesting)).value).toString(), nested(deepestNesting))
  assert.equal(problemOf(nested(deepestNesting + 1)), 'exceeded max depth')
  assert.equal(problemOf(nested(100_000)), 'exceeded max depth')
  assert.equal(problemOf('{"a":'.repeat(100_000)), 'exceeded max depth')
})

test('objects and lists nest together, in as little text as that takes', () => {
  for (const lists of [1, 500, 999]) {
    const objects = deepestNesting - lists
    const text = `${'{"":'.repeat(objects)}${nested(lists)}${'}'.repeat(objects)}`
    assert.equal(encodeJson(decodeJson(text).value).toString(), text)
    assert.equal(problemOf(`[${text}]`), 'exceeded max depth', `${lists} lists`)
    assert.equal(problemOf(`{"":${text}}`), 'exceeded max depth', `${lists} lists`)
  }
})

test('a bracket in a text does not count as nesting', () => {
  const text = JSON.stringify({ a: '['.repeat(5000) })
  assert.equal(encodeJson(decodeJson(text).value).toString(), text)
})

test('PA-014 SM-039 a text that ends too early', () => {
  assert.equal(problemOf('[{"op":"add"'), 'unexpected end of JSON input')
  assert.equal(problemOf('{"data":'), 'unexpected end of JSON input')
})

test('a text that is no JSON says where it stops being it', () => {
  assert.equal(problemOf('{"a" 1}'), "invalid character '1' after object key")
  assert.equal(problemOf('{a:1}'), "invalid character 'a' looking for beginning of object key string")
  assert.equal(problemOf('[1 2]'), "invalid character '2' after array element")
  assert.equal(problemOf('nul!'), "invalid character '!' in literal null (expecting 'l')")
  assert.equal(problemOf('{} x'), "invalid character 'x' after top-level value")
})

const paths = (text: string): readonly string[] => decodeJson(text, { findDuplicates: true }).duplicates

test('FV-004 duplicate fields are found with their paths', () => {
  assert.deepEqual(paths('{"spec":{"replicas":1,"replicas":2}}'), ['spec.replicas'])
  assert.deepEqual(paths('{"spec":{"replicas":1},"spec":{"replicas":2}}'), ['spec'])
  assert.deepEqual(paths('{"data":{"k":"1","k":"2"}}'), ['data.k'])
  assert.deepEqual(paths(String.raw`{"list":[{"a":1},{"b":1,"\u0062":2}]}`), ['list[1].b'])
  assert.deepEqual(paths('{"a":{"b":1},"c":{"b":1}}'), [])
  assert.deepEqual(decodeJson('{"a":1,"a":2}').duplicates, [])
})

test('FV-005 FV-007 FV-031 duplicate and unknown fields in words, each once', () => {
  const decoded = decodeJson('{"spec":{"replicas":1,"replicas":2,"replicas":3,"foo":1}}', { findDuplicates: true })
  assert.deepEqual(decoded.value, { spec: { replicas: 3, foo: 1 } })
  assert.equal(
    strictDecodingError(decoded, ['spec.foo']),
    'strict decoding error: duplicate field "spec.replicas", unknown field "spec.foo"',
  )
  assert.deepEqual(decodingWarnings(decoded, ['spec.foo']), ['duplicate field "spec.replicas"', 'unknown field "spec.foo"'])
  assert.equal(strictDecodingError(decodeJson('{}'), []), undefined)
})

const message = (body: string): string => {
  try {
    decodeBody(Buffer.from(body), 'json', 'ConfigMap')
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.status.reason, 'BadRequest')
    return error.message
  }
  return ''
}

test('ER-001 an unreadable body names the kind that was expected', () => {
  const start = "the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: "
  assert.equal(message('{'), `${start}unexpected end of JSON input ({)`)
  assert.equal(message(''), `${start}unexpected end of JSON input (<empty>)`)
  assert.ok(message('[]').startsWith(`${start}json: cannot unmarshal array`))
})
