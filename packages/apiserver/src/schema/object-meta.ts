import type { JsonSchema } from './json-schema.ts'

const string: JsonSchema = { type: 'string' }
const time: JsonSchema = { type: 'string', format: 'date-time' }
const texts: JsonSchema = { type: 'object', additionalProperties: string }

/**
 * `metadata` of every object. Kinds leave it open in their own schemas; this is what pruning, patches and field ownership put in its
 * place, also where one resource is embedded in another.
 */
export const objectMetaSchema: JsonSchema = {
  type: 'object',
  properties: {
    name: string,
    generateName: string,
    namespace: string,
    selfLink: string,
    uid: string,
    resourceVersion: string,
    generation: { type: 'integer', format: 'int64' },
    creationTimestamp: time,
    deletionTimestamp: time,
    deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
    labels: texts,
    annotations: texts,
    ownerReferences: {
      type: 'array',
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
      items: {
        type: 'object',
        'x-kubernetes-map-type': 'atomic',
        properties: {
          apiVersion: string,
          kind: string,
          name: string,
          uid: string,
          controller: { type: 'boolean' },
          blockOwnerDeletion: { type: 'boolean' },
        },
        required: ['apiVersion', 'kind', 'name', 'uid'],
      },
    },
    finalizers: { type: 'array', items: string, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' },
    managedFields: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        properties: {
          manager: string,
          operation: string,
          apiVersion: string,
          time,
          fieldsType: string,
          fieldsV1: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
          subresource: string,
        },
      },
    },
  },
}

const names: ReadonlySet<string> = new Set(['apiVersion', 'kind', 'metadata'])

/** The fields that make an object a resource, which no schema needs to mention. */
export function isResourceField(name: string): boolean {
  return names.has(name)
}
