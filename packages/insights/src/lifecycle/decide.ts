import type { KubernetesObject, UpdateHealthInsight } from '@windlass/api'
import {
  afterConflict,
  branch,
  create,
  type Plan,
  plan,
  remove,
  status,
  type StatusAction,
  type StatusOf,
  type WithStatus,
} from '@windlass/kube'
import { withoutHealth } from '../health/index.ts'

/** After somebody else was faster: long enough for what they wrote to be seen. */
const retryAfter = 1000

/** The object is gone: so is everything that was said about it. */
export function forgotten<T extends KubernetesObject>(
  kind: WithStatus<T>,
  insight: T | undefined,
  health: readonly UpdateHealthInsight[],
  reason: string,
): Plan {
  const gone = insight === undefined ? undefined : branch('insight', remove(kind, insight, reason))
  return plan(gone, withoutHealth(health, reason))
}

export interface Publication<T extends KubernetesObject> {
  readonly kind: WithStatus<T>
  readonly name: string
  /** Undefined when it does not exist yet. */
  readonly insight: T | undefined
  /** Undefined when what is there is good enough, or when there is nothing that could be written. */
  readonly status: StatusOf<T> | undefined
  readonly reason: string
}

/**
 * Writes an insight: creates it if need be, and writes its status in the same pass. Whoever was faster, at either, makes us look again a second
 * later; nothing that follows in the plan happens then.
 */
export function published<T extends KubernetesObject>({ kind, name, insight, status: next, reason }: Publication<T>): Plan {
  if (insight !== undefined) {
    const write = next === undefined ? undefined : status(kind, insight, whole(insight, next), reason, { ifUnchanged: true })
    return plan(write, afterConflict(retryAfter))
  }
  // All progress insights have an empty spec; which of them this is, TypeScript does not know here.
  const draft = { apiVersion: kind.apiVersion, kind: kind.kind, metadata: { name }, spec: {} } as KubernetesObject as T
  return plan(
    create(kind, draft, `there is no insight into ${name} yet`, { mustBeNew: true }),
    next === undefined ? undefined : status(kind, draft, whole(draft, next), reason),
    afterConflict(retryAfter),
  )
}

/** The status and nothing else: fields that it has no more are removed. */
function whole<T extends KubernetesObject>(insight: T, next: StatusOf<T>): StatusAction<T>['status'] {
  const stored: unknown = Reflect.get(insight, 'status')
  const absent = Object.keys(stored ?? {}).map((field) => [field, undefined] as const)
  return { ...(Object.fromEntries(absent) as StatusAction<T>['status']), ...next }
}
