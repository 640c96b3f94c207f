import type { ClusterVersion } from '@windlass/api'

export type Condition = NonNullable<NonNullable<ClusterVersion['status']>['conditions']>[number]

/** A condition without its time. */
export type Said = Omit<Condition, 'lastTransitionTime'>

/** Reason and message are left out when there is nothing to say. */
export function say(type: string, status: 'True' | 'False' | 'Unknown', reason = '', message = ''): Said {
  return { type, status, ...(reason === '' ? {} : { reason }), ...(message === '' ? {} : { message }) }
}
