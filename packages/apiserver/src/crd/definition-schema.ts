import type { JsonSchema } from '../schema/json-schema.ts'

/** The kind CustomResourceDefinition described by a schema of its own: what strict decoding checks and OpenAPI shows. */
const text: JsonSchema = { type: 'string' }
const flag: JsonSchema = { type: 'boolean' }
const integer: JsonSchema = { type: 'integer', format: 'int64' }
const number: JsonSchema = { type: 'number', format: 'double' }
const anything: JsonSchema = { 'x-kubernetes-preserve-unknown-fields': true }
const texts: JsonSchema = { type: 'array', items: text, 'x-kubernetes-list-type': 'atomic' }

const struct = (properties: { readonly [name: string]: JsonSchema }, required: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  ...(required.length === 0 ? {} : { required }),
})
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items, 'x-kubernetes-list-type': 'atomic' })
const mapOf = (additionalProperties: JsonSchema): JsonSchema => ({ type: 'object', additionalProperties })

const rule = struct({ rule: text, message: text, messageExpression: text, reason: text, fieldPath: text, optionalOldSelf: flag }, ['rule'])

/** Schemas contain schemas: the properties are filled in below, where the schema that they refer to exists. */
const words: Record<string, JsonSchema> = {}
const schemaProps: JsonSchema = { type: 'object', properties: words }
/** Where a schema may stand, or a boolean, or a list: any JSON type, with the fields of a schema if it is an object. */
const schemaOrOther: JsonSchema = { properties: words, items: schemaProps }

Object.assign(words, {
  id: text,
  $schema: text,
  $ref: text,
  description: text,
  type: text,
  format: text,
  title: text,
  default: anything,
  maximum: number,
  exclusiveMaximum: flag,
  minimum: number,
  exclusiveMinimum: flag,
  maxLength: integer,
  minLength: integer,
  pattern: text,
  maxItems: integer,
  minItems: integer,
  uniqueItems: flag,
  multipleOf: number,
  enum: listOf(anything),
  maxProperties: integer,
  minProperties: integer,
  required: texts,
  items: schemaOrOther,
  allOf: listOf(schemaProps),
  oneOf: listOf(schemaProps),
  anyOf: listOf(schemaProps),
  not: schemaProps,
  properties: mapOf(schemaProps),
  additionalProperties: schemaOrOther,
  patternProperties: mapOf(schemaProps),
  dependencies: mapOf(schemaOrOther),
  additionalItems: schemaOrOther,
  definitions: mapOf(schemaProps),
  externalDocs: struct({ description: text, url: text }),
  example: anything,
  nullable: flag,
  'x-kubernetes-preserve-unknown-fields': flag,
  'x-kubernetes-embedded-resource': flag,
  'x-kubernetes-int-or-string': flag,
  'x-kubernetes-list-map-keys': texts,
  'x-kubernetes-list-type': text,
  'x-kubernetes-map-type': text,
  'x-kubernetes-validations': {
    type: 'array',
    items: rule,
    'x-kubernetes-list-type': 'map',
    'x-kubernetes-list-map-keys': ['rule'],
    'x-kubernetes-patch-strategy': 'merge',
    'x-kubernetes-patch-merge-key': 'rule',
  },
} satisfies Record<string, JsonSchema>)

const names = struct({ plural: text, singular: text, shortNames: texts, kind: text, listKind: text, categories: texts }, ['plural', 'kind'])

const service = struct({ namespace: text, name: text, path: text, port: { type: 'integer', format: 'int32' } }, ['namespace', 'name'])

const conversion = struct(
  {
    strategy: text,
    webhook: struct(
      { clientConfig: struct({ url: text, service, caBundle: { type: 'string', format: 'byte' } }), conversionReviewVersions: texts },
      ['conversionReviewVersions'],
    ),
  },
  ['strategy'],
)

const column = struct(
  { name: text, type: text, format: text, description: text, priority: { type: 'integer', format: 'int32' }, jsonPath: text },
  ['name', 'type', 'jsonPath'],
)

const subresources = struct({
  status: struct({}),
  scale: struct({ specReplicasPath: text, statusReplicasPath: text, labelSelectorPath: text }, ['specReplicasPath', 'statusReplicasPath']),
})

const version = struct(
  {
    name: text,
    served: flag,
    storage: flag,
    deprecated: flag,
    deprecationWarning: text,
    schema: struct({ openAPIV3Schema: schemaProps }),
    subresources,
    additionalPrinterColumns: listOf(column),
    selectableFields: listOf(struct({ jsonPath: text }, ['jsonPath'])),
  },
  ['name', 'served', 'storage'],
)

const spec = struct({ group: text, names, scope: text, versions: listOf(version), conversion, preserveUnknownFields: flag }, [
  'group',
  'names',
  'scope',
  'versions',
])

const condition = struct(
  {
    type: text,
    status: text,
    lastTransitionTime: { type: 'string', format: 'date-time' },
    reason: text,
    message: text,
    observedGeneration: integer,
  },
  ['type', 'status'],
)

const status = struct({
  conditions: { type: 'array', items: condition, 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['type'] },
  acceptedNames: names,
  storedVersions: texts,
  observedGeneration: integer,
})

export const definitionSchema: JsonSchema = struct({ apiVersion: text, kind: text, metadata: { type: 'object' }, spec, status }, ['spec'])
