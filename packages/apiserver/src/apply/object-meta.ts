import type { JsonSchema } from '../schema/json-schema.ts'

const string: JsonSchema = { type: 'string' }
const time: JsonSchema = { type: 'string', format: 'date-time' }

const ownerReference: JsonSchema = {
  type: 'object',
  required: ['apiVersion', 'kind', 'name', 'uid'],
  properties: {
    apiVersion: string,
    kind: string,
    name: string,
    uid: string,
    controller: { type: 'boolean' },
    blockOwnerDeletion: { type: 'boolean' },
  },
  'x-kubernetes-map-type': 'atomic',
}

const managedFieldsEntry: JsonSchema = {
  type: 'object',
  properties: {
    manager: string,
    operation: string,
    apiVersion: string,
    time,
    fieldsType: string,
    fieldsV1: { type: 'object' },
    subresource: string,
  },
}

/**
 * `metadata` of every object. Kinds leave it open in their own schemas; this is what field ownership, patches and the OpenAPI documents put
 * in its place.
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
    labels: { type: 'object', additionalProperties: string },
    annotations: { type: 'object', additionalProperties: string },
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'uid',
    },
    finalizers: { type: 'array', items: string, 'x-kubernetes-list-type': 'set', 'x-kubernetes-patch-strategy': 'merge' },
    managedFields: { type: 'array', items: managedFieldsEntry, 'x-kubernetes-list-type': 'atomic' },
  },
}
