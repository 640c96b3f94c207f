import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorBody } from '../errors/field-error.ts'
import type { Json } from '../json.ts'
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts'
import { compileRules, objectBudget } from './index.ts'

const integer: JsonSchema = { type: 'integer' }
const text: JsonSchema = { type: 'string', maxLength: 64 }

const withRules = (schema: JsonSchema, ...rules: readonly ValidationRule[]): JsonSchema => ({
  ...schema,
  'x-kubernetes-validations': rules,
})
const struct = (properties: { readonly [name: string]: JsonSchema }): JsonSchema => ({ type: 'object', properties })
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items, maxItems: 16 })

/** `field: message` for every failure of the rules of one node. */
function failures(schema: JsonSchema, self: Json, old?: Json, field = 'spec.x', isResourceRoot = false): readonly string[] {
  const rules = compileRules(schema, { isResourceRoot })
  return rules.evaluate(self, old, field, { remaining: objectBudget }).map(({ error }) => `${error.field}: ${errorBody(error)}`)
}

const spec = withRules(
  struct({
    min: integer,
    max: integer,
    namespace: text,
    'dash-name': text,
    'dot.name': text,
    under__score: text,
    'x/slash': text,
    oldRule: integer,
  }),
  { rule: '!has(self.min) || !has(self.max) || self.min <= self.max', message: 'min must not exceed max' },
  { rule: '!has(self.__namespace__) || self.__namespace__ != "bad"', message: 'namespace is bad' },
  { rule: '!has(self.dash__dash__name) || self.dash__dash__name != "bad"', message: 'dash-name is bad' },
  { rule: '!has(self.dot__dot__name) || self.dot__dot__name != "bad"', message: 'dot.name is bad' },
  { rule: '!has(self.under__underscores__score) || self.under__underscores__score != "bad"', message: 'under__score is bad' },
  { rule: '!has(self.x__slash__slash) || self.x__slash__slash != "bad"', message: 'x/slash is bad' },
  { rule: '!has(oldSelf.oldRule) || has(self.oldRule)', message: 'oldRule may not be removed' },
)
const noMessage = withRules(integer, { rule: 'self > 0' })
const shorter = { rule: 'self.size() < 5' }
const pair = struct({ a: text, b: text })
const unique = withRules(listOf(text), { rule: 'self.all(x, self.exists_one(y, x == y))', message: 'elements must be unique' })
const growing = withRules(integer, { rule: 'self >= oldSelf', message: 'may only grow', reason: 'FieldValueForbidden' })
const optionalRule = withRules(text, {
  rule: 'oldSelf.hasValue() ? oldSelf.value() == self : self.startsWith("new-")',
  message: 'new values begin with new-',
  optionalOldSelf: true,
})
const of = (schema: JsonSchema, rule: string, message: string): JsonSchema => withRules(schema, { rule, message })

interface Case {
  readonly id: string
  readonly what: string
  readonly schema: JsonSchema
  readonly self: Json
  readonly old?: Json
  readonly field?: string
  readonly expected: readonly string[]
}

