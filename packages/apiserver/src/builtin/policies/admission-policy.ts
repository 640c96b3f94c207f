import { type FieldError, invalid, notSupported, required } from '../../errors/field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import { ageColumn, column } from '../columns.ts'
import { labelSelectorErrors, oneOfIfSet } from '../checks.ts'
import {
  validatingAdmissionPolicyBindingSpec,
  validatingAdmissionPolicySpec,
  validatingAdmissionPolicyStatus,
} from '../fields/admission.ts'
import { defineKind } from '../kind.ts'
import { change, changeItems, fill, isAbsent, itemsIn, objectIn, objectsIn, specOf, textIn, textsIn } from '../tree.ts'
import { keepOtherHalf, withInitialStatus } from '../workloads/workload.ts'

const group = 'admissionregistration.k8s.io'

export const validatingAdmissionPolicy = defineKind({
  group,
  kind: 'ValidatingAdmissionPolicy',
  resource: 'validatingadmissionpolicies',
  isClusterScoped: true,
  categories: ['api-extensions'],
  fields: { spec: validatingAdmissionPolicySpec, status: validatingAdmissionPolicyStatus },
  hasStatus: true,
  columns: [
    column('Validations', 'How many expressions it checks.', (object) => itemsIn(specOf(object).validations).length, { type: 'integer' }),
    column('ParamKind', 'The kind of its parameters.', (object) => paramKindText(specOf(object).paramKind)),
    ageColumn,
  ],
  defaults: (object) => change(object, 'spec', (spec) => change(fill(spec, { failurePolicy: 'Fail' }), 'matchConstraints', completeMatch)),
  behaviour: {
    allowsUnconditionalUpdate: false,
    hasGeneration: true,
    prepareForCreate: withInitialStatus(validatingAdmissionPolicyStatus),
    prepareForUpdate: keepOtherHalf,
    validate: (object, _, { subresource }) => (subresource === 'status' ? [] : policyErrors(specOf(object))),
  },
})

export const validatingAdmissionPolicyBinding = defineKind({
  group,
  kind: 'ValidatingAdmissionPolicyBinding',
  resource: 'validatingadmissionpolicybindings',
  isClusterScoped: true,
  categories: ['api-extensions'],
  fields: { spec: validatingAdmissionPolicyBindingSpec },
  columns: [
    column('PolicyName', 'The policy it puts to use.', (object) => textIn(specOf(object).policyName)),
    column('ParamRef', 'The parameters it uses it with.', (object) => paramRefText(specOf(object).paramRef)),
    ageColumn,
  ],
  defaults: (object) => change(object, 'spec', (spec) => change(spec, 'matchResources', completeMatch)),
  behaviour: { allowsUnconditionalUpdate: false, hasGeneration: true, validate: (object) => bindingErrors(specOf(object)) },
})

function completeMatch(match: JsonObject): JsonObject {
  const filled = fill(match, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} })
  return ['resourceRules', 'excludeResourceRules'].reduce(
    (each, list) => changeItems(each, list, (rule) => fill(rule, { scope: '*' })),
    filled,
  )
}

function paramKindText(kind: Json | undefined): string {
  const { apiVersion, kind: name } = objectIn(kind)
  return isAbsent(kind) ? '<unset>' : `${textIn(apiVersion)}/${textIn(name)}`
}

function paramRefText(reference: Json | undefined): string {
  const { namespace, name } = objectIn(reference)
  if (isAbsent(reference)) return '<unset>'
  return textIn(namespace) === '' ? textIn(name) || '*' : `${textIn(namespace)}/${textIn(name) || '*'}`
}

function policyErrors(spec: JsonObject): readonly FieldError[] {
  const isIdle = itemsIn(spec.validations).length + itemsIn(spec.auditAnnotations).length === 0
  const why = 'validations or auditAnnotations must be non-empty'
  return [
    ...oneOfIfSet(spec.failurePolicy, 'spec.failurePolicy', ['Fail', 'Ignore']),
    ...matchErrors(spec.matchConstraints),
    ...named(spec.matchConditions, 'spec.matchConditions'),
    ...named(spec.variables, 'spec.variables'),
    ...(isIdle ? [required('spec.validations', why), required('spec.auditAnnotations', why)] : []),
    ...objectsIn(spec.validations).flatMap((validation, index) => validationErrors(validation, `spec.validations[${index}]`)),
  ]
}

function matchErrors(match: Json | undefined): readonly FieldError[] {
  const field = 'spec.matchConstraints'
  if (isAbsent(match)) return [required(field)]
  const { namespaceSelector, objectSelector, resourceRules, matchPolicy } = objectIn(match)
  const rules = objectsIn(resourceRules).flatMap((rule, index) => {
    const needed = ['operations', 'apiGroups', 'apiVersions', 'resources'].filter((name) => itemsIn(rule[name]).length === 0)
    return needed.map((name) => required(`${field}.resourceRules[${index}].${name}`))
  })
  return [
    ...oneOfIfSet(matchPolicy, `${field}.matchPolicy`, ['Equivalent', 'Exact']),
    ...labelSelectorErrors(namespaceSelector, `${field}.namespaceSelector`),
    ...labelSelectorErrors(objectSelector, `${field}.objectSelector`),
    ...(itemsIn(resourceRules).length === 0 ? [required(`${field}.resourceRules`)] : []),
    ...rules,
  ]
}

function named(list: Json | undefined, field: string): readonly FieldError[] {
  return objectsIn(list).flatMap(({ name, expression }, index) => [
    ...(textIn(name) === '' ? [required(`${field}[${index}].name`)] : []),
    ...(textIn(expression).trim() === '' ? [required(`${field}[${index}].expression`)] : []),
  ])
}

const reasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']

function validationErrors({ expression, message, reason }: JsonObject, field: string): readonly FieldError[] {
  const text = textIn(message)
  return [
    ...(textIn(expression).trim() === '' ? [required(`${field}.expression`, 'expression is not specified')] : []),
    ...(text.includes('\n') ? [invalid(`${field}.message`, text, 'message must not contain line breaks')] : []),
    ...oneOfIfSet(reason, `${field}.reason`, reasons),
  ]
}

const actions = ['Audit', 'Deny', 'Warn']

function bindingErrors(spec: JsonObject): readonly FieldError[] {
  const chosen = textsIn(spec.validationActions)
  const field = 'spec.validationActions'
  const isRepeated = chosen.includes('Deny') && chosen.includes('Warn')
  return [
    ...(textIn(spec.policyName) === '' ? [required('spec.policyName')] : []),
    ...(chosen.length === 0 ? [required(field)] : []),
    ...chosen.flatMap((action, index) => (actions.includes(action) ? [] : [notSupported(`${field}[${index}]`, action, actions)])),
    ...(isRepeated ? [invalid(field, chosen, 'must not contain both Deny and Warn: a client would be told the same twice')] : []),
  ]
}
