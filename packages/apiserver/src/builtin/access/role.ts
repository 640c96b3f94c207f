import { type FieldError, invalid, required } from '../../errors/field-error.ts'
import type { JsonObject } from '../../json.ts'
import { labelSelectorErrors } from '../checks.ts'
import { always, list, pointer } from '../dsl/index.ts'
import { aggregationRule, policyRule } from '../fields/rbac.ts'
import { defineKind } from '../kind.ts'
import { itemsIn, objectIn, objectsIn, textsIn } from '../tree.ts'

export const rbacGroup = 'rbac.authorization.k8s.io'

export const role = defineKind({
  group: rbacGroup,
  kind: 'Role',
  resource: 'roles',
  fields: { rules: always(list(policyRule)) },
  behaviour: { names: 'path', allowsCreateOnUpdate: true, validate: (object) => rulesErrors(object, true) },
})

export const clusterRole = defineKind({
  group: rbacGroup,
  kind: 'ClusterRole',
  resource: 'clusterroles',
  isClusterScoped: true,
  fields: { rules: always(list(policyRule)), aggregationRule: pointer(aggregationRule) },
  behaviour: {
    names: 'path',
    allowsCreateOnUpdate: true,
    validate: (object) => [...rulesErrors(object, false), ...aggregationErrors(object)],
  },
})

function rulesErrors(object: JsonObject, isNamespaced: boolean): readonly FieldError[] {
  return objectsIn(object.rules).flatMap((rule, index) => ruleErrors(rule, isNamespaced, `rules[${index}]`))
}

function ruleErrors(rule: JsonObject, isNamespaced: boolean, field: string): readonly FieldError[] {
  const has = (name: string): boolean => itemsIn(rule[name]).length > 0
  const verbs = has('verbs') ? [] : [required(`${field}.verbs`, 'verbs must contain at least one value')]
  if (has('nonResourceURLs')) {
    const urls = textsIn(rule.nonResourceURLs)
    const place = `${field}.nonResourceURLs`
    const isMixed = has('apiGroups') || has('resources') || has('resourceNames')
    return [
      ...verbs,
      ...(isNamespaced ? [invalid(place, urls, 'namespaced rules cannot apply to non-resource URLs')] : []),
      ...(isMixed ? [invalid(place, urls, 'rules cannot apply to both regular resources and non-resource URLs')] : []),
    ]
  }
  return [
    ...verbs,
    ...(has('apiGroups') ? [] : [required(`${field}.apiGroups`, 'resource rules must supply at least one api group')]),
    ...(has('resources') ? [] : [required(`${field}.resources`, 'resource rules must supply at least one resource')]),
  ]
}

function aggregationErrors({ aggregationRule: rule }: JsonObject): readonly FieldError[] {
  if (rule === undefined) return []
  const selectors = itemsIn(objectIn(rule).clusterRoleSelectors)
  const field = 'aggregationRule.clusterRoleSelectors'
  if (selectors.length === 0) return [required(field, 'at least one clusterRoleSelector required if aggregationRule is non-nil')]
  return selectors.flatMap((selector, index) => labelSelectorErrors(selector, `${field}[${index}]`))
}
