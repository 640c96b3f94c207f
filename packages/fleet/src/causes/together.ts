import { byWeight, type Cause, causeOf, rootOf, type Trouble } from './cause.ts'

/**
 * One cause for all troubles that are the same but for the object: forty machines without quota are one chain, told of the one that has waited longest. Each
 * counts as a part that waits.
 */
export function together(troubles: readonly Trouble[]): readonly Cause[] {
  const groups = Map.groupBy(troubles.toSorted(byWeight), (trouble) => {
    const { object, reason = '' } = rootOf(trouble)
    // Two budgets are two roots, whatever their reasons are.
    const name = object.kind === 'PodDisruptionBudget' ? `${object.namespace ?? ''}/${object.name}` : ''
    return [trouble.weight, object.kind, reason, name].join(' ')
  })
  return Array.from(groups.values(), (group) => (group[0] === undefined ? [] : [causeOf(group[0], group.length)])).flat()
}
