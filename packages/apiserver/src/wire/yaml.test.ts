import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeApplyBody, decodeBody } from './body.ts'
import { UnreadableBody } from './unreadable-body.ts'
import { decodingWarnings, strictDecodingError } from './decoded.ts'
import { decodeYaml } from './yaml-decode.ts'

const read = (text: string): unknown => decodeYaml(text).value

test('NE-017 YAML 1.1: yes and on are true, quoted ones are texts, block texts keep their lines', () => {
  assert.deepEqual(read('spec:\n  replicas: 3\n  paused: yes\n  tags:\n  - one\n  - two\n'), {
    spec: { replicas: 3, paused: true, tags: ['one', 'two'] },
  })
  assert.deepEqual(read('metadata: {name: a}\ndata:\n  k: |\n    line one\n    line two\n  quoted: "yes"\n'), {
    metadata: { name: 'a' },
    data: { k: 'line one\nline two\n', quoted: 'yes' },
  })
})

test('C5 numbers as Go reads them: octal, hexadecimal, underscores, exact integers', () => {
  assert.deepEqual(read('[0777, 0o644, -0o7, 0x1F, 0b101, 1_000, 1e3, 1.5, 9007199254740993, off, ~, n]'), [
    511,
    420,
    -7,
    31,
    5,
    1000,
    1000,
    1.5,
    9007199254740993n,
    false,
    null,
    false,
  ])
})

test('times and sexagesimal numbers stay texts', () => {
  assert.deepEqual(read('[2026-01-01T00:00:00Z, 2026-01-01, 1:30, 12:30:45]'), ['2026-01-01T00:00:00Z', '2026-01-01', '1:30', '12:30:45'])
})

test('keys become texts, merges and aliases are followed, __proto__ is dropped', () => {
  assert.deepEqual(read('1: a\nyes: b\n'), { 1: 'a', true: 'b' })
  assert.deepEqual(read('base: &b {p: 1, q: 2}\nother: {<<: *b, q: 3}\nsame: *b\n'), {
    base: { p: 1, q: 2 },
    other: { p: 1, q: 3 },
    same: { p: 1, q: 2 },
  })
  assert.deepEqual(Object.keys(Object(read('__proto__: {a: 1}\nb: 2\n'))), ['b'])
})

test('JSON is YAML', () => {
  assert.deepEqual(read('{"a": [1, "x", 9007199254740993]}'), { a: [1, 'x', 9007199254740993n] })
})

test('NE-020 of two documents the first one counts', () => {
  assert.deepEqual(read('name: a\n---\nname: b\n'), { name: 'a' })
  assert.deepEqual(read(''), null)
})

test('NE-019 AP-055 what is no YAML', () => {
  for (const text of ['a: b: c', '\t- x', '[1, 2', '*nowhere']) {
    assert.throws(
      () => decodeYaml(text),
      (error) => error instanceof UnreadableBody && error.code === 400 && /^yaml: ./.test(error.problem),
      text,
    )
  }
  assert.throws(() => decodeBody(Buffer.from('a: b: c'), 'yaml', 'Widget'), {
    message: /^the object provided is unrecognized \(must be of type Widget\): yaml: /,
  })
  assert.throws(() => decodeBody(Buffer.from('- a\n- b\n'), 'yaml', 'ConfigMap'), {
    message: /^the object provided is unrecognized \(must be of type ConfigMap\): couldn't get version\/kind; json parse error: /,
  })
})

test('FV-016 duplicate keys of a YAML body are told by line', () => {
  const widget = decodeYaml('apiVersion: test.windlass.dev/v1\nkind: Widget\nmetadata: {name: a}\nspec:\n  replicas: 1\n  replicas: 2\n', {
    findDuplicates: true,
  })
  assert.deepEqual(widget.duplicates, ['spec.replicas'])
  assert.equal(
    strictDecodingError(widget, []),
    'strict decoding error: yaml: unmarshal errors:\n  line 6: key "replicas" already set in map',
  )
  const map = decodeYaml('apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata:\n  k: "1"\n  k: "2"\nfoo: 1\n', {
    findDuplicates: true,
  })
  assert.deepEqual(map.value, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: '2' }, foo: 1 })
  assert.equal(
    strictDecodingError(map, ['foo']),
    'strict decoding error: yaml: unmarshal errors:\n  line 6: key "k" already set in map, unknown field "foo"',
  )
  assert.deepEqual(decodingWarnings(map, ['foo']), ['line 6: key "k" already set in map', 'unknown field "foo"'])
})

test('FV-015 a JSON body sent as YAML reports duplicates as YAML does', () => {
  const decoded = decodeYaml('{"a": 1,\n"a": 2}', { findDuplicates: true })
  assert.deepEqual(decoded.complaints, ['line 2: key "a" already set in map'])
  assert.deepEqual(decoded.value, { a: 2 })
})

test('alias bombs and endless nesting are refused', () => {
  const bomb = ['a: &a [x,x,x,x,x,x,x,x,x,x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg']) bomb.push(`${to}: &${to} [${Array(10).fill(`*${from}`).join(',')}]`)
  assert.throws(() => decodeYaml(bomb.join('\n')), UnreadableBody)
  assert.throws(() => decodeYaml('['.repeat(20_000) + ']'.repeat(20_000)), UnreadableBody)
})

test('AP-055 bodies of an apply that are no object', () => {
  assert.throws(() => decodeApplyBody(Buffer.from('a: b: c')), { message: /^error decoding YAML: error converting YAML to JSON: yaml: / })
  for (const text of ['- a', 'text']) {
    assert.throws(() => decodeApplyBody(Buffer.from(text)), {
      message: /^error decoding YAML: error unmarshaling JSON: while decoding JSON: json: /,
    })
  }
  assert.deepEqual(decodeApplyBody(Buffer.from('')).value, {})
})

test('FV-015 a strict apply refuses keys written twice', () => {
  const body = Buffer.from('apiVersion: test.windlass.dev/v1\nkind: Widget\nmetadata:\n  name: b\nspec:\n  replicas: 1\n  replicas: 2\n')
  assert.throws(() => decodeApplyBody(body, { isStrict: true }), {
    message:
      'error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:\n  line 7: key "replicas" already set in map',
  })
  assert.deepEqual(decodeApplyBody(body, { findDuplicates: true }).complaints, ['line 7: key "replicas" already set in map'])
})
