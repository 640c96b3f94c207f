import type { JsonObject } from '../json.ts'
import { metaName, reference, scaleName } from './names.ts'

/** Shorthands of this file. */
const text = (description: string): JsonObject => ({ type: 'string', description })
const flag = (description: string): JsonObject => ({ type: 'boolean', description })
const whole = (description: string, format = 'int64'): JsonObject => ({ type: 'integer', format, description })
const texts = (description: string): JsonObject => ({ type: 'array', items: { type: 'string', default: '' }, description })
const textMap = (description: string): JsonObject => ({
  type: 'object',
  additionalProperties: { type: 'string', default: '' },
  description,
})
const time = (description: string): JsonObject => ({ allOf: [reference(metaName('Time'))], description })
const one = (kind: string, description: string): JsonObject => ({ allOf: [reference(metaName(kind))], description })
const many = (kind: string, description: string): JsonObject => ({
  type: 'array',
  items: { allOf: [reference(metaName(kind))], default: {} },
  description,
})

/** The two fields every object starts with. */
export const typeFields: JsonObject = {
  apiVersion: text('Group and version of the schema this object follows. Servers convert known schemas to the newest one they store.'),
  kind: text('The kind of thing this object describes, in CamelCase. It follows from the URL a request is sent to and never changes.'),
}

