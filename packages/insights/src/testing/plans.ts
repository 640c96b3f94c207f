import type { KubernetesObject, Resource } from '@windlass/api'
import { type Action, type Plan, type StatusOf, subjectOf } from '@windlass/kube'

/** What a plan does, in words: `create UpdateHealthInsight cv-…`. */
export function describePlan({ actions }: Plan): readonly string[] {
  return actions.map((action) => {
    const subject = subjectOf(action)
    return `${action.do} ${subject?.kind.kind} ${subject?.ref.name}`
  })
}

export function actionsOn({ actions }: Plan, kind: Resource): readonly Action[] {
  return actions.filter((action) => subjectOf(action)?.kind.kind === kind.kind)
}

/** The status that a plan writes to an object of a kind; undefined when it writes none. */
export function statusIn<T extends KubernetesObject>(plan: Plan, kind: Resource<T>, name?: string): StatusOf<T> | undefined {
  const action = actionsOn(plan, kind).find((each) => each.do === 'status' && (name === undefined || each.object.metadata.name === name))
  if (action?.do !== 'status') return undefined
  const fields = Object.entries(action.status).filter(([, value]) => value !== undefined)
  // The action is about an object of the kind.
  return Object.fromEntries(fields) as unknown as StatusOf<T>
}

/** The objects of a kind as the server has them once the plan is carried out, given those it had. */
export function stored<T extends KubernetesObject>({ actions }: Plan, kind: Resource<T>, before: readonly T[] = []): readonly T[] {
  const objects = new Map<string, object>(before.map((object) => [object.metadata.name ?? '', object]))
  for (const action of actions) {
    const subject = subjectOf(action)
    if (subject?.kind.kind !== kind.kind) continue
    const { name } = subject.ref
    const old = objects.get(name)
    if (action.do === 'create' && old === undefined) {
      const { metadata } = action.object
      objects.set(name, {
        apiVersion: kind.apiVersion,
        kind: kind.kind,
        ...action.object,
        metadata: { ...metadata, uid: `uid-of-${name}`, resourceVersion: '1' },
      })
    }
    if (action.do === 'delete') objects.delete(name)
    if (action.do === 'status' && old !== undefined) {
      objects.set(name, { ...old, status: JSON.parse(JSON.stringify({ ...Reflect.get(old, 'status'), ...action.status })) })
    }
    if (action.do === 'patch' && old !== undefined) {
      const changed = Object.entries(action.patch['metadata'] ?? {})
      objects.set(name, { ...old, metadata: { ...Reflect.get(old, 'metadata'), ...Object.fromEntries(changed) } })
    }
  }
  // Every object came from the kind's own actions.
  return [...objects.values()] as unknown as readonly T[]
}
