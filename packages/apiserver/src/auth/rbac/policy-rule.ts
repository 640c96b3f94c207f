import type { Json, JsonObject, MutableObject } from '../../json.ts'
import { isPathRequest, type Attributes } from '../attributes.ts'
import { objectList, textList } from '../fields.ts'

/** What a rule of a role grants; absent lists are empty. */
export interface PolicyRule {
  readonly verbs: readonly string[]
  readonly apiGroups: readonly string[]
  readonly resources: readonly string[]
  readonly resourceNames: readonly string[]
  readonly nonResourceURLs: readonly string[]
}

export const everything = '*'

export function parseRules(rules: Json | undefined): readonly PolicyRule[] {
  return objectList(rules).map(parseRule)
}

function parseRule(rule: JsonObject): PolicyRule {
  return {
    verbs: textList(rule.verbs),
    apiGroups: textList(rule.apiGroups),
    resources: textList(rule.resources),
    resourceNames: textList(rule.resourceNames),
    nonResourceURLs: textList(rule.nonResourceURLs),
  }
}

/** The rule as it stands in objects: the verbs always, other lists only when they hold something. */
export function ruleObject(rule: PolicyRule): JsonObject {
  const object: MutableObject = { verbs: rule.verbs }
  if (rule.apiGroups.length > 0) object.apiGroups = rule.apiGroups
  if (rule.resources.length > 0) object.resources = rule.resources
  if (rule.resourceNames.length > 0) object.resourceNames = rule.resourceNames
  if (rule.nonResourceURLs.length > 0) object.nonResourceURLs = rule.nonResourceURLs
  return object
}

/** Whether this one rule grants the request. */
export function ruleAllows(rule: PolicyRule, attributes: Attributes): boolean {
  if (!has(rule.verbs, attributes.verb)) return false
  if (isPathRequest(attributes)) return rule.nonResourceURLs.some((pattern) => coversPath(pattern, attributes.path))
  return (
    has(rule.apiGroups, attributes.group) &&
    coversResource(rule.resources, attributes.resource, attributes.subresource) &&
    (rule.resourceNames.length === 0 || rule.resourceNames.includes(attributes.name))
  )
}

function has(list: readonly string[], wanted: string): boolean {
  return list.includes(wanted) || list.includes(everything)
}

// `pods/status` names one subresource, `*/scale` that of every resource, `*` everything with all its subresources.
function coversResource(resources: readonly string[], resource: string, subresource: string): boolean {
  if (subresource === '') return has(resources, resource)
  return has(resources, `${resource}/${subresource}`) || resources.includes(`*/${subresource}`)
}

/** `/logs/*` covers all below it; `*` covers every path. */
export function coversPath(pattern: string, path: string): boolean {
  return pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')))
}
