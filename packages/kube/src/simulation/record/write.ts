import { type Change, parseKey } from '@windlass/apiserver'
import type { KubernetesObject, Resource } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { Actor } from '../actor.ts'
import type { StoredObject } from './stored-object.ts'

const verbs = { created: 'create', modified: 'update', deleted: 'delete' } as const

/** One durable change, and who made it. */
export class Write {
  readonly revision: number
  readonly verb: 'create' | 'update' | 'delete'
  /** `<cluster>/<group>/<resource>/<namespace>/<name>`. */
  readonly key: string
  readonly actor: Actor
  readonly at: Instant
  readonly #now: StoredObject
  readonly #before: StoredObject | undefined

  constructor(
    change: Change,
    actor: Actor,
    at: Instant,
    states: { readonly now: StoredObject; readonly before: StoredObject | undefined },
  ) {
    this.revision = change.revision
    this.verb = verbs[change.type]
    this.key = change.key
    this.actor = actor
    this.at = at
    this.#now = states.now
    this.#before = states.before
  }

  get cluster(): string {
    return parseKey(this.key).cluster
  }

  get namespace(): string {
    return parseKey(this.key).namespace
  }

  get name(): string {
    return parseKey(this.key).name
  }

  /** As it is now; of a deletion as it was last. */
  get object(): KubernetesObject {
    return this.#now.object
  }

  get before(): KubernetesObject | undefined {
    return this.#before?.object
  }

  get bytes(): Buffer {
    return this.#now.bytes
  }

  isOf(kind: Resource): boolean {
    const { group, resource } = parseKey(this.key)
    return resource === kind.plural && group === kind.group
  }

  /** The object, if it is of this kind. */
  as<T extends KubernetesObject>(kind: Resource<T>): T | undefined {
    return this.isOf(kind) ? (this.object as T) : undefined
  }

  /** The object as it was before, if it is of this kind. */
  was<T extends KubernetesObject>(kind: Resource<T>): T | undefined {
    return this.isOf(kind) ? (this.before as T | undefined) : undefined
  }

  /** `1042 update root/~/configmaps/default/a by operator-1 (manager/1.0, life 2)`. */
  toString(): string {
    const { process, life, userAgent } = this.actor
    return `${this.revision} ${this.verb} ${this.key} by ${process} (${userAgent}${life === 0 ? '' : `, life ${life}`})`
  }
}
