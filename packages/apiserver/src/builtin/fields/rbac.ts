import { always, atomicStruct, list, string, struct } from '../dsl/index.ts'
import { labelSelector } from './meta.ts'

/** Who may do what. */

export const policyRule = struct({
  verbs: always(list(string)),
  apiGroups: list(string),
  resources: list(string),
  resourceNames: list(string),
  nonResourceURLs: list(string),
})

export const subject = atomicStruct({
  kind: always(string),
  apiGroup: string,
  name: always(string),
  namespace: string,
})

export const roleRef = atomicStruct({
  apiGroup: always(string),
  kind: always(string),
  name: always(string),
})

export const aggregationRule = struct({
  clusterRoleSelectors: list(labelSelector),
})
