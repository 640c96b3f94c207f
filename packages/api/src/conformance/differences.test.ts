import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { JsonObject } from '../json.ts'
import { differences } from './differences.ts'

const upstream: JsonObject = {
  type: 'object',
  required: ['size'],
  properties: { size: { type: 'string', enum: ['S', 'L'] }, colour: { type: 'string' } },
  'x-kubernetes-validations': [{ rule: 'true', message: 'always' }],
}
const open = { 'x-kubernetes-preserve-unknown-fields': true }

describe('a difference', () => {
  for (const [what, ours, expected] of [
    ['none', upstream, []],
    [
      'other words',
      { ...upstream, properties: { ...Object(upstream['properties']), size: { type: 'string', enum: ['S'] } } },
      ['.size: enum is ["S"], upstream ["S","L"]'],
    ],
    [
      'a field of our own',
      { ...upstream, properties: { ...Object(upstream['properties']), weight: { type: 'integer' } } },
      ['.weight: not upstream'],
    ],
    [
      'a field that would be lost',
      { ...upstream, properties: { size: { type: 'string', enum: ['S', 'L'] } } },
      [".colour: upstream's field would be lost"],
    ],
    [
      'no difference when unknown fields are kept',
      { ...upstream, ...open, properties: { size: { type: 'string', enum: ['S', 'L'] } } },
      [],
    ],
    ['something required', { ...upstream, required: ['size', 'colour'] }, ['(root): required not upstream: colour']],
    ['something no longer required', { ...upstream, required: [] }, ['(root): required missing: size']],
    ['a missing rule', { ...upstream, 'x-kubernetes-validations': [] }, ['(root): rule missing: always']],
    ['no missing rule of what is modelled in part', { ...upstream, ...open, 'x-kubernetes-validations': [] }, []],
  ] satisfies [string, JsonObject, string[]][]) {
    it(`is ${what}`, () => assert.deepEqual(differences(ours, upstream), expected))
  }
})
