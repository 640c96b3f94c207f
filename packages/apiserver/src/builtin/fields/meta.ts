import {
  always,
  at,
  atomicStruct,
  boolean,
  int64,
  jsonOnly,
  list,
  listBy,
  map,
  pointer,
  raw,
  string,
  struct,
  time,
  type ListType,
} from '../dsl/index.ts'

/** What all kinds share: metadata, selectors, conditions, options of a deletion. */

export const ownerReference = atomicStruct({
  kind: always(string),
  name: at(3, always(string)),
  uid: always(string),
  apiVersion: always(string),
  controller: pointer(boolean),
  blockOwnerDeletion: pointer(boolean),
})

export const managedFieldsEntry = struct({
  manager: string,
  operation: string,
  apiVersion: string,
  time: pointer(time),
  fieldsType: at(6, string),
  fieldsV1: pointer(raw),
  subresource: string,
})

export const objectMeta = struct({
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: int64,
  creationTimestamp: pointer(time),
  deletionTimestamp: pointer(time),
  deletionGracePeriodSeconds: pointer(int64),
  labels: map(string),
  annotations: map(string),
  ownerReferences: listBy('uid', ownerReference),
  finalizers: list(string, { set: true, strategy: 'merge' }),
  managedFields: at(17, list(managedFieldsEntry)),
})

export const labelSelectorRequirement = struct({
  key: always(string),
  operator: always(string),
  values: list(string),
})

export const labelSelector = atomicStruct({
  matchLabels: map(string),
  matchExpressions: list(labelSelectorRequirement),
})

export const fieldSelectorRequirement = struct({
  key: always(string),
  operator: always(string),
  values: list(string),
})

export const condition = struct({
  type: always(string),
  status: always(string),
  observedGeneration: int64,
  lastTransitionTime: time,
  reason: always(string),
  message: always(string),
})

/** Values of one key of a user's extra information: a list in JSON, a message around a list in protobuf. */
export const extraValue: ListType = { ...list(string), isWrapped: true }

const preconditions = struct({
  uid: pointer(string),
  resourceVersion: pointer(string),
})

export const deleteOptions = struct({
  kind: jsonOnly(string),
  apiVersion: jsonOnly(string),
  gracePeriodSeconds: pointer(int64),
  preconditions: pointer(preconditions),
  orphanDependents: pointer(boolean),
  propagationPolicy: pointer(string),
  dryRun: list(string),
  ignoreStoreReadErrorWithClusterBreakingPotential: pointer(boolean),
})
