import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { errorText, type FieldError } from '../errors/field-error.ts'
import type { JsonObject } from '../json.ts'
import { compileSchema } from '../schema/index.ts'
import { customResourceDefinitions, validateCrd } from './index.ts'
import { aDefinition, aVersion, context, created, withProperties, withSchema, withStatus } from './testing.ts'

const texts = (errors: readonly FieldError[]): readonly string[] => errors.map(errorText).toSorted()
const problems = (definition: JsonObject): readonly string[] => texts(validateCrd(created(definition), undefined))

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an " +
  "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const mixed = `may have mixed case, but should otherwise match: ${label}`
const root = 'spec.validation.openAPIV3Schema'
const a = `${root}.properties[spec].properties[a]`

interface Case {
  readonly name: string
  readonly definition: JsonObject
  /** Each a text, or the start and the end of one whose middle shows a Go value. */
  readonly expected: readonly (string | readonly [start: string, end: string])[]
}

const things = { plural: 'things', kind: 'Thing' }
const rules = (list: readonly JsonObject[]): JsonObject => ({ 'x-kubernetes-validations': list })

const cases: readonly Case[] = [
  { name: 'CD-001 the least', definition: aDefinition(), expected: [] },
  {
    name: 'CD-004 another name',
    definition: aDefinition({}, { name: 'things' }),
    expected: ['metadata.name: Invalid value: "things": must be spec.names.plural+"."+spec.group'],
  },
  {
    name: 'CD-005 names that are no labels',
    definition: aDefinition({ names: { plural: 'things', kind: '1Thing', shortNames: ['A_b'], singular: 'X Y', listKind: 'l l' } }),
    expected: [
      `spec.names.kind: Invalid value: "1Thing": ${mixed}`,
      `spec.names.listKind: Invalid value: "l l": ${mixed}`,
      `spec.names.shortNames[0]: Invalid value: "A_b": ${label}`,
      `spec.names.singular: Invalid value: "X Y": ${label}`,
    ],
  },
  {
    name: 'CD-006 missing names, versions and scope',
    definition: { ...aDefinition(), spec: { group: 'test.windlass.dev' } },
    expected: [
      'metadata.name: Invalid value: "things.test.windlass.dev": must be spec.names.plural+"."+spec.group',
      'spec.names.kind: Required value',
      'spec.names.listKind: Required value',
      'spec.names.plural: Required value',
      'spec.names.singular: Required value',
      'spec.scope: Required value',
      ['spec.versions: Invalid value: ', 'must have exactly one version marked as storage version'],
      'status.storedVersions: Invalid value: []string(nil): must have at least one stored version',
    ],
  },
  {
    name: 'CD-006 an unknown scope',
    definition: aDefinition({ scope: 'Global' }),
    expected: ['spec.scope: Unsupported value: "Global": supported values: "Cluster", "Namespaced"'],
  },
  {
    name: 'CD-007 two storage versions',
    definition: aDefinition({ versions: [aVersion(), aVersion({ name: 'v2' })] }),
    expected: [
      ['spec.versions: Invalid value: ', 'must have exactly one version marked as storage version'],
      'status.storedVersions: Invalid value: []string{"v1"}: must have the storage version v2',
    ],
  },
  {
    name: 'CD-009 no schema',
    definition: aDefinition({ versions: [{ name: 'v1', served: true, storage: true }] }),
    expected: ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required'],
  },
  {
    name: 'CD-010 a protected group',
    definition: aDefinition({ group: 'windlass.k8s.io' }, { name: 'things.windlass.k8s.io' }),
    expected: [
      'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation ' +
        '"api-approved.kubernetes.io", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  },
  {
    name: 'CD-020 a property without type',
    definition: withProperties({ a: {} }),
    expected: [`${a}.type: Required value: must not be empty for specified object fields`],
  },
  {
    name: 'CD-021 a root without type',
    definition: withSchema({ properties: { spec: { type: 'object' } } }),
    expected: [`${root}.type: Required value: must not be empty at the root`],
  },
  {
    name: 'CD-022 a root that is no object',
    definition: withSchema({ type: 'string' }),
    expected: [`${root}.type: Invalid value: "string": must be object at the root`],
  },
  {
    name: 'CD-024 an array without items',
    definition: withProperties({ a: { type: 'array' } }),
    expected: [`${a}.items: Required value: must be specified`],
  },
  {
    name: 'CD-025 properties and additionalProperties',
    definition: withProperties({ a: { type: 'object', properties: { b: { type: 'string' } }, additionalProperties: { type: 'string' } } }),
    expected: [`${a}.additionalProperties: Forbidden: additionalProperties and properties are mutual exclusive`],
  },
  {
    name: 'CD-026 uniqueItems',
    definition: withProperties({ a: { type: 'array', items: { type: 'string' }, uniqueItems: true } }),
    expected: [`${a}.uniqueItems: Forbidden: uniqueItems cannot be set to true since the runtime complexity becomes quadratic`],
  },
  {
    name: 'CD-027 $ref',
    definition: withProperties({ a: { $ref: '#/definitions/x' } }),
    expected: [`${a}.$ref: Forbidden: $ref is not supported`],
  },
  {
    name: 'CD-029 an unknown type',
    definition: withProperties({ a: { type: 'strong' } }),
    expected: [`${a}.type: Unsupported value: "strong": supported values: "array", "boolean", "integer", "number", "object", "string"`],
  },
  {
    name: 'CD-030 types in value validations',
    definition: withProperties({ a: { type: 'string', anyOf: [{ type: 'string' }, { type: 'integer' }] } }),
    expected: [
      `${a}.anyOf[0].type: Forbidden: must be empty to be structural`,
      `${a}.anyOf[1].type: Forbidden: must be empty to be structural`,
    ],
  },
  {
    name: 'CD-031 defaults, descriptions and nullable in value validations',
    definition: withProperties({
      a: {
        type: 'object',
        properties: { b: { type: 'string' } },
        anyOf: [{ properties: { b: { default: 'x' } } }, { properties: { b: { nullable: true } } }, { description: 'd' }],
      },
    }),
    expected: [
      `${a}.anyOf[0].properties[b].default: Forbidden: must be undefined to be structural`,
      `${a}.anyOf[1].properties[b].nullable: Forbidden: must be false to be structural`,
      `${a}.anyOf[2].description: Forbidden: must be empty to be structural`,
    ],
  },
  {
    name: 'CD-032 preserve-unknown-fields false',
    definition: withProperties({ a: { type: 'object', 'x-kubernetes-preserve-unknown-fields': false } }),
    expected: [`${a}.x-kubernetes-preserve-unknown-fields: Invalid value: false: must be true or undefined`],
  },
  {
    name: 'CD-034 metadata that says more than what names look like',
    definition: withSchema({ type: 'object', properties: { metadata: { type: 'object', properties: { labels: { type: 'object' } } } } }),
    expected: [
      `${root}.properties[metadata]: Forbidden: must not specify anything other than name and generateName, but metadata is implicitly specified`,
    ],
  },
  {
    name: 'CD-035 metadata that says what names look like',
    definition: withSchema({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', pattern: '^a' } } } },
    }),
    expected: [],
  },
  {
    name: 'CD-036 a default of the wrong type',
    definition: withProperties({ a: { type: 'string', default: 5 } }),
    expected: [`${a}.default: Invalid value: "integer":  in body must be of type string: "integer"`],
  },
  {
    name: 'CD-037 a default that breaks the validation',
    definition: withProperties({ a: { type: 'integer', minimum: 3, default: 1 } }),
    expected: [`${a}.default: Invalid value: 1:  in body should be greater than or equal to 3`],
  },
  {
    name: 'a default with fields that the schema does not know',
    definition: withProperties({ a: { type: 'object', properties: { b: { type: 'string' } }, default: { b: 'x', c: 'y' } } }),
    expected: [`${a}.default: Invalid value: map[string]interface {}{"b":"x", "c":"y"}: must not have unknown fields`],
  },
  {
    name: 'CD-039 a default in metadata',
    definition: withSchema({
      type: 'object',
      properties: { metadata: { type: 'object', properties: { name: { type: 'string', default: 'x' } } } },
    }),
    expected: [`${root}.properties[metadata].properties[name].default: Forbidden: must not be set in top-level metadata`],
  },
  {
    name: 'CD-040 list types',
    definition: withProperties({
      a: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'heap' },
      b: { type: 'array', items: { type: 'object', properties: { k: { type: 'string' } } }, 'x-kubernetes-list-type': 'map' },
      c: {
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['z'],
      },
      d: { type: 'array', items: { type: 'array', items: { type: 'string' } }, 'x-kubernetes-list-type': 'set' },
    }),
    expected: [
      `${a}.x-kubernetes-list-type: Unsupported value: "heap": supported values: "atomic", "set", "map"`,
      `${root}.properties[spec].properties[b].x-kubernetes-list-map-keys: Required value: must not be empty if x-kubernetes-list-type is map`,
      [
        `${root}.properties[spec].properties[c].x-kubernetes-list-map-keys: Invalid value: `,
        'entries must all be names of item properties',
      ],
    ],
  },
  {
    name: 'CD-041 list map keys that are optional without default',
    definition: withProperties({
      a: {
        type: 'array',
        items: { type: 'object', properties: { k: { type: 'string' } } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
    expected: [
      `${a}.items.properties[k].default: Required value: this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property`,
    ],
  },
  {
    name: 'CD-042 list type and map type on other things',
    definition: withProperties({
      a: { type: 'string', 'x-kubernetes-list-type': 'set' },
      b: { type: 'string', 'x-kubernetes-map-type': 'atomic' },
      c: { type: 'object', properties: {}, 'x-kubernetes-map-type': 'sometimes' },
    }),
    expected: [
      `${a}.type: Invalid value: "string": must be array if x-kubernetes-list-type is specified`,
      `${root}.properties[spec].properties[b].type: Invalid value: "string": must be object if x-kubernetes-map-type is specified`,
      `${root}.properties[spec].properties[c].x-kubernetes-map-type: Unsupported value: "sometimes": supported values: "atomic", "granular"`,
    ],
  },
  {
    name: 'CD-044 paths of the scale subresource',
    definition: aDefinition({
      versions: [aVersion({ subresources: { scale: { specReplicasPath: 'spec.replicas', statusReplicasPath: '.spec.x' } } })],
    }),
    expected: [
      'spec.subresources.scale.specReplicasPath: Invalid value: "spec.replicas": must be a simple json path starting with .',
      'spec.subresources.scale.statusReplicasPath: Invalid value: ".spec.x": should be a json path under .status',
    ],
  },
  {
    name: 'CD-045 missing paths of the scale subresource',
    definition: aDefinition({ versions: [aVersion({ subresources: { scale: {} } })] }),
    expected: ['spec.subresources.scale.specReplicasPath: Required value', 'spec.subresources.scale.statusReplicasPath: Required value'],
  },
  {
    name: 'CD-046 printer columns',
    definition: aDefinition({
      versions: [
        aVersion({
          additionalPrinterColumns: [
            { name: '', type: 'string', jsonPath: '.spec.a' },
            { name: 'B', type: 'text', jsonPath: '.spec.a' },
            { name: 'C', type: 'string', jsonPath: 'spec.a' },
            { name: 'D', type: 'string', jsonPath: '.spec[' },
            { name: 'E', type: 'string' },
            { name: 'F', type: 'string', format: 'zzz', jsonPath: '.spec.a' },
          ],
        }),
      ],
    }),
    expected: [
      'spec.additionalPrinterColumns[0].name: Required value',
      'spec.additionalPrinterColumns[1].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[2].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
      'spec.additionalPrinterColumns[4].JSONPath: Required value',
      'spec.additionalPrinterColumns[5].format: Invalid value: "zzz": must be one of byte,date,date-time,double,float,int32,int64,password',
    ],
  },
  {
    name: 'CD-049 a conversion webhook without configuration',
    definition: aDefinition({ conversion: { strategy: 'Webhook' } }),
    expected: [
      'spec.conversion.conversionReviewVersions: Required value',
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
    ],
  },
  {
    name: 'CD-050 an unknown conversion strategy',
    definition: aDefinition({ conversion: { strategy: 'Magic' } }),
    expected: ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
  },
  {
    name: 'CD-051 a warning about a version that is not deprecated',
    definition: aDefinition({ versions: [aVersion({ deprecationWarning: 'x' })] }),
    expected: ['spec.versions[0].deprecationWarning: Invalid value: "x": can only be set for deprecated versions'],
  },
  {
    name: 'CD-052 preserveUnknownFields',
    definition: aDefinition({ preserveUnknownFields: true }),
    expected: [
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
    ],
  },
  {
    name: 'CD-054 a rule over an unknown field',
    definition: withSchema({
      type: 'object',
      properties: { spec: { type: 'object', properties: { a: { type: 'string' } }, ...rules([{ rule: 'self.nope == "x"' }]) } },
    }),
    expected: [[`${root}.properties[spec].x-kubernetes-validations[0].rule: Invalid value: `, '']],
  },
  {
    name: 'CD-060 oldSelf where values cannot be correlated',
    definition: withProperties({
      a: { type: 'array', maxItems: 5, items: { type: 'string', maxLength: 5, ...rules([{ rule: 'self == oldSelf' }]) } },
    }),
    expected: [
      `${a}.items.x-kubernetes-validations[0].rule: Invalid value: "self == oldSelf": oldSelf cannot be used on the uncorrelatable portion of the schema within ${a}`,
    ],
  },
  {
    name: 'oldSelf in lists with keys',
    definition: withProperties({
      a: {
        type: 'array',
        items: {
          type: 'object',
          required: ['k'],
          properties: { k: { type: 'string' }, v: { type: 'integer', ...rules([{ rule: 'self >= oldSelf' }]) } },
        },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
      },
    }),
    expected: [],
  },
  {
    name: 'CD-062 rules that cost too much',
    definition: withProperties({
      a: {
        type: 'array',
        items: { type: 'array', items: { type: 'string' } },
        ...rules([{ rule: 'self.all(x, x.all(y, self.all(z, z.all(v, v != y))))' }]),
      },
    }),
    expected: [
      `${a}.x-kubernetes-validations[0].rule: Forbidden: contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema`,
      [`${a}.x-kubernetes-validations[0].rule: Forbidden: estimated rule cost exceeds budget by factor of more than 100x`, ''],
      [`${root}: Forbidden: x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema exceeds budget`, ''],
    ],
  },
  {
    name: 'CD-064 rules in value validations',
    definition: withProperties({ a: { type: 'string', anyOf: [rules([{ rule: 'self != ""' }])] } }),
    expected: [`${a}.anyOf[0].x-kubernetes-validations: Forbidden: must be empty to be structural`],
  },
  {
    name: 'CD-066 many kinds of schema',
    definition: withProperties({
      a: { 'x-kubernetes-int-or-string': true },
      b: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
      c: { 'x-kubernetes-int-or-string': true, allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, { pattern: 'x' }] },
      d: { 'x-kubernetes-preserve-unknown-fields': true },
      f: { type: 'object', properties: { x: { type: 'string' } }, oneOf: [{ required: ['x'] }, { not: { required: ['x'] } }] },
      g: { type: 'array', items: { type: 'string', nullable: true } },
      h: { type: 'object', additionalProperties: true },
    }),
    expected: [],
  },
  {
    name: 'a value validation of a field that is not described',
    definition: withSchema({
      type: 'object',
      properties: { spec: { type: 'object' } },
      allOf: [{ properties: { spec: { properties: { b: { minLength: 1 } } } } }],
    }),
    expected: [
      `${root}.properties[spec].properties[b]: Required value: because it is defined in ${root}.allOf[0].properties[spec].properties[b]`,
    ],
  },
  {
    name: 'a pattern that is no pattern',
    definition: withProperties({ a: { type: 'string', pattern: '(' } }),
    expected: [[`${a}.pattern: Invalid value: "(": must be a valid regular expression, but isn't: `, '']],
  },
  {
    name: 'errors in one of several schemas point at its version',
    definition: aDefinition({
      names: things,
      versions: [
        aVersion(),
        aVersion({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'object', properties: { a: {} } } } }),
      ],
    }),
    expected: ['spec.versions[1].schema.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields'],
  },
]

describe('new definitions', () => {
  for (const { name, definition, expected } of cases) {
    test(name, () => {
      const found = problems(definition)
      assert.equal(found.length, expected.length, found.join('\n'))
      for (const [index, wanted] of expected.entries()) {
        const actual = found[index] ?? ''
        if (typeof wanted === 'string') assert.equal(actual, wanted)
        else assert.ok(actual.startsWith(wanted[0]) && actual.endsWith(wanted[1]), actual)
      }
    })
  }

  test('CD-047 selectable fields: bad paths and types', () => {
    const properties = {
      a: { type: 'string' },
      o: { type: 'object', properties: { x: { type: 'string' } } },
      l: { type: 'array', items: { type: 'string' } },
    }
    const paths = ['.spec.o', '.spec.l', '.spec.nope', 'spec.a', '.metadata.name', '.spec.a', '.spec.a']
    const definition = aDefinition({
      versions: [
        aVersion({
          schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } } },
          selectableFields: paths.map((jsonPath) => ({ jsonPath })),
        }),
      ],
    })
    const type = 'must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.'
    assert.deepEqual(problems(definition), [
      `spec.selectableFields[0].jsonPath: Invalid value: ".spec.o": ${type}`,
      `spec.selectableFields[1].jsonPath: Invalid value: ".spec.l": ${type}`,
      'spec.selectableFields[2].jsonPath: Invalid value: ".spec.nope": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[3].jsonPath: Invalid value: "spec.a": is an invalid path: expected [ or . but got: spec',
      'spec.selectableFields[4].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[6].jsonPath: Duplicate value: ".spec.a"',
    ])
  })
})

