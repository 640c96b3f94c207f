import { quoteList } from '../refusal.ts'
import { coversPath, everything, type PolicyRule } from './policy-rule.ts'

/** The parts of `wanted` that `held` does not grant, each with one verb and one resource or path. */
export function missingRules(held: readonly PolicyRule[], wanted: readonly PolicyRule[]): readonly PolicyRule[] {
  return wanted.flatMap(singleGrants).filter((grant) => !held.some((rule) => covers(rule, grant)))
}

const none: PolicyRule = { verbs: [], apiGroups: [], resources: [], resourceNames: [], nonResourceURLs: [] }

function singleGrants(rule: PolicyRule): readonly PolicyRule[] {
  const nameLists = rule.resourceNames.length === 0 ? [[]] : rule.resourceNames.map((name) => [name])
  const resourceGrants = rule.apiGroups.flatMap((group) =>
    rule.resources.flatMap((resource) =>
      rule.verbs.flatMap((verb) =>
        nameLists.map((resourceNames) => ({ ...none, apiGroups: [group], resources: [resource], verbs: [verb], resourceNames })),
      ),
    ),
  )
  const pathGrants = rule.nonResourceURLs.flatMap((path) => rule.verbs.map((verb) => ({ ...none, nonResourceURLs: [path], verbs: [verb] })))
  return [...resourceGrants, ...pathGrants]
}

/** Whether one rule grants all of a single grant. A rule for named objects never covers one for all of them. */
function covers(rule: PolicyRule, grant: PolicyRule): boolean {
  return (
    includesAll(rule.verbs, grant.verbs) &&
    includesAll(rule.apiGroups, grant.apiGroups) &&
    grant.resources.every((resource) => coversResourceOf(rule.resources, resource)) &&
    grant.nonResourceURLs.every((path) => rule.nonResourceURLs.some((pattern) => coversPath(pattern, path))) &&
    (rule.resourceNames.length === 0 ||
      (grant.resourceNames.length > 0 && grant.resourceNames.every((name) => rule.resourceNames.includes(name))))
  )
}

function includesAll(list: readonly string[], wanted: readonly string[]): boolean {
  return list.includes(everything) || wanted.every((each) => list.includes(each))
}

function coversResourceOf(resources: readonly string[], wanted: string): boolean {
  if (resources.includes(everything) || resources.includes(wanted)) return true
  const slash = wanted.indexOf('/')
  return slash >= 0 && resources.includes(`*${wanted.slice(slash)}`)
}

/** Single grants in words, one line per resource with its verbs together, sorted. */
export function describeRules(grants: readonly PolicyRule[]): string {
  const byResource = new Map<string, PolicyRule>()
  for (const grant of grants) {
    const isSimple = grant.nonResourceURLs.length === 0 && grant.resourceNames.length === 0
    const key = isSimple ? `${grant.apiGroups[0]}\n${grant.resources[0]}` : describe(grant)
    const same = byResource.get(key)
    byResource.set(key, same === undefined || !isSimple ? grant : { ...same, verbs: [...same.verbs, ...grant.verbs] })
  }
  return [...new Set([...byResource.values()].map(describe))].sort().join('\n')
}

/** `{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}`. */
function describe(rule: PolicyRule): string {
  const parts: [string, readonly string[]][] = [
    ['APIGroups', rule.apiGroups],
    ['Resources', rule.resources],
    ['NonResourceURLs', rule.nonResourceURLs],
    ['ResourceNames', rule.resourceNames],
    ['Verbs', rule.verbs],
  ]
  const texts = parts.filter(([, list]) => list.length > 0).map(([name, list]) => `${name}:${quoteList(list)}`)
  return `{${texts.join(', ')}}`
}
