import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ApiError } from '../errors/api-error.ts'
import { labelSelectorFromObject, parseLabelSelector } from './label-selector.ts'

const objects: Readonly<Record<string, Readonly<Record<string, string>> | undefined>> = {
  a: { x: '1', y: 'p', zone: 'a' },
  b: { x: '2', zone: 'b' },
  c: { old: '' },
  d: undefined,
}

/** Names of the objects that a selector picks. */
function picked(selector: string): string {
  const { matches } = parseLabelSelector(selector)
  return Object.keys(objects)
    .filter((name) => matches(objects[name]))
    .join(' ')
}

function refused(selector: string): string {
  try {
    parseLabelSelector(selector)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.equal(error.code, 400)
    assert.equal(error.status.reason, 'BadRequest')
    return error.message
  }
  throw new assert.AssertionError({ message: `${selector} was accepted` })
}

test('RD-026 equality', () => {
  assert.equal(picked('x=1'), 'a')
  assert.equal(picked('x==2'), 'b')
  assert.equal(picked('x!=1'), 'b c d')
  assert.equal(picked('x=1,y=p'), 'a')
  assert.equal(picked('x=1,y=q'), '')
  assert.equal(picked('x='), '')
})

test('RD-027 sets and existence', () => {
  assert.equal(picked('x in (1,2)'), 'a b')
  assert.equal(picked('x notin (1)'), 'b c d')
  assert.equal(picked('x'), 'a b')
  assert.equal(picked('!x'), 'c d')
  assert.equal(picked('zone in (a,b),!old'), 'a b')
  assert.equal(picked('x in (1),zone'), 'a')
  assert.equal(picked('old='), 'c')
  assert.equal(picked(' x  in ( 1 , 2 ) , zone = a '), 'a')
  assert.equal(picked(''), 'a b c d')
})

test('R8 numbers compare as integers', () => {
  assert.equal(picked('x>1'), 'b')
  assert.equal(picked('x<2'), 'a')
  assert.equal(picked('y>0'), '')
  assert.match(refused('x>a'), /^unable to parse requirement: values\[0\]: Invalid value: "a": for 'Gt', 'Lt' operators, the value must be/)
})

test('RD-029 prefixes and quoting', () => {
  const { matches } = parseLabelSelector('example.com/role in (web)')
  assert.equal(matches({ 'example.com/role': 'web' }), true)
  assert.equal(matches({ role: 'web' }), false)
  assert.equal(
    refused('"x"=1'),
    String.raw`unable to parse requirement: <nil>: Invalid value: "\"x\"": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  )
})

test('RD-030 unreadable selectors', () => {
  assert.equal(refused('x in'), "unable to parse requirement: found '' expected: '('")
  assert.equal(picked('x in ()'), '')
  assert.equal(refused('=1'), "found '=', expected: !, identifier, or 'end of string'")
  assert.equal(refused('x=1,'), "found '', expected: identifier after ','")
  assert.equal(refused('x=bad value'), "found 'value', expected: ',' or 'end of string'")
  assert.equal(refused('x==1==2'), "found '==', expected: ',' or 'end of string'")
  assert.equal(
    refused('x=-'),
    `unable to parse requirement: values[0][x]: Invalid value: "-": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')`,
  )
  assert.equal(refused('(x)'), "found '(', expected: !, identifier, or 'end of string'")
  assert.equal(refused('x notin 1'), "unable to parse requirement: found '1' expected: '('")
})

test('in and notin are good names for labels and values', () => {
  assert.equal(parseLabelSelector('in=notin').matches({ in: 'notin' }), true)
  assert.equal(parseLabelSelector('in in (in)').matches({ in: 'in' }), true)
})

test('a label called like a method of every object is just a label', () => {
  assert.equal(parseLabelSelector('toString').matches({}), false)
  assert.equal(parseLabelSelector('!constructor').matches({ a: 'b' }), true)
})

test('any text is a selector or a 400', () => {
  const unit = fc.oneof(fc.constantFrom(...Array.from('xy=!(),<> in'), 'notin'), fc.string({ minLength: 1, maxLength: 1 }))
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      try {
        assert.equal(typeof parseLabelSelector(parts.join('')).matches({ x: '1' }), 'boolean')
      } catch (error) {
        assert.ok(error instanceof ApiError && error.code === 400)
      }
    }),
    { numRuns: 1000 },
  )
})

test('selectors in objects: absent selects nothing, empty everything', () => {
  assert.equal(labelSelectorFromObject(undefined).matches({ a: 'b' }), false)
  assert.equal(labelSelectorFromObject({}).matches(undefined), true)
  const selector = labelSelectorFromObject({
    matchLabels: { app: 'web' },
    matchExpressions: [
      { key: 'tier', operator: 'In', values: ['a', 'b'] },
      { key: 'old', operator: 'DoesNotExist' },
      { key: 'zone', operator: 'NotIn', values: ['x'] },
      { key: 'app', operator: 'Exists' },
    ],
  })
  assert.equal(selector.matches({ app: 'web', tier: 'b' }), true)
  assert.equal(selector.matches({ app: 'web', tier: 'b', old: '' }), false)
  assert.equal(selector.matches({ app: 'web', tier: 'b', zone: 'x' }), false)
  assert.equal(selector.matches({ app: 'api', tier: 'b' }), false)
  assert.throws(() => labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Like' }] }), ApiError)
  assert.throws(() => labelSelectorFromObject({ matchExpressions: [{ key: 'a', operator: 'In', values: [] }] }), ApiError)
})
