import type { KubernetesObject } from '@windlass/api'
import type { Action, Plan, StatusOf } from '@windlass/kube'

/** What a plan does to objects, a line each: `create Pod a`, `patch ReplicaSet a {"spec":{"replicas":2}}`, `event Failed`. Status is left out. */
export function deedsOf({ actions }: Plan): readonly string[] {
  return actions.filter((action) => action.do !== 'status').map(deed)
}

function deed(action: Action): string {
  if (action.do === 'event') return `event ${action.word}`
  if (action.do === 'patch') return `patch ${action.kind.kind} ${action.ref.name} ${JSON.stringify(action.patch)}`
  const grace = action.do === 'delete' && action.gracePeriodSeconds !== undefined ? ` within ${action.gracePeriodSeconds} s` : ''
  return `${action.do} ${action.kind.kind} ${action.object.metadata.name}${grace}`
}

/** What a plan says in a status; fields that are to be absent are left out. Undefined when it says nothing. */
export function statusIn<T extends KubernetesObject>(plan: Plan, _kind: { readonly '~object'?: T }): Partial<StatusOf<T>> | undefined {
  const found = plan.actions.find((action) => action.do === 'status')
  if (found === undefined) return undefined
  // A plan of these controllers has one status, that of the object that it is about.
  return JSON.parse(JSON.stringify(found.status)) as Partial<StatusOf<T>>
}
