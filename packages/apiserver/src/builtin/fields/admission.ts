import { always, at, atomicStruct, int64, list, listBy, pointer, string, struct } from '../dsl/index.ts'
import { condition, labelSelector } from './meta.ts'

/** Policies that admission checks requests against. */

export const paramKind = atomicStruct({
  apiVersion: string,
  kind: string,
})

export const rule = struct({
  apiGroups: list(string),
  apiVersions: list(string),
  resources: list(string),
  scope: pointer(string),
})

export const ruleWithOperations = struct({
  operations: list(string),
  '...rule': rule,
})

export const namedRuleWithOperations = atomicStruct({
  resourceNames: list(string),
  '...ruleWithOperations': ruleWithOperations,
})

export const matchResources = atomicStruct({
  namespaceSelector: pointer(labelSelector),
  objectSelector: pointer(labelSelector),
  resourceRules: list(namedRuleWithOperations),
  excludeResourceRules: list(namedRuleWithOperations),
  matchPolicy: at(7, pointer(string)),
})

export const validation = struct({
  expression: always(string),
  message: string,
  reason: pointer(string),
  messageExpression: string,
})

export const auditAnnotation = struct({
  key: always(string),
  valueExpression: always(string),
})

export const matchCondition = struct({
  name: always(string),
  expression: always(string),
})

export const variable = atomicStruct({
  name: always(string),
  expression: always(string),
})

export const validatingAdmissionPolicySpec = struct({
  paramKind: pointer(paramKind),
  matchConstraints: pointer(matchResources),
  validations: list(validation),
  failurePolicy: pointer(string),
  auditAnnotations: list(auditAnnotation),
  matchConditions: listBy('name', matchCondition),
  variables: listBy('name', variable),
})

export const expressionWarning = struct({
  fieldRef: at(2, always(string)),
  warning: always(string),
})

export const typeChecking = struct({
  expressionWarnings: list(expressionWarning),
})

export const validatingAdmissionPolicyStatus = struct({
  observedGeneration: int64,
  typeChecking: pointer(typeChecking),
  conditions: list(condition, { keys: ['type'] }),
})

export const paramRef = atomicStruct({
  name: string,
  namespace: string,
  selector: pointer(labelSelector),
  parameterNotFoundAction: pointer(string),
})

export const validatingAdmissionPolicyBindingSpec = struct({
  policyName: string,
  paramRef: pointer(paramRef),
  matchResources: pointer(matchResources),
  validationActions: list(string, { set: true }),
})
