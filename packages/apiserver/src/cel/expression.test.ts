import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../json.ts'
import { compileExpression, CompileError, EvaluationError } from './index.ts'

const data = { name: 'ok-1', spec: { replicas: 3, ratio: 0.5, tags: ['a', 'b'], labels: { app: 'web' }, nothing: null } }

function evaluate(source: string, values: Readonly<Record<string, Json | undefined>> = { object: data }): unknown {
  return compileExpression(source, Object.keys(values)).evaluate(values)
}

const answers: readonly (readonly [source: string, expected: unknown])[] = [
  // operators
  ['1 + 2 * 3 - 4 / 2 % 3', 5n],
  ['-7 / 2', -3n],
  ['1.5 + 2.0', 3.5],
  ['1 < 2.5 && 2u > 1', true],
  ['"a" + "b" < "b"', true],
  ['[1, 2] + [3]', [1n, 2n, 3n]],
  ['2 in [1, 2]', true],
  ['"a" in {"a": 1}', true],
  ['{"a": 1, "b": 2} == {"b": 2, "a": 1}', true],
  ['dyn(1) == dyn(1.0)', true],
  ['dyn(1) == dyn("1")', false],
  ['true || 1 / 0 == 1', true],
  ['1 / 0 == 1 || true', true],
  ['1 / 0 == 1 && false', false],
  ['[1, 2][1]', 2n],
  ['{"a": [1]}["a"][0]', 1n],
  ['-9223372036854775808 < 0', true],
  ['r"\\d" + \'x\'', '\\dx'],
  ['type(1) == int && type("") == string && type([]) == list && type(null) == null_type', true],
  ['timestamp("2020-01-01T00:00:00Z") + duration("24h") == timestamp("2020-01-02T00:00:00Z")', true],
  // fields
  ['object.name.startsWith("ok-")', true],
  ['object.spec.replicas + 1', 4n],
  ['object.spec.ratio * 2.0', 1],
  ['size(object.spec.tags)', 2n],
  ['object.spec.labels.app', 'web'],
  ['has(object.spec.labels) && !has(object.spec.nope)', true],
  ['has(object.spec.nothing) && object.spec.nothing == null', true],
  // macros
  ['[1, 2, 3].all(x, x > 0)', true],
  ['[0, 1].exists(x, 1 / x == 1)', true],
  ['[1, 2, 2].exists_one(x, x == 2)', false],
  ['[1, 2, 3].filter(x, x > 1).map(x, x * 2)', [4n, 6n]],
  ['[1, 2, 3].map(x, x > 1, x * 2)', [4n, 6n]],
  ['{"a": 1, "b": 2}.all(k, k != "c")', true],
  ['["x", "y"].all(i, v, i < 2 && v != "z")', true],
  ['{"a": 1}.exists(k, v, k == "a" && v == 1)', true],
  ['["x", "y"].transformList(i, v, v + string(i))', ['x0', 'y1']],
  ['{"a": 1, "b": 2}.transformMap(k, v, v > 1, v * 10)', { b: 20n }],
  ['["bb", "a"].sortBy(x, size(x))', ['a', 'bb']],
  ['cel.bind(x, object.spec.replicas, x * x)', 9n],
  // optionals
  ['object.?spec.?replicas.orValue(0)', 3n],
  ['object.?nope.replicas.orValue(7)', 7n],
  ['object.spec.tags[?5].orValue("none")', 'none'],
  ['object.spec.labels[?"app"].value()', 'web'],
  ['optional.none().or(optional.of(1)).value()', 1n],
  ['object.?name.optMap(n, n + "!").orValue("")', 'ok-1!'],
  ['optional.ofNonZeroValue("").hasValue()', false],
  // VP: what the recorded admission policies say
  ['has(object.data) ? size(object.data) : 0', 0n],
]

describe('expressions', () => {
  for (const [source, expected] of answers) {
    test(source, () => {
      assert.deepEqual(evaluate(source), expected)
    })
  }
})

test('VP-004 an expression sees all its variables', () => {
  const source = "request.operation != 'UPDATE' || object.data.k == oldObject.data.k"
  const values = { request: { operation: 'UPDATE' }, object: { data: { k: '2' } }, oldObject: { data: { k: '1' } } }
  assert.equal(evaluate(source, values), false)
  assert.equal(evaluate(source, { ...values, request: { operation: 'CREATE' }, oldObject: undefined }), true)
})

test('VP-006 results of one expression are variables of another', () => {
  const n = evaluate('has(object.data) ? size(object.data) : 0', { object: { data: { a: '1', b: '2' } } })
  assert.equal(n, 2n)
  assert.equal(evaluate("'n is ' + string(variables.n)", { variables: { n: 2n } }), 'n is 2')
})

test('VP-007 texts become numbers', () => {
  assert.equal(
    evaluate('size(object.data) <= int(params.data.max)', { object: { data: { a: '1', b: '2' } }, params: { data: { max: '1' } } }),
    false,
  )
})

const failing: readonly (readonly [source: string, message: string])[] = [
  ['object.nope', 'no such key: nope'],
  ['object.spec.tags[9]', 'index out of bounds: 9'],
  ['{"a": 1}["b"]', 'no such key: b'],
  ['1 / (object.spec.replicas - 3)', 'division by zero'],
  ['1 % 0', 'modulus by zero'],
  ['9223372036854775807 + object.spec.replicas', 'integer overflow'],
  ['object.name + 1', 'no such overload'],
  ['int("x")', "type conversion error from 'string' to 'int'"],
  ['optional.none().value()', 'optional.none() dereference'],
  ['[1, 2].all(x, object.nope)', 'no such key: nope'],
]

describe('expressions that fail', () => {
  for (const [source, message] of failing) {
    test(source, () => {
      assert.throws(
        () => evaluate(source),
        (error) => error instanceof EvaluationError && error.message === message,
      )
    })
  }
})

test('a syntax error is named and shows its place', () => {
  assert.throws(
    () => compileExpression('object.name ==\n  &&', ['object']),
    (error) =>
      error instanceof CompileError &&
      error.message.startsWith('ERROR: <input>:2:3: Syntax error: ') &&
      error.message.includes('\n |   &&\n | ..^'),
  )
})

test('literals must be of one kind', () => {
  assert.throws(() => compileExpression('[1, "a"]', []), /expected type 'int' but found 'string'/)
})

test('an expression knows which variables it uses', () => {
  assert.deepEqual(compileExpression('object.a.all(x, x > y)', ['object', 'y', 'z']).used, new Set(['object', 'y']))
})

test('an expression that never ends is stopped', () => {
  const numbers = Array.from({ length: 2_000 }, (_, index) => index)
  assert.throws(() => evaluate('xs.all(a, xs.all(b, a + b >= 0))', { xs: numbers }), /actual cost limit exceeded/)
})

test('an expression of absurd length is refused or answered, never a fault', () => {
  const source = Array.from({ length: 50_000 }, () => 'true').join(' && ')
  assert.throws(
    () => compileExpression(source, []),
    (error) => error instanceof CompileError,
  )
})

test('comparing large values costs what they weigh', () => {
  const rows = Array.from({ length: 400 }, (_, index) => ({ id: index, tags: ['a', 'b', 'c', 'd', 'e'] }))
  assert.throws(() => evaluate('xs.all(a, xs.all(b, xs != ys))', { xs: rows, ys: [...rows].reverse() }), /actual cost limit exceeded/)
})