const objectMeta: JsonObject = {
  type: 'object',
  description: 'Metadata that every stored object has.',
  properties: {
    annotations: textMap('Free notes of users and tools, by name. Cannot be selected by.'),
    creationTimestamp: time('When the server created the object. Read-only.'),
    deletionGracePeriodSeconds: whole('Seconds the object has to end gracefully once it is being deleted. Read-only.'),
    deletionTimestamp: time(
      'When the object will be, or was, deleted. Set by the server when a graceful deletion is asked for. Read-only.',
    ),
    finalizers: {
      ...texts('Who still has work to do before the object may go: it is removed when the list is empty.'),
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    generateName: text('A prefix: the server completes it to a unique name when no name is given.'),
    generation: whole('Counts the changes of what is wanted. Read-only.'),
    labels: textMap('Names and values by which objects are organised and selected.'),
    managedFields: {
      ...many('ManagedFieldsEntry', 'Who manages which fields, for server-side apply.'),
      'x-kubernetes-list-type': 'atomic',
    },
    name: text('The name, unique among the objects of a kind in a namespace. Cannot be changed.'),
    namespace: text('The space in which the name is unique. Empty for cluster-wide kinds. Cannot be changed.'),
    ownerReferences: {
      ...many('OwnerReference', 'Objects this one depends on: it is deleted when all of them are gone.'),
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    },
    resourceVersion: text('The revision of this object, for optimistic locking and watches. Opaque to clients. Read-only.'),
    selfLink: text('No longer filled in.'),
    uid: text('Unique in time and space; never used again. Read-only.'),
  },
}

const meta: Readonly<Record<string, JsonObject>> = {
  ObjectMeta: objectMeta,
  OwnerReference: {
    type: 'object',
    description: 'Enough to find the object that owns another one in the same namespace, or a cluster-wide one.',
    required: ['apiVersion', 'kind', 'name', 'uid'],
    properties: {
      apiVersion: { ...text('Group and version of the owner.'), default: '' },
      blockOwnerDeletion: flag('A foreground deletion of the owner waits for this object.'),
      controller: flag('The owner is the one that manages this object.'),
      kind: { ...text('Kind of the owner.'), default: '' },
      name: { ...text('Name of the owner.'), default: '' },
      uid: { ...text('UID of the owner.'), default: '' },
    },
    'x-kubernetes-map-type': 'atomic',
  },
  ManagedFieldsEntry: {
    type: 'object',
    description: 'The fields one manager has set with one kind of request.',
    properties: {
      apiVersion: text('The version in which the fields are named.'),
      fieldsType: text('The format of the fields: FieldsV1.'),
      fieldsV1: one('FieldsV1', 'The fields, as a tree.'),
      manager: text('Who set them.'),
      operation: text('Apply or Update.'),
      subresource: text('The subresource through which they were set, if any.'),
      time: time('When they were last set.'),
    },
  },
  FieldsV1: {
    type: 'object',
    description: 'A set of fields as a tree: f:<name>, k:<keys>, v:<value>, i:<index>, and . for the field itself.',
  },
  Time: { type: 'string', format: 'date-time', description: 'A moment, in RFC 3339.' },
  ListMeta: {
    type: 'object',
    description: 'Metadata of lists.',
    properties: {
      continue: text('Set when there are more items: pass it on to get the next page.'),
      remainingItemCount: whole('How many items follow, when that is known.'),
      resourceVersion: text('The revision of the list: watch from here to hear of every later change. Read-only.'),
      selfLink: text('No longer filled in.'),
    },
  },
  Patch: { type: 'object', description: 'A change to an object, in the format its content type names.' },
  DeleteOptions: {
    type: 'object',
    description: 'How an object is deleted.',
    properties: {
      ...typeFields,
      dryRun: { ...texts('All: nothing is stored.'), 'x-kubernetes-list-type': 'atomic' },
      gracePeriodSeconds: whole('Seconds the object has to end gracefully. Zero means at once.'),
      orphanDependents: flag('Superseded by propagationPolicy.'),
      preconditions: one('Preconditions', 'What must hold of the object, or nothing is deleted.'),
      propagationPolicy: text('What happens to dependents: Orphan, Background or Foreground.'),
    },
  },
  Preconditions: {
    type: 'object',
    description: 'What must hold of an object before it is changed.',
    properties: { resourceVersion: text('Its revision.'), uid: text('Its UID.') },
  },
  Status: {
    type: 'object',
    description: 'The outcome of a request that has no object to answer.',
    properties: {
      ...typeFields,
      code: whole('The HTTP status code.', 'int32'),
      details: one('StatusDetails', 'What the reason is about.'),
      message: text('The outcome for people.'),
      metadata: { ...one('ListMeta', 'Metadata of lists.'), default: {} },
      reason: text('The outcome for programs, in one word.'),
      status: text('Success or Failure.'),
    },
    'x-kubernetes-group-version-kind': [{ group: '', kind: 'Status', version: 'v1' }],
  },
  StatusDetails: {
    type: 'object',
    description: 'What an outcome is about.',
    properties: {
      causes: many('StatusCause', 'The single problems, when there are several.'),
      group: text('Group of the object.'),
      kind: text('Kind or plural name of the object.'),
      name: text('Name of the object.'),
      retryAfterSeconds: whole('Seconds to wait before trying again.', 'int32'),
      uid: text('UID of the object.'),
    },
  },
  StatusCause: {
    type: 'object',
    description: 'One problem of a request.',
    properties: {
      field: text('The field it is about.'),
      message: text('The problem for people.'),
      reason: text('The problem for programs.'),
    },
  },
}

const scale: JsonObject = {
  type: 'object',
  description: 'How many copies of something there are and shall be.',
  properties: {
    ...typeFields,
    metadata: { ...one('ObjectMeta', 'Metadata of the scaled object.'), default: {} },
    spec: { type: 'object', properties: { replicas: whole('Copies wanted.', 'int32') }, description: 'What is wanted.' },
    status: {
      type: 'object',
      properties: { replicas: whole('Copies seen.', 'int32'), selector: text('Selects the copies, in the notation of queries.') },
      description: 'What is seen.',
    },
  },
  'x-kubernetes-group-version-kind': [{ group: 'autoscaling', kind: 'Scale', version: 'v1' }],
}

/** Component schemas that do not depend on the group, by name. */
export const sharedComponents: Readonly<Record<string, JsonObject>> = {
  ...Object.fromEntries(Object.entries(meta).map(([kind, schema]) => [metaName(kind), schema])),
  [scaleName]: scale,
}
