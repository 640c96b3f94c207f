import { always, at, atomicStruct, int32, list, listBy, map, microTime, pointer, quantity, string, struct, time } from '../dsl/index.ts'

/** Small kinds of the core group: namespaces, the source of events, quotas and limits. */

export const namespaceSpec = struct({
  finalizers: list(string),
})

export const namespaceCondition = struct({
  type: always(string),
  status: always(string),
  lastTransitionTime: at(4, time),
  reason: string,
  message: string,
})

export const namespaceStatus = struct({
  phase: string,
  conditions: listBy('type', namespaceCondition),
})

export const eventSource = struct({
  component: string,
  host: string,
})

export const eventSeries = struct({
  count: int32,
  lastObservedTime: microTime,
})

export const scopedResourceSelectorRequirement = struct({
  scopeName: always(string),
  operator: always(string),
  values: list(string),
})

export const scopeSelector = atomicStruct({
  matchExpressions: list(scopedResourceSelectorRequirement),
})

export const resourceQuotaSpec = struct({
  hard: map(quantity),
  scopes: list(string),
  scopeSelector: pointer(scopeSelector),
})

export const resourceQuotaStatus = struct({
  hard: map(quantity),
  used: map(quantity),
})

export const limitRangeItem = struct({
  type: always(string),
  max: map(quantity),
  min: map(quantity),
  default: map(quantity),
  defaultRequest: map(quantity),
  maxLimitRequestRatio: map(quantity),
})

export const limitRangeSpec = struct({
  limits: always(list(limitRangeItem)),
})
