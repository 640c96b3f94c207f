import { equalJson, isArray, isObject, type Json, type JsonArray, type JsonObject } from '../../json.ts'
import { objectAt, objectList } from '../fields.ts'
import { identityOf } from './objects.ts'

/**
 * The rules of a ClusterRole: of an aggregated one, those of every role its selectors pick, in the order of their names, each
 * rule once. The same reference when that is what the role already holds.
 */
export function aggregateRules(role: JsonObject, allClusterRoles: Iterable<JsonObject>): JsonArray {
  const current = isArray(role.rules) ? role.rules : []
  const selectors = selectorsOf(role)
  if (selectors === undefined) return current
  const { name } = identityOf(role)
  const picked = [...allClusterRoles].filter(
    (each) => identityOf(each).name !== name && selectors.some((selector) => selects(selector, each)),
  )
  const rules: Json[] = []
  for (const part of picked.sort(byName)) {
    for (const rule of isArray(part.rules) ? part.rules : []) {
      if (!rules.some((known) => equalJson(known, rule))) rules.push(rule)
    }
  }
  return equalJson(current, rules) ? current : rules
}

/** Whether a change of `part` can change what `role` aggregates. */
export function aggregatesFrom(role: JsonObject, part: JsonObject): boolean {
  return selectorsOf(role)?.some((selector) => selects(selector, part)) ?? false
}

function selectorsOf({ aggregationRule }: JsonObject): readonly JsonObject[] | undefined {
  if (!isObject(aggregationRule)) return undefined
  return objectList(aggregationRule.clusterRoleSelectors)
}

function byName(a: JsonObject, b: JsonObject): number {
  const [first, second] = [identityOf(a).name, identityOf(b).name]
  return first < second ? -1 : first > second ? 1 : 0
}

function selects({ matchLabels, matchExpressions }: JsonObject, role: JsonObject): boolean {
  const labels = objectAt(role.metadata, 'labels') ?? {}
  const matchesAll = !isObject(matchLabels) || Object.keys(matchLabels).every((key) => labels[key] === matchLabels[key])
  return matchesAll && (!isArray(matchExpressions) || matchExpressions.every((each) => isObject(each) && satisfies(each, labels)))
}

type Operator = (value: Json | undefined, values: JsonArray) => boolean

const operators: Readonly<Record<string, Operator>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
}

function satisfies({ key, operator, values }: JsonObject, labels: JsonObject): boolean {
  if (typeof key !== 'string' || typeof operator !== 'string') return false
  const value = Object.hasOwn(labels, key) ? labels[key] : undefined
  return operators[operator]?.(value, isArray(values) ? values : []) ?? false
}
