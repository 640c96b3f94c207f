import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { errorText } from '../errors/field-error.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { checkRules } from './index.ts'

/** Rules of the kinds that public OpenShift definitions use, for places where those definitions are not at hand. */
const typical: JsonSchema = {
  type: 'object',
  properties: {
    platform: {
      type: 'object',
      properties: { type: { type: 'string' }, aws: { type: 'object', properties: { region: { type: 'string' } } } },
      'x-kubernetes-validations': [{ rule: "self.type == 'AWS' ? has(self.aws) : !has(self.aws)", message: 'aws goes with AWS' }],
    },
    release: { type: 'string', 'x-kubernetes-validations': [{ rule: "self.matches('^(\\\\w+\\\\S+)$')", message: 'must be a pullspec' }] },
    issuer: { type: 'string', 'x-kubernetes-validations': [{ rule: "isURL(self) && url(self).getScheme() == 'https'" }] },
    networks: {
      type: 'array',
      maxItems: 5,
      items: {
        type: 'string',
        'x-kubernetes-validations': [{ rule: 'isCIDR(self) && cidr(self).ip().family() == 4 && cidr(self).prefixLength() <= 29' }],
      },
      'x-kubernetes-validations': [{ rule: 'self.all(x, self.exists_one(y, x == y))' }],
    },
    timeout: { type: 'string', format: 'duration', 'x-kubernetes-validations': [{ rule: 'self.getSeconds() >= 0' }] },
    labels: {
      type: 'object',
      additionalProperties: { type: 'string' },
      'x-kubernetes-validations': [{ rule: 'self.all(key, key.lowerAscii() == key && size(self[key]) < 64) && oldSelf.all(k, k in self)' }],
    },
  },
  'x-kubernetes-validations': [
    { rule: '!has(oldSelf.issuer) || has(self.issuer) && self.issuer == oldSelf.issuer', message: 'issuer is immutable' },
    { rule: "self.?platform.?aws.?region.orValue('') != 'moon-1'" },
  ],
}

function ruleProblems(schema: JsonSchema, field: string, isResourceRoot: boolean): readonly string[] {
  const below: (readonly [JsonSchema, string])[] = Object.entries(schema.properties ?? {}).map(([name, each]) => [each, `${field}.${name}`])
  if (schema.items !== undefined) below.push([schema.items, `${field}[]`])
  if (typeof schema.additionalProperties === 'object') below.push([schema.additionalProperties, `${field}{}`])
  return [
    ...checkRules(schema, field, { isResourceRoot }).map(errorText),
    ...below.flatMap(([each, at]) => ruleProblems(each, at, each['x-kubernetes-embedded-resource'] === true)),
  ]
}

interface PublicDefinition {
  readonly spec: { readonly versions: readonly { readonly name: string; readonly schema: { readonly openAPIV3Schema: JsonSchema } }[] }
}

test('rules as public definitions write them compile', () => {
  assert.deepEqual(ruleProblems(typical, 'typical', true), [])
})

test('all rules of the public definitions beside the project compile', () => {
  const folder = join(import.meta.dirname, '../../../../../shared/upstream-crds')
  const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : []
  for (const file of files) {
    const { spec }: PublicDefinition = JSON.parse(readFileSync(join(folder, file), 'utf8'))
    for (const version of spec.versions) {
      assert.deepEqual(ruleProblems(version.schema.openAPIV3Schema, `${file}/${version.name}`, true), [])
    }
  }
})
