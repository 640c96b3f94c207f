import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { Json } from '../json.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { compileExpression, CompileError, compileRules } from './index.ts'

const text: JsonSchema = { type: 'string', nullable: true }
const schema: JsonSchema = {
  type: 'object',
  properties: {
    a: text,
    n: { type: 'integer', nullable: true },
    d: { type: 'number' },
    t: { type: 'string', format: 'date-time' },
    u: { type: 'string', format: 'duration' },
    l: { type: 'array', items: text },
    m: { type: 'object', additionalProperties: { type: 'integer' } },
    i: { 'x-kubernetes-int-or-string': true },
    o: { type: 'object', properties: { a: text } },
  },
}

const rules = [
  'self.a == oldSelf.a',
  'self == oldSelf',
  'self.n + 1 > 0 && self.d / 2.0 < 9.0',
  'self.t < timestamp("2020-01-01T00:00:00Z") || self.u > duration("1s")',
  'self.l.all(x, x.matches("^[a-z]*$") && x.size() < 3)',
  'self.m.exists(k, self.m[k] > 3)',
  'type(self.i) == int ? self.i > 3 : self.i.endsWith("%")',
  'self.o.?a.orValue("x").startsWith("x") && self.l[0] == self.a',
  'isIP(self.a) || isURL(self.a) || isQuantity(self.a) || isCIDR(self.a)',
]

const judged = compileRules(
  { ...schema, 'x-kubernetes-validations': rules.map((rule) => ({ rule, messageExpression: '"got " + self.a' })) },
  { isResourceRoot: false },
)

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>
const someObject = fc.dictionary(fc.constantFrom('a', 'n', 'd', 't', 'u', 'l', 'm', 'i', 'o', '__proto__', 'constructor'), json)

test('whatever the data, rules answer and never throw', () => {
  fc.assert(
    fc.property(fc.oneof(json, someObject), fc.option(fc.oneof(json, someObject), { nil: undefined }), (self, old) => {
      for (const { error } of judged.evaluate(self, old, 'spec', { remaining: 10_000 })) assert.ok(error.field.startsWith('spec'))
    }),
    { numRuns: 300 },
  )
})

test('a value equal to its old self passes the rule that says so', () => {
  const same = compileRules({ ...schema, 'x-kubernetes-validations': [{ rule: 'self == oldSelf' }] }, { isResourceRoot: false })
  fc.assert(
    fc.property(
      fc.record({ a: fc.string(), n: fc.integer(), l: fc.array(fc.string()), m: fc.dictionary(fc.string(), fc.integer()) }),
      (value) => {
        const self = value as Json
        assert.deepEqual(same.evaluate(self, structuredClone(self), 'spec', { remaining: 100_000 }), [])
      },
    ),
    { numRuns: 100 },
  )
})

test('whatever the text, compiling gives an expression or a CompileError', () => {
  const piece = fc.constantFrom(
    'self',
    '.',
    '(',
    ')',
    '[',
    ']',
    '"x"',
    '1',
    '+',
    '==',
    '&&',
    '?',
    ':',
    'in',
    'has',
    'all',
    'x',
    ',',
    '{',
    '}',
    '!',
    '-',
    ' ',
  )
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      ),
      (source) => {
        try {
          compileExpression(source, ['self'])
        } catch (error) {
          assert.ok(error instanceof CompileError, String(error))
        }
      },
    ),
    { numRuns: 500 },
  )
})