const cases: readonly Case[] = [
  {
    id: 'CE-001',
    what: 'a rule over two fields',
    schema: spec,
    self: { min: 5, max: 3 },
    field: 'spec',
    expected: ['spec: Invalid value: "object": min must not exceed max'],
  },
  { id: 'CE-001', what: 'a rule over two fields that holds', schema: spec, self: { min: 3, max: 5 }, expected: [] },
  { id: 'CE-001', what: 'a rule over fields that are not there', schema: spec, self: { min: 9 }, expected: [] },
  {
    id: 'CE-002',
    what: 'a rule without message shows the rule',
    schema: noMessage,
    self: -7,
    expected: ['spec.x: Invalid value: "integer": failed rule: self > 0'],
  },
  { id: 'CE-002', what: 'a rule without message that holds', schema: noMessage, self: 1, expected: [] },
  {
    id: 'CE-004',
    what: 'messageExpression',
    schema: withRules(text, { ...shorter, messageExpression: '"must be shorter than 5, got " + self' }),
    self: 'too long',
    expected: ['spec.x: Invalid value: "string": must be shorter than 5, got too long'],
  },
  {
    id: 'CE-005',
    what: 'messageExpression wins over message',
    schema: withRules(text, { ...shorter, message: 'static text', messageExpression: '"dynamic text " + self' }),
    self: 'too long',
    expected: ['spec.x: Invalid value: "string": dynamic text too long'],
  },
  {
    id: 'CE-006',
    what: 'an empty messageExpression falls back to the message',
    schema: withRules(integer, { rule: 'self < 10', message: 'fallback text', messageExpression: '""' }),
    self: 10,
    expected: ['spec.x: Invalid value: "integer": fallback text'],
  },
  {
    id: 'CE-007',
    what: 'a failing messageExpression falls back to the message',
    schema: withRules(text, { ...shorter, message: 'used when the expression fails', messageExpression: '["a"][self.size()]' }),
    self: 'too long',
    expected: ['spec.x: Invalid value: "string": used when the expression fails'],
  },
  {
    id: 'CE-009',
    what: 'reason FieldValueDuplicate with fieldPath',
    schema: withRules(pair, { rule: 'self.a != self.b', message: 'a and b must differ', reason: 'FieldValueDuplicate', fieldPath: '.b' }),
    self: { a: 'x', b: 'x' },
    expected: ['spec.x.b: Duplicate value: "object"'],
  },
  {
    id: 'CE-010',
    what: 'reason FieldValueInvalid',
    schema: withRules(integer, { rule: 'self % 2 == 0', message: 'must be even', reason: 'FieldValueInvalid' }),
    self: 3,
    expected: ['spec.x: Invalid value: "integer": must be even'],
  },
  {
    id: 'CE-011',
    what: 'reason FieldValueForbidden on a transition',
    schema: growing,
    self: 4,
    old: 5,
    expected: ['spec.x: Forbidden: may only grow'],
  },
  { id: 'CE-011', what: 'a transition that is allowed', schema: growing, self: 6, old: 5, expected: [] },
  {
    id: 'CE-012',
    what: 'self == oldSelf: immutable',
    schema: of(text, 'self == oldSelf', 'immutable is immutable'),
    self: 'y',
    old: 'x',
    expected: ['spec.x: Invalid value: "string": immutable is immutable'],
  },
  {
    id: 'CE-014',
    what: 'a transition rule on the parent sees removals',
    schema: spec,
    self: {},
    old: { oldRule: 2 },
    field: 'spec',
    expected: ['spec: Invalid value: "object": oldRule may not be removed'],
  },
  { id: 'CE-015', what: 'transition rules do not run when a field appears', schema: growing, self: 1, expected: [] },
  {
    id: 'CE-016',
    what: 'optionalOldSelf runs without an old value',
    schema: optionalRule,
    self: 'x',
    expected: ['spec.x: Invalid value: "string": new values begin with new-'],
  },
  {
    id: 'CE-016',
    what: 'optionalOldSelf compares with an old value',
    schema: optionalRule,
    self: 'new-y',
    old: 'new-x',
    expected: ['spec.x: Invalid value: "string": new values begin with new-'],
  },
  { id: 'CE-016', what: 'optionalOldSelf holds', schema: optionalRule, self: 'new-x', old: 'new-x', expected: [] },
  {
    id: 'CE-017',
    what: 'a rule on the list',
    schema: unique,
    self: ['a', 'a'],
    expected: ['spec.x: Invalid value: "array": elements must be unique'],
  },
  {
    id: 'CE-020',
    what: 'the escaped name of a reserved word',
    schema: spec,
    self: { namespace: 'bad' },
    field: 'spec',
    expected: ['spec: Invalid value: "object": namespace is bad'],
  },
  {
    id: 'CE-020',
    what: 'the escaped name of a dash',
    schema: spec,
    self: { 'dash-name': 'bad' },
    field: 'spec',
    expected: ['spec: Invalid value: "object": dash-name is bad'],
  },
  {
    id: 'CE-020',
    what: 'the escaped name of a dot',
    schema: spec,
    self: { 'dot.name': 'bad' },
    field: 'spec',
    expected: ['spec: Invalid value: "object": dot.name is bad'],
  },
  {
    id: 'CE-020',
    what: 'the escaped name of two underscores',
    schema: spec,
    self: { under__score: 'bad' },
    field: 'spec',
    expected: ['spec: Invalid value: "object": under__score is bad'],
  },
  {
    id: 'CE-020',
    what: 'the escaped name of a slash',
    schema: spec,
    self: { 'x/slash': 'bad' },
    field: 'spec',
    expected: ['spec: Invalid value: "object": x/slash is bad'],
  },
  {
    id: 'CE-021',
    what: 'matches',
    schema: of(text, 'self.matches("^[a-z]+-[0-9]+$")', 'no'),
    self: 'Name-1',
    expected: ['spec.x: Invalid value: "string": no'],
  },
  { id: 'CE-021', what: 'find', schema: of(text, 'self.find("[0-9]+") == "42"', 'no'), self: 'x42y43', expected: [] },
  {
    id: 'CE-022',
    what: 'url library',
    schema: of(text, 'isURL(self) && url(self).getScheme() == "https"', 'no'),
    self: 'nonsense',
    expected: ['spec.x: Invalid value: "string": no'],
  },
  {
    id: 'CE-024',
    what: 'quantity library',
    schema: of(text, 'isQuantity(self) && quantity(self).isGreaterThan(quantity("1Gi"))', 'no'),
    self: '1500M',
    expected: [],
  },
  {
    id: 'CE-025',
    what: 'format library',
    schema: of(text, '!format.dns1123Label().validate(self).hasValue()', 'no'),
    self: 'Not_DNS',
    expected: ['spec.x: Invalid value: "string": no'],
  },
  {
    id: 'CE-026',
    what: 'durations by format',
    schema: of({ ...text, format: 'duration' }, 'self > duration("1m")', 'no'),
    self: '30s',
    expected: ['spec.x: Invalid value: "string": no'],
  },
  {
    id: 'CE-026',
    what: 'times by format',
    schema: of({ ...text, format: 'date-time' }, 'self > timestamp("2020-01-01T00:00:00Z")', 'no'),
    self: '2020-01-01T00:00:01Z',
    expected: [],
  },
  {
    id: 'CE-027',
    what: 'int-or-string shows no type',
    schema: of({ 'x-kubernetes-int-or-string': true }, 'type(self) == int ? self < 100 : self.endsWith("%")', 'no'),
    self: '50',
    expected: ['spec.x: Invalid value: "": no'],
  },
  {
    id: 'CE-027',
    what: 'int-or-string as text',
    schema: of({ 'x-kubernetes-int-or-string': true }, 'type(self) == int ? self < 100 : self.endsWith("%")', 'no'),
    self: '50%',
    expected: [],
  },
  {
    id: 'CE-029',
    what: 'lists library',
    schema: of(listOf(integer), 'self.isSorted() && self.sum() <= 100', 'no'),
    self: [60, 50],
    expected: ['spec.x: Invalid value: "array": no'],
  },
  {
    id: 'CE-030',
    what: 'booleans',
    schema: of({ type: 'boolean' }, 'self', 'must be true'),
    self: false,
    expected: ['spec.x: Invalid value: "boolean": must be true'],
  },
  {
    id: 'CE-030',
    what: 'whole numbers are doubles where the schema says number',
    schema: of({ type: 'number' }, 'self < 1.5', 'no'),
    self: 2,
    expected: ['spec.x: Invalid value: "number": no'],
  },
  {
    id: 'CE-031',
    what: 'optional field access',
    schema: of(pair, 'self.?a.orValue("none") != "bad"', 'no'),
    self: { a: 'bad' },
    expected: ['spec.x: Invalid value: "object": no'],
  },
  {
    id: 'CE-031',
    what: 'optional access to a field that is not there',
    schema: of(pair, 'self.?a.orValue("none") != "bad"', 'no'),
    self: {},
    expected: [],
  },
  { id: 'CE-032', what: 'null is not judged', schema: of({ ...text, nullable: true }, 'self != "x"', 'no'), self: null, expected: [] },
]

