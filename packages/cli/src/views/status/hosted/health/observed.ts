import { findCondition, type Instant, parseTime } from '@windlass/core'
import type { HealthView } from '../../view.ts'

interface Named {
  readonly metadata: { readonly namespace?: string; readonly name?: string }
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime: string
}

/** The object that something is wrong with. */
export function about(resource: string, { metadata: { namespace, name = '' } }: Named): Pick<HealthView, 'resources'> {
  return { resources: [{ group: 'hypershift.openshift.io', resource, ...(namespace === undefined ? {} : { namespace }), name }] }
}

/** Since when, and why, by a condition. */
export function byCondition({ lastTransitionTime, message = '' }: Condition): Pick<HealthView, 'since' | 'description'> {
  return { since: lastTransitionTime, description: message }
}

/** The condition, if it says False. */
export function denied<C extends Condition>(conditions: readonly C[] | undefined, type: string): C | undefined {
  const condition = findCondition(conditions, type)
  return condition?.status === 'False' ? condition : undefined
}

/** Whether a condition has been as it is for more than so long. */
export function lasts({ lastTransitionTime }: Condition, milliseconds: number, now: Instant): boolean {
  return now - (parseTime(lastTransitionTime) ?? now) > milliseconds
}

/** `Component etcd is unavailable (Reason)`; without the parenthesis where there is no reason. */
export function withReason(text: string, { reason = '' }: { readonly reason?: string }): string {
  return reason === '' ? text : `${text} (${reason})`
}
