import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorText } from '../errors/field-error.ts'
import type { JsonSchema, ValidationRule } from '../schema/json-schema.ts'
import { checkRules } from './index.ts'

const integer: JsonSchema = { type: 'integer' }
const text: JsonSchema = { type: 'string' }
const spec: JsonSchema = { type: 'object', properties: { a: text, n: integer, raw: { 'x-kubernetes-preserve-unknown-fields': true } } }

function problems(schema: JsonSchema, rule: ValidationRule, uncorrelatable?: string): readonly string[] {
  const context = { isResourceRoot: false, ...(uncorrelatable === undefined ? {} : { uncorrelatable }) }
  return checkRules({ ...schema, 'x-kubernetes-validations': [rule] }, 'at', context).map(errorText)
}

const rejected: readonly (readonly [name: string, schema: JsonSchema, rule: ValidationRule, expected: RegExp])[] = [
  [
    'CD-054 an unknown field',
    spec,
    { rule: 'self.nope == "x"' },
    /^at\.x-kubernetes-validations\[0\]\.rule: Invalid value: .*: compilation failed: ERROR: <input>:1:5: undefined field 'nope'\n \| self\.nope == "x"\n \| \.{4}\^$/s,
  ],
  ['an unknown field inside has()', spec, { rule: 'has(self.nope)' }, /compilation failed: ERROR: <input>:1:9: undefined field 'nope'/],
  ['a field whose schema has no type', spec, { rule: 'has(self.raw)' }, /undefined field 'raw'/],
  [
    'CD-055 wrong types',
    integer,
    { rule: 'self == "x"' },
    /compilation failed: .*found no matching overload for '_==_' applied to '\(int, string\)'/,
  ],
  ['CD-056 no boolean', integer, { rule: 'self + 1' }, /rule: Invalid value: .*: cel expression must evaluate to a bool$/],
  ['a syntax error', integer, { rule: 'self >' }, /compilation failed: ERROR: <input>:1:7: Syntax error: /],
  ['an unknown variable', integer, { rule: 'other > 1' }, /undeclared reference to 'other' \(in container ''\)/],
  ['an unknown function', text, { rule: 'self.frobnicate()' }, /undeclared reference to 'frobnicate'/],
  ['a pattern that is no pattern', text, { rule: 'self.matches("(")' }, /invalid matches argument/],
  ['a duration that is no duration', text, { rule: 'duration("1 day") > duration("1s")' }, /invalid duration argument/],
  ['CD-057 an empty rule', integer, { rule: '' }, /^at\.x-kubernetes-validations\[0\]\.rule: Required value: rule is not specified$/],
  [
    'CD-057 a message with line breaks',
    integer,
    { rule: 'self > 0', message: 'a\nb' },
    /\.message: Invalid value: "a\\nb": message must not contain line breaks$/,
  ],
  [
    'CD-057 an unknown reason',
    integer,
    { rule: 'self > 1', reason: 'Because' },
    /\.reason: Unsupported value: "Because": supported values: "FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"$/,
  ],
  [
    'a rule of several lines without message',
    integer,
    { rule: 'self > 0 &&\nself < 9' },
    /\.message: Required value: message must be specified if rule contains line breaks$/,
  ],
  [
    'CD-059 a fieldPath that does not exist',
    spec,
    { rule: 'has(self.a)', fieldPath: '.b' },
    /\.fieldPath: Invalid value: "\.b": fieldPath must be a valid path$/,
  ],
  [
    'CD-059 a fieldPath without a dot',
    spec,
    { rule: 'has(self.a)', fieldPath: 'a' },
    /\.fieldPath: Invalid value: "a": fieldPath must be a valid path$/,
  ],
  [
    'CD-061 optionalOldSelf without oldSelf',
    integer,
    { rule: 'self > 0', optionalOldSelf: true },
    /\.optionalOldSelf: Invalid value: true: may not be set if oldSelf is not used in rule$/,
  ],
  [
    'a messageExpression that is no text',
    integer,
    { rule: 'self > 0', messageExpression: 'self' },
    /\.messageExpression: Invalid value: .*: messageExpression must evaluate to a string$/,
  ],
]

for (const [name, schema, rule, expected] of rejected) {
  test(`${name} is refused`, () => {
    const found = problems(schema, rule)
    assert.equal(found.length, 1, found.join('\n'))
    assert.match(found[0] ?? '', expected)
  })
}

test('CD-060 oldSelf where values cannot be correlated', () => {
  assert.deepEqual(problems(text, { rule: 'self == oldSelf' }, 'list'), [
    'at.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within list',
  ])
})

test('CD-062 loops over lists without bounds inside each other cost too much', () => {
  const lists: JsonSchema = { type: 'array', items: { type: 'array', items: text } }
  const [found] = problems(lists, { rule: 'self.all(x, x.all(y, self.all(z, z.all(v, v != y))))' })
  assert.match(found ?? '', /\.rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x \(try simplifying the rule/)
  assert.deepEqual(
    problems(
      { ...lists, maxItems: 5, items: { type: 'array', items: text, maxItems: 5 } },
      { rule: 'self.all(x, x.all(y, self.all(z, z.all(v, v != y))))' },
    ),
    [],
  )
})

const accepted: readonly (readonly [name: string, schema: JsonSchema, rule: ValidationRule])[] = [
  ['fields by name', spec, { rule: 'self.a == "x" || self.n > 3' }],
  ['the path of a field', spec, { rule: 'has(self.a)', fieldPath: '.a', reason: 'FieldValueRequired' }],
  ['an old value that may be missing', text, { rule: '!oldSelf.hasValue() || self == oldSelf.value()', optionalOldSelf: true }],
  ['a message made of the value', text, { rule: 'self != ""', messageExpression: '"not " + self' }],
]

for (const [name, schema, rule] of accepted) {
  test(`${name} is accepted`, () => {
    assert.deepEqual(problems(schema, rule), [])
  })
}
