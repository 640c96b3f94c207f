import { always, boolean, list, map, pointer, string, struct } from '../dsl/index.ts'
import { extraValue, fieldSelectorRequirement, labelSelectorRequirement } from './meta.ts'

/** Whether somebody may do something: access reviews. */

export const fieldSelectorAttributes = struct({
  rawSelector: string,
  requirements: list(fieldSelectorRequirement),
})

export const labelSelectorAttributes = struct({
  rawSelector: string,
  requirements: list(labelSelectorRequirement),
})

export const resourceAttributes = struct({
  namespace: string,
  verb: string,
  group: string,
  version: string,
  resource: string,
  subresource: string,
  name: string,
  fieldSelector: pointer(fieldSelectorAttributes),
  labelSelector: pointer(labelSelectorAttributes),
})

export const nonResourceAttributes = struct({
  path: string,
  verb: string,
})

export const subjectAccessReviewSpec = struct({
  resourceAttributes: pointer(resourceAttributes),
  nonResourceAttributes: pointer(nonResourceAttributes),
  user: string,
  groups: list(string),
  extra: map(extraValue),
  uid: string,
})

export const selfSubjectAccessReviewSpec = struct({
  resourceAttributes: pointer(resourceAttributes),
  nonResourceAttributes: pointer(nonResourceAttributes),
})

export const selfSubjectRulesReviewSpec = struct({
  namespace: string,
})

export const subjectAccessReviewStatus = struct({
  allowed: always(boolean),
  reason: string,
  evaluationError: string,
  denied: boolean,
})

export const resourceRule = struct({
  verbs: always(list(string)),
  apiGroups: list(string),
  resources: list(string),
  resourceNames: list(string),
})

export const nonResourceRule = struct({
  verbs: always(list(string)),
  nonResourceURLs: list(string),
})

export const subjectRulesReviewStatus = struct({
  resourceRules: always(list(resourceRule)),
  nonResourceRules: always(list(nonResourceRule)),
  incomplete: always(boolean),
  evaluationError: string,
})