describe('recorded rules', () => {
  for (const { id, what, schema, self, old, field, expected } of cases) {
    test(`${id} ${what}: ${JSON.stringify(self)}`, () => {
      assert.deepEqual(failures(schema, self, old, field), expected)
    })
  }

  test('CE-034 rules on metadata.name at the root point at no field', () => {
    const schema = withRules(struct({ metadata: { type: 'object' }, spec: struct({}) }), {
      rule: 'self.metadata.name != "reserved"',
      message: 'the name reserved is reserved',
    })
    assert.deepEqual(failures(schema, { metadata: { name: 'reserved' } }, undefined, '', true), [
      '<nil>: Invalid value: "object": the name reserved is reserved',
    ])
  })
})

describe('rules that cannot be evaluated', () => {
  const broken: readonly (readonly [string, JsonSchema, Json, string])[] = [
    ['a missing field', of(pair, 'self.a == "x"', 'a is x'), {}, 'Invalid value: "object": no such key: a evaluating rule: a is x'],
    [
      'a division by zero',
      of(integer, '100 / self > 5', 'over 5'),
      0,
      'Invalid value: "integer": division by zero evaluating rule: over 5',
    ],
    [
      'a rule without message',
      withRules(listOf(text), { rule: 'self[3] == "x"' }),
      ['a'],
      'Invalid value: "array": index out of bounds: 3 evaluating rule: self[3] == "x"',
    ],
    [
      'a type that is known only at run time',
      of({ 'x-kubernetes-int-or-string': true }, 'self < 100', 'below 100'),
      'x',
      `Invalid value: "": 'no such overload': call arguments did not match a supported operator, function or macro signature for rule: below 100`,
    ],
  ]
  for (const [what, schema, self, expected] of broken) {
    test(`${what} is an error of the value`, () => {
      assert.deepEqual(failures(schema, self), [`spec.x: ${expected}`])
    })
  }

  test('is marked so that an unchanged value does not excuse it', () => {
    const [failure] = compileRules(of(pair, 'self.a == "x"', 'a is x'), { isResourceRoot: false }).evaluate({}, {}, 'spec', {
      remaining: objectBudget,
    })
    assert.equal(failure?.isTransition, true)
  })
})