describe('changed definitions', () => {
  const stored = withStatus(created(aDefinition()), { conditions: [{ type: 'Established', status: 'True' }] })
  const changed = (spec: JsonObject): readonly string[] =>
    texts(validateCrd({ ...stored, spec: { ...(stored.spec as JsonObject), ...spec } }, stored))

  test('CD-014 the group never changes, kind and scope not once they are served', () => {
    assert.deepEqual(changed({ group: 'other.windlass.dev' }), ['spec.group: Invalid value: "other.windlass.dev": field is immutable'])
    assert.deepEqual(changed({ scope: 'Cluster' }), ['spec.scope: Invalid value: "Cluster": field is immutable'])
    const names = { plural: 'things', singular: 'thing', kind: 'Other', listKind: 'ThingList' }
    assert.deepEqual(changed({ names }), ['spec.names.kind: Invalid value: "Other": field is immutable'])
  })

  test('CD-015 a version that is stored cannot be removed', () => {
    const next = withStatus(
      { ...stored, spec: { ...(stored.spec as JsonObject), versions: [aVersion({ name: 'v2' })] } },
      { storedVersions: ['v1', 'v2'] },
    )
    assert.deepEqual(texts(validateCrd(next, stored)), [
      'status.storedVersions[0]: Invalid value: "v1": missing from spec.versions; v1 was previously a storage version, and must remain in ' +
        'spec.versions until a storage migration ensures no data remains persisted in v1 and removes v1 from status.storedVersions',
    ])
  })

  test('of the status only the names are checked', () => {
    const broken = { ...stored, spec: {}, status: { acceptedNames: { plural: 'A B', kind: '' } } }
    const found = customResourceDefinitions.behaviour.validate?.(broken, stored, { ...context, subresource: 'status' }) ?? []
    assert.deepEqual(texts(found), [`status.acceptedNames.plural: Invalid value: "A B": ${label}`])
  })
})

