import type { LabelRequirement, LabelSelector } from '@windlass/api'

type Labels = Readonly<Record<string, string>>

/** Whether labels fit. An empty selector fits everything; one that is absent, or that makes no sense, fits nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = selector
  if (matchExpressions.some((requirement) => !isSensible(requirement))) return false
  return Object.entries(matchLabels).every(([key, value]) => labels[key] === value) && matchExpressions.every((each) => meets(labels, each))
}

function isSensible({ operator, values = [] }: LabelRequirement): boolean {
  if (operator === 'In' || operator === 'NotIn') return values.length > 0
  return (operator === 'Exists' || operator === 'DoesNotExist') && values.length === 0
}

function meets(labels: Labels, { key, operator, values = [] }: LabelRequirement): boolean {
  const value = labels[key]
  if (operator === 'Exists') return value !== undefined
  if (operator === 'DoesNotExist') return value === undefined
  const isIn = value !== undefined && values.includes(value)
  return operator === 'In' ? isIn : !isIn
}
