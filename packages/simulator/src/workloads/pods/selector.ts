import type { LabelRequirement, LabelSelector } from '@windlass/api'

type Labels = Readonly<Record<string, string>>

/** Whether a selector selects an object with these labels. An empty one selects everything, an absent one nothing. */
export function selects(selector: LabelSelector | undefined, labels: Labels = {}): boolean {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = selector
  for (const name in matchLabels) if (labels[name] !== matchLabels[name]) return false
  return matchExpressions.every((requirement) => isMet(requirement, labels))
}

/** A label that is not there is not in any list, and so is not in the list of those that are unwanted. */
export function isMet({ key, operator, values = [] }: LabelRequirement, labels: Labels): boolean {
  const value = labels[key]
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value)
    case 'NotIn':
      return value === undefined || !values.includes(value)
    case 'Exists':
      return value !== undefined
    case 'DoesNotExist':
      return value === undefined
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0])
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0])
    default:
      return false
  }
}
