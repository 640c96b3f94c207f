import type { LabelRequirement, LabelSelector } from '@windlass/api'

type Labels = Readonly<Record<string, string>>

/** Whether labels fit. An empty selector fits everything; one that is absent, or that makes no sense, fits nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = selector
  for (const name in matchLabels) if (valueOf(labels, name) !== matchLabels[name]) return false
  return matchExpressions.every((requirement) => isMet(requirement, labels))
}

/** A label that is not there is not in any list, and so not in the list of those that are unwanted. */
export function isMet({ key, operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  const value = valueOf(labels, key)
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return values.length > 0 && (value === undefined || !values.includes(value))
    case 'Exists':
      return values.length === 0 && value !== undefined
    case 'DoesNotExist':
      return values.length === 0 && value === undefined
    default:
      return false
  }
}

/** What every object inherits is no label. */
function valueOf(labels: Labels, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined
}
