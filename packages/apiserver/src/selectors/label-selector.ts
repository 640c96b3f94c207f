import { badRequest } from '../errors/api-error.ts'
import { isArray, isObject, type Json } from '../json.ts'
import { parseLabelRequirements } from './label-parser.ts'
import { keyProblem, type LabelOperator, type LabelRequirement, requirementProblem, requirementTest } from './label-requirement.ts'

export interface LabelSelector {
  readonly requirements: readonly LabelRequirement[]
  /** `labels` is `metadata.labels` as it stands in the object; absent or ill-formed counts as none. */
  readonly matches: (labels: Json | undefined) => boolean
}

export const everything: LabelSelector = { requirements: [], matches: () => true }
export const nothing: LabelSelector = { requirements: [], matches: () => false }

/** The selector of a query parameter. Errors: 400. */
export function parseLabelSelector(text: string): LabelSelector {
  return labelSelector(parseLabelRequirements(text))
}

const expressionOperators: ReadonlyMap<Json | undefined, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
])

/**
 * The selector of an object's field (`spec.selector` of a PodDisruptionBudget). Absent selects nothing, `{}` everything.
 *
 * Errors: 400 for operators, keys and values that no selector may have.
 */
export function labelSelectorFromObject(selector: Json | undefined): LabelSelector {
  if (!isObject(selector)) return nothing
  const requirements: LabelRequirement[] = []
  if (isObject(selector.matchLabels)) {
    for (const [key, value] of Object.entries(selector.matchLabels)) requirements.push({ key, operator: '=', values: [textOf(value)] })
  }
  for (const expression of isArray(selector.matchExpressions) ? selector.matchExpressions : []) {
    if (!isObject(expression)) continue
    const operator = expressionOperators.get(expression.operator)
    if (operator === undefined) throw badRequest(`${JSON.stringify(expression.operator ?? '')} is not a valid label selector operator`)
    const values = isArray(expression.values) ? expression.values.map(textOf) : []
    requirements.push({ key: textOf(expression.key), operator, values })
  }
  for (const requirement of requirements) {
    const problem = keyProblem(requirement.key, 'key') ?? requirementProblem(requirement)
    if (problem !== undefined) throw badRequest(problem)
  }
  return labelSelector(requirements)
}

/** Anything but a text was refused when the object was written; here it just selects nothing. */
function textOf(value: Json | undefined): string {
  return typeof value === 'string' ? value : ''
}

function labelSelector(requirements: readonly LabelRequirement[]): LabelSelector {
  if (requirements.length === 0) return everything
  const tests = requirements.map((requirement) => ({ key: requirement.key, passes: requirementTest(requirement) }))
  const matches = (labels: Json | undefined): boolean => {
    const own = isObject(labels) ? labels : {}
    for (const { key, passes } of tests) {
      const value = Object.hasOwn(own, key) ? own[key] : undefined
      if (!passes(typeof value === 'string' ? value : undefined)) return false
    }
    return true
  }
  return { requirements, matches }
}
