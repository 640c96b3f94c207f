import type { JsonSchema } from '../json-schema.ts'

/** The spec of the kind `Defaulted`, on which a real server's defaulting and pruning were recorded. */
const spec: { readonly [name: string]: JsonSchema } = {
  replicas: { type: 'integer', default: 1 },
  name: { type: 'string', default: 'unnamed' },
  on: { type: 'boolean', default: true },
  ratio: { type: 'number', default: 0.5 },
  empty: { type: 'object', properties: { a: { type: 'string', default: 'x' }, b: { type: 'integer' } }, default: {} },
  noDefault: { type: 'object', properties: { a: { type: 'string', default: 'x' } } },
  list: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' }, port: { type: 'integer', default: 80 } } } },
  listDefault: { type: 'array', items: { type: 'string' }, default: ['a', 'b'] },
  map: { type: 'object', additionalProperties: { type: 'object', properties: { weight: { type: 'integer', default: 10 } } } },
  nullableDefault: { type: 'string', nullable: true, default: 'n' },
  nonNullable: { type: 'string' },
  nullable: { type: 'string', nullable: true },
  nonNullableObj: { type: 'object', properties: { a: { type: 'string' } } },
  objDefault: {
    type: 'object',
    properties: { mode: { type: 'string', default: 'auto' }, level: { type: 'integer' } },
    default: { level: 3 },
  },
  keep: { type: 'object', properties: { known: { type: 'string' } }, 'x-kubernetes-preserve-unknown-fields': true },
  keepInner: {
    type: 'object',
    properties: { typed: { type: 'object', properties: { a: { type: 'string' } } } },
    'x-kubernetes-preserve-unknown-fields': true,
  },
  embedded: { type: 'object', properties: {}, 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  embeddedStrict: {
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: { type: 'string' } } } },
    'x-kubernetes-embedded-resource': true,
  },
  strict: {
    type: 'object',
    properties: { a: { type: 'string' }, deep: { type: 'array', items: { type: 'object', properties: { b: { type: 'string' } } } } },
  },
  anything: { 'x-kubernetes-preserve-unknown-fields': true },
  ios: { 'x-kubernetes-int-or-string': true },
}

export const defaultedSchema: JsonSchema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { type: 'object' },
    spec: { type: 'object', properties: spec },
    status: { type: 'object', properties: { phase: { type: 'string', default: 'New' }, ready: { type: 'boolean' } } },
  },
}
