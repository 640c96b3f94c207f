import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compilePath, isPath } from './json-path.ts'
import { JsonPathError } from './json-path-parser.ts'

const object = {
  metadata: { name: 'a', labels: { 'example.com/tier': 'web' } },
  spec: { list: ['x', 'y', 'z'], items: [{ name: 'p', port: 80 }, { name: 'q', port: 443, open: true }, { port: 8080 }] },
}

const find = (path: string): unknown => compilePath(path)(object)

test('names, indexes and wildcards', () => {
  assert.deepEqual(find('.metadata.name'), ['a'])
  assert.deepEqual(find('{.metadata.name}'), ['a'])
  assert.deepEqual(find('$.metadata.name'), ['a'])
  assert.deepEqual(find('.spec.list[1]'), ['y'])
  assert.deepEqual(find('.spec.list[-1]'), ['z'])
  assert.deepEqual(find('.spec.list[0:2]'), ['x', 'y'])
  assert.deepEqual(find('.spec.list[0,2]'), ['x', 'z'])
  assert.deepEqual(find('.spec.items[*].name'), ['p', 'q'])
  assert.deepEqual(find('.spec.items[0]["name"]'), ['p'])
  assert.deepEqual(find('..port'), [80, 443, 8080])
  assert.deepEqual(find('.'), [object])
})

test('missing values, wrong types and inherited names find nothing', () => {
  for (const path of ['.nope', '.metadata.name.first', '.spec.list.x', '.metadata[0]', '.spec.list[9]', '.toString', '.spec.items[-9]']) {
    assert.deepEqual(find(path), [], path)
  }
})

test('TA-012 a quoted key is split at its dots unless they are escaped', () => {
  assert.deepEqual(find(".metadata.labels['example.com/tier']"), [])
  assert.deepEqual(find(String.raw`.metadata.labels['example\.com/tier']`), ['web'])
  assert.deepEqual(find(String.raw`.metadata.labels.example\.com/tier`), ['web'])
})

test('filters compare values of the same type', () => {
  assert.deepEqual(find('.spec.items[?(@.name=="q")].port'), [443])
  assert.deepEqual(find(".spec.items[?(@.name == 'q')].port"), [443])
  assert.deepEqual(find('.spec.items[?(@.port>100)].port'), [443, 8080])
  assert.deepEqual(find('.spec.items[?(@.port<=443)].port'), [80, 443])
  assert.deepEqual(find('.spec.items[?(@.name!="q")].port'), [80])
  assert.deepEqual(find('.spec.items[?(@.open)].port'), [443])
  assert.deepEqual(find('.spec.items[?(@.open==true)].port'), [443])
  assert.deepEqual(find('.spec.items[?(@.port=="80")].port'), [])
})

test('what is no path is told so', () => {
  for (const path of ['spec.a', '.a[', '.a[x]', '.a[?(x)]', '.a.[?(@.b=c)]']) {
    assert.throws(() => compilePath(path), JsonPathError, path)
    assert.equal(isPath(path), false)
  }
})

test('any text is a path or a JsonPathError', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('.a[]0?(@=)"\'*:,\\')) }), (text) => {
      try {
        compilePath(text)(object)
      } catch (error) {
        assert.ok(error instanceof JsonPathError)
      }
    }),
    { numRuns: 500 },
  )
})