describe('the schema of the kind itself', () => {
  const compiled = compileSchema(customResourceDefinitions.versions[0]?.schema ?? {})
  const unknownIn = (definition: JsonObject): readonly string[] => {
    const unknown: string[] = []
    compiled.prune(definition, (path) => unknown.push(path))
    return unknown
  }

  test('knows every word of a schema, at any depth', () => {
    const definition = withProperties({
      a: {
        type: 'object',
        additionalProperties: { type: 'array', items: { type: 'string', 'x-kubernetes-validations': [{ rule: 'true', message: 'm' }] } },
      },
      b: {
        type: 'object',
        additionalProperties: false,
        default: { any: ['thing'] },
        example: { a: 1 },
        externalDocs: { url: 'u', description: 'd' },
      },
      c: { not: { anyOf: [{ enum: [1, 'x', null] }] } },
    })
    assert.deepEqual(unknownIn(definition), [])
    assert.equal(compiled.typeMismatch(definition), undefined)
  })

  test('finds words that no schema has', () => {
    assert.deepEqual(unknownIn(withProperties({ a: { type: 'string', minLenght: 3 } })), [
      'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.minLenght',
    ])
  })

  test('finds values of the wrong type', () => {
    assert.equal(
      compiled.typeMismatch(withProperties({ a: { type: 5 } }))?.path,
      'spec.versions[0].schema.openAPIV3Schema.properties.spec.properties.a.type',
    )
  })
})