describe('cost', () => {
  const numbers = Array.from({ length: 1_200 }, (_, index) => index)
  const quadratic = of({ type: 'array', items: integer }, 'self.all(x, self.all(y, x != y || x == y))', 'never')

  test('one expression may take a million steps', () => {
    const budget = { remaining: objectBudget }
    const found = compileRules(quadratic, { isResourceRoot: false }).evaluate(numbers, undefined, 'spec.x', budget)
    assert.deepEqual(
      found.map(({ error }) => errorBody(error)),
      [
        `Invalid value: "array": 'operation cancelled: actual cost limit exceeded': no further validation rules will be run due to call cost exceeds limit for rule: never`,
      ],
    )
    assert.ok(budget.remaining < 0)
  })

  test('all rules of an object share one budget', () => {
    const budget = { remaining: 3 }
    const schema = withRules(integer, { rule: 'self > 0 && self > 1 && self > 2', message: 'a' }, { rule: 'self > 100', message: 'b' })
    const found = compileRules(schema, { isResourceRoot: false }).evaluate(5, undefined, 'spec.x', budget)
    assert.deepEqual(
      found.map(({ error }) => errorBody(error)),
      ['Invalid value: "integer": validation failed due to running out of cost budget, no further validation rules will be run'],
    )
    assert.deepEqual(compileRules(schema, { isResourceRoot: false }).evaluate(0, undefined, 'spec.x', budget), [])
  })
})

test('lists with keys compare and merge by key, sets by value', () => {
  const keyed: JsonSchema = {
    type: 'array',
    items: struct({ k: text, v: integer }),
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['k'],
  }
  const set: JsonSchema = { type: 'array', items: text, 'x-kubernetes-list-type': 'set' }
  const [ab, ba] = [
    [
      { k: 'a', v: 1 },
      { k: 'b', v: 2 },
    ],
    [
      { k: 'b', v: 2 },
      { k: 'a', v: 1 },
    ],
  ]
  assert.deepEqual(failures(of(keyed, 'self == oldSelf', 'no'), ab, ba), [])
  assert.deepEqual(failures(of(keyed, '(self + oldSelf).size() == 2', 'no'), ab, ba), [])
  assert.deepEqual(failures(of(set, 'self == oldSelf && (self + oldSelf).size() == 2', 'no'), ['x', 'y'], ['y', 'x']), [])
  assert.deepEqual(failures(of(listOf(text), 'self == oldSelf', 'no'), ['x', 'y'], ['y', 'x']), ['spec.x: Invalid value: "array": no'])
})

test('the same schema is compiled once', () => {
  assert.equal(compileRules(noMessage, { isResourceRoot: false }), compileRules(noMessage, { isResourceRoot: false }))
  assert.notEqual(compileRules(noMessage, { isResourceRoot: false }), compileRules(noMessage, { isResourceRoot: true }))
})
