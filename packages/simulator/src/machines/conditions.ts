import type { capi } from '@windlass/api'
import { findCondition, type Instant, setCondition } from '@windlass/core'

export type CapiCondition = NonNullable<NonNullable<capi.Machine['status']>['conditions']>[number]

type Said = Omit<CapiCondition, 'lastTransitionTime'>

/** In Cluster API a condition that is well has no reason, and one that is not says how bad it is. */
export function well(type: string): Said {
  return { type, status: 'True' }
}

export function ill(type: string, reason: string, message = '', severity: 'Error' | 'Warning' | 'Info' = 'Info'): Said {
  return { type, status: 'False', severity, reason, ...(message === '' ? {} : { message }) }
}

export function unclear(type: string, reason: string, message = ''): Said {
  return { type, status: 'Unknown', reason, ...(message === '' ? {} : { message }) }
}

/**
 * All conditions of an object, and before them what they come to: `Ready` is well when all are, and says otherwise what the first of them says. The same
 * list when nothing has changed.
 */
export function summed(before: readonly CapiCondition[] | undefined, said: readonly Said[], now: Instant): readonly CapiCondition[] {
  const worst = said.find(({ status }) => status !== 'True')
  const done = said.filter(({ status }) => status === 'True').length
  const message = worst?.message ?? `${done} of ${said.length} completed`
  const ready: Said = worst === undefined ? well('Ready') : { ...worst, type: 'Ready', message }
  return [ready, ...said].reduce<readonly CapiCondition[]>(
    (conditions, each) => setCondition<CapiCondition>(conditions, each, now),
    before ?? [],
  )
}

export function isWell(object: { readonly status?: { readonly conditions?: readonly CapiCondition[] } }, type: string): boolean {
  return findCondition(object.status?.conditions, type)?.status === 'True'
}
