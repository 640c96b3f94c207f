import type { ClusterOperator } from '@windlass/api'
import { findCondition, isTrue } from '@windlass/core'
import type { ComponentView, Progress } from '../../contract/index.ts'

/** The version of an operator: all of its operands have it when it says so. */
export function operatorVersion({ status }: ClusterOperator): string | undefined {
  return status?.versions?.find(({ name }) => name === 'operator')?.version
}

/** Operators that are at the version, of all. Undefined where none are known, or not where they go. */
export function operatorProgress(operators: readonly ClusterOperator[], desired: string | undefined): Progress | undefined {
  if (operators.length === 0 || desired === undefined || desired === '') return undefined
  let done = 0
  for (const operator of operators) if (operatorVersion(operator) === desired) done++
  return { done, total: operators.length }
}

/** Operators as parts of the control plane, by name. In which order they are updated is the version operator's secret: there are no edges. */
export function operatorViews(operators: readonly ClusterOperator[], desired: string | undefined): readonly ComponentView[] {
  return operators
    .map((operator): ComponentView => {
      const version = operatorVersion(operator)
      const state = stateOf(operator, version, desired)
      const said = saysOf(operator, state)
      return {
        name: operator.metadata.name ?? '',
        ...(version === undefined ? {} : { version }),
        state,
        dependencies: [],
        ...(said?.reason === undefined || said.reason === '' ? {} : { reason: said.reason }),
        ...(said?.message === undefined || said.message === '' ? {} : { message: said.message }),
      }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function stateOf({ status }: ClusterOperator, version: string | undefined, desired: string | undefined): ComponentView['state'] {
  const { conditions } = status ?? {}
  if (conditions === undefined || desired === undefined) return 'Unknown'
  if (isTrue(conditions, 'Degraded') || findCondition(conditions, 'Available')?.status === 'False') return 'Failing'
  if (isTrue(conditions, 'Progressing')) return 'Rolling'
  return version === desired ? 'Done' : 'Waiting'
}

function saysOf({ status }: ClusterOperator, state: ComponentView['state']) {
  const { conditions } = status ?? {}
  if (state === 'Rolling') return findCondition(conditions, 'Progressing')
  if (state !== 'Failing') return undefined
  return isTrue(conditions, 'Degraded') ? findCondition(conditions, 'Degraded') : findCondition(conditions, 'Available')
}
