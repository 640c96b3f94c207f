import { userInfo } from '../auth/index.ts'
import { compileExpression, type Expression } from '../cel/index.ts'
import { isArray, isObject, type Json, type JsonObject, type MutableObject } from '../json.ts'
import type { AdmissionRequest } from '../registry/admission.ts'
import { nameOf, text } from '../registry/object-meta.ts'

export interface PolicyInputs {
  readonly request: AdmissionRequest
  readonly namespace: JsonObject | undefined
  readonly params: JsonObject | undefined
}

export interface Violation {
  readonly message: string
  readonly reason: string
}

/** One ValidatingAdmissionPolicy, its expressions compiled. */
export interface Policy {
  readonly name: string
  readonly constraints: JsonObject
  readonly paramKind: { readonly apiVersion: string; readonly kind: string } | undefined
  evaluate(inputs: PolicyInputs): readonly Violation[]
}

const variables = ['object', 'oldObject', 'request', 'params', 'namespaceObject', 'variables']

export function compilePolicy(object: JsonObject): Policy {
  const spec = isObject(object.spec) ? object.spec : {}
  const paramKind = isObject(spec.paramKind) ? { apiVersion: text(spec.paramKind.apiVersion), kind: text(spec.paramKind.kind) } : undefined
  const ignoresFailures = spec.failurePolicy === 'Ignore'
  const list = (field: string): readonly JsonObject[] => {
    const value = spec[field]
    return isArray(value) ? value.filter(isObject) : []
  }
  const compile = (source: string): Expression => compileExpression(source, variables)
  const named = list('variables').map((each) => ({ name: text(each.name), expression: compile(text(each.expression)) }))
  const conditions = list('matchConditions').map((each) => compile(text(each.expression)))
  const validations = list('validations').map((each) => ({
    source: text(each.expression),
    expression: compile(text(each.expression)),
    message: text(each.message),
    messageExpression: text(each.messageExpression) === '' ? undefined : compile(text(each.messageExpression)),
    reason: text(each.reason) || 'Invalid',
  }))

  const inputsOf = (inputs: PolicyInputs): Record<string, Json | undefined> => {
    const values: Record<string, Json | undefined> = {
      object: inputs.request.object ?? null,
      oldObject: inputs.request.old ?? null,
      request: requestObject(inputs.request),
      params: inputs.params ?? null,
      namespaceObject: inputs.namespace ?? null,
    }
    const computed: MutableObject = {}
    for (const { name, expression } of named) {
      const value = expression.evaluate({ ...values, variables: computed })
      computed[name] = jsonOf(value)
    }
    return { ...values, variables: computed }
  }

  return {
    name: nameOf(object),
    constraints: isObject(spec.matchConstraints) ? spec.matchConstraints : {},
    paramKind,
    evaluate(inputs) {
      try {
        const values = inputsOf(inputs)
        if (!conditions.every((condition) => condition.evaluate(values) === true)) return []
        return validations
          .filter(({ expression }) => expression.evaluate(values) !== true)
          .map((each) => ({
            message: messageOf(each.messageExpression?.evaluate(values), each.message, each.source),
            reason: each.reason,
          }))
      } catch (error) {
        if (ignoresFailures) return []
        return [{ message: `expression resulted in error: ${error instanceof Error ? error.message : String(error)}`, reason: 'Invalid' }]
      }
    },
  }
}

function messageOf(computed: unknown, message: string, source: string): string {
  if (typeof computed === 'string' && computed.trim() !== '') return computed
  return message === '' ? `failed expression: ${source}` : message
}

/** What an expression computed, as a value that other expressions can use. */
function jsonOf(value: unknown): Json {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  if (value instanceof Map) return Object.fromEntries([...value].map(([key, each]) => [String(key), jsonOf(each)]))
  if (Array.isArray(value)) return value.map(jsonOf)
  return (value ?? null) as Json
}

function requestObject(request: AdmissionRequest): JsonObject {
  const { type, version } = request.served
  const kind = { group: type.group, version: version.name, kind: type.kind }
  const resource = { group: type.group, version: version.name, resource: type.resource }
  return {
    kind,
    resource,
    subResource: request.subresource,
    requestKind: kind,
    requestResource: resource,
    name: request.name,
    namespace: request.namespace,
    operation: request.operation,
    userInfo: userInfo(request.user),
    dryRun: request.dryRun,
  }
}
