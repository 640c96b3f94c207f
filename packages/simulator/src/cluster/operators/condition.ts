import type { ClusterOperator } from '@windlass/api'
import type { PartVersion } from '../payload/index.ts'

export type Condition = NonNullable<NonNullable<ClusterOperator['status']>['conditions']>[number]

/** A condition without its time. */
export type Said = Omit<Condition, 'lastTransitionTime'>

export function say(type: string, status: 'True' | 'False', reason: string, message: string): Said {
  return { type, status, reason, message }
}

export const here: Said = say('Available', 'True', 'AsExpected', 'All is well')
export const well: Said = say('Degraded', 'False', 'AsExpected', '')

/** Nothing goes on. */
export function resting(versions: readonly PartVersion[]): Said {
  const own = versions.find(({ name }) => name === 'operator')?.version
  return say('Progressing', 'False', 'AsExpected', own === undefined ? '' : `Cluster operator version is ${own}`)
}

/** What an operator says that has nothing to do. */
export function atRest(versions: readonly PartVersion[]): readonly Said[] {
  return [here, resting(versions), well]
}
