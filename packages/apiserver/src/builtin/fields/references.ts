import { always, atomicStruct, boolean, defaulted, list, pointer, quantity, string, struct } from '../dsl/index.ts'

/** Pointers from one object to another, and selectors of nodes. */

export const localObjectReference = atomicStruct({
  name: defaulted('', string),
})

export const objectReference = atomicStruct({
  kind: string,
  namespace: string,
  name: string,
  uid: string,
  apiVersion: string,
  resourceVersion: string,
  fieldPath: string,
})

export const typedLocalObjectReference = atomicStruct({
  apiGroup: always(pointer(string)),
  kind: always(string),
  name: always(string),
})

export const typedObjectReference = struct({
  apiGroup: always(pointer(string)),
  kind: always(string),
  name: always(string),
  namespace: pointer(string),
})

export const objectFieldSelector = atomicStruct({
  apiVersion: string,
  fieldPath: always(string),
})

export const resourceFieldSelector = atomicStruct({
  containerName: string,
  resource: always(string),
  divisor: quantity,
})

export const configMapKeySelector = atomicStruct({
  '...localObjectReference': localObjectReference,
  key: always(string),
  optional: pointer(boolean),
})

export const secretKeySelector = atomicStruct({
  '...localObjectReference': localObjectReference,
  key: always(string),
  optional: pointer(boolean),
})

export const nodeSelectorRequirement = struct({
  key: always(string),
  operator: always(string),
  values: list(string),
})

export const nodeSelectorTerm = atomicStruct({
  matchExpressions: list(nodeSelectorRequirement),
  matchFields: list(nodeSelectorRequirement),
})

export const nodeSelector = atomicStruct({
  nodeSelectorTerms: always(list(nodeSelectorTerm)),
})
