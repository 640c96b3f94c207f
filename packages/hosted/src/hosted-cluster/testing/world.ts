import type { JsonObject, KubernetesObject, ObjectMeta, Resource } from '@windlass/api'
import { formatTime } from '@windlass/core'
import type { Instant } from '@windlass/core'
import { ensurePatch, equalJson } from '@windlass/kube'
import type { Action, Ref } from '@windlass/kube'
import type { ListSelection, Snapshot } from '../snapshot.ts'

/**
 * A management cluster in a map: as much of an API server as plans of hosted clusters can tell from a real one. It counts revisions and generations,
 * refuses writes whose precondition does not hold, and keeps what has finalizers.
 */
export class World implements Snapshot {
  readonly #objects = new Map<string, KubernetesObject>()
  readonly #unserved: ReadonlySet<string>
  /** What was carried out and changed something, as `ensure Secret clusters-prod/pull-secret`. */
  readonly writes: string[] = []
  /** Events, as `Warning SkipLevelUpgrade`. */
  readonly events: string[] = []
  #revision = 1

  constructor(objects: readonly KubernetesObject[], unserved: readonly string[] = []) {
    this.#unserved = new Set(unserved)
    for (const object of objects) this.#objects.set(keyOf(object.kind, object.metadata), object)
  }

  find<T extends KubernetesObject>(kind: Resource<T>, ref: Ref): T | undefined {
    // The key holds the kind.
    return this.#objects.get(keyOf(kind.kind, ref)) as T | undefined
  }

  list<T extends KubernetesObject>(kind: Resource<T>, { namespace, labels = {} }: ListSelection = {}): readonly T[] {
    return [...this.#objects.values()].filter(
      (object): object is T =>
        object.kind === kind.kind &&
        object.apiVersion === kind.apiVersion &&
        (namespace === undefined || object.metadata.namespace === namespace) &&
        Object.entries(labels).every(([label, value]) => object.metadata.labels?.[label] === value),
    )
  }

  serves(kind: Resource): boolean {
    return !this.#unserved.has(kind.kind)
  }

  put(object: KubernetesObject): void {
    this.#objects.set(keyOf(object.kind, object.metadata), object)
  }

  drop(kind: Resource, ref: Ref): void {
    this.#objects.delete(keyOf(kind.kind, ref))
  }

  /** Somebody asks for an object to be deleted. */
  delete(kind: Resource, ref: Ref, now: Instant): void {
    const object = this.find(kind, ref)
    if (object !== undefined) this.#delete(object, now)
  }

  carryOut(actions: readonly Action[], now: Instant): void {
    for (const action of actions) this.#do(action, now)
  }

  #do(action: Action, now: Instant): void {
    switch (action.do) {
      case 'event':
        this.events.push(`${action.type} ${action.word}`)
        return
      case 'create':
        if (this.#objects.has(keyOf(action.kind.kind, refOf(action.object)))) return
        return this.#create(action.kind, action.object, now)
      case 'ensure': {
        const live = this.find(action.kind, refOf(action.object))
        if (live === undefined) return this.#create(action.kind, action.object, now)
        const change = ensurePatch(live, action.object, action.owns)
        return change === undefined ? undefined : this.#write('ensure', live, merged(live, change))
      }
      case 'patch': {
        const live = this.find(action.kind, action.ref)
        if (live === undefined) throw new Error(`${keyOf(action.kind.kind, action.ref)} not found`)
        this.#guard(live, action.resourceVersion)
        return this.#write('patch', live, merged(live, action.patch))
      }
      case 'status': {
        const live = this.find(action.kind, refOf(action.object))
        if (live === undefined) throw new Error(`${keyOf(action.kind.kind, refOf(action.object))} not found`)
        if (action.ifUnchanged) this.#guard(live, action.object.metadata.resourceVersion)
        const before: unknown = Reflect.get(live, 'status')
        return this.#write('status', live, { ...live, status: defined({ ...(before as object), ...action.status }) } as KubernetesObject)
      }
      case 'delete':
        return this.#delete(action.object, now)
      case 'apply':
        throw new Error('nothing here applies')
      default:
        return action satisfies never
    }
  }

  #guard({ kind, metadata }: KubernetesObject, resourceVersion: string | undefined): void {
    if (resourceVersion !== undefined && metadata.resourceVersion !== resourceVersion)
      throw new Error(`conflict: ${keyOf(kind, metadata)} has changed`)
  }

  #create(kind: Resource, draft: { readonly metadata: ObjectMeta }, now: Instant): void {
    const { namespace } = draft.metadata
    if (namespace !== undefined && !this.#objects.has(keyOf('Namespace', { name: namespace })))
      throw new Error(`namespace ${namespace} not found`)
    const { apiVersion, kind: name } = kind
    const uid = `uid of ${name} ${namespace ?? ''}/${draft.metadata.name ?? ''}`
    const { status: _, ...rest } = draft as { status?: unknown; metadata: ObjectMeta }
    const metadata = { ...draft.metadata, uid, generation: 1, resourceVersion: this.#next(), creationTimestamp: formatTime(now) }
    const object = { ...rest, apiVersion, kind: name, metadata } as KubernetesObject
    this.put(object)
    this.writes.push(`create ${keyOf(name, object.metadata)}`)
  }

  #write(verb: string, before: KubernetesObject, after: KubernetesObject): void {
    if (equalJson(before, after)) return
    const { generation = 1, deletionTimestamp } = before.metadata
    const isSpecSame = equalJson(Reflect.get(before, 'spec'), Reflect.get(after, 'spec'))
    const metadata = { ...after.metadata, resourceVersion: this.#next(), generation: isSpecSame ? generation : generation + 1 }
    const object = { ...after, metadata }
    this.writes.push(`${verb} ${keyOf(after.kind, metadata)}`)
    if (deletionTimestamp !== undefined && (metadata.finalizers ?? []).length === 0) this.#objects.delete(keyOf(after.kind, metadata))
    else this.put(object)
  }

  #delete(object: KubernetesObject, now: Instant): void {
    const key = keyOf(object.kind, object.metadata)
    const live = this.#objects.get(key)
    if (live === undefined || live.metadata.deletionTimestamp !== undefined) return
    this.writes.push(`delete ${key}`)
    const { finalizers = [] } = live.metadata
    if (finalizers.length > 0 || live.kind === 'Namespace')
      this.put({ ...live, metadata: { ...live.metadata, deletionTimestamp: formatTime(now) } })
    else this.#objects.delete(key)
  }

  #next(): string {
    this.#revision += 1
    return `${this.#revision}`
  }
}

function refOf({ metadata: { name = '', namespace } }: { readonly metadata: ObjectMeta }): Ref {
  return namespace === undefined ? { name } : { namespace, name }
}

function keyOf(kind: string, { namespace, name }: { readonly namespace?: string; readonly name?: string }): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name ?? ''}`
}

/** A merge patch, carried out. */
function merged(target: KubernetesObject, change: JsonObject): KubernetesObject {
  return merge(target, change) as KubernetesObject
}

function merge(target: unknown, change: unknown): unknown {
  if (!isRecord(change)) return change
  const result: Record<string, unknown> = isRecord(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(change)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = merge(result[key], value)
  }
  return result
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function defined(fields: object): object {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}
