import { formatTime } from '@windlass/core'
import { isObject, type JsonObject } from '../json.ts'
import type { Served } from '../registry/catalog.ts'
import { isBeingDeleted, metadataOf, strings, text } from '../registry/object-meta.ts'
import { collectedIndex, keyFor, ownerIndex, parseStored } from '../registry/stored.ts'
import type { Scope } from '../registry/write-request.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { type OwnerReference, ownersOf, ownerType, withoutOwners } from './owner.ts'
import { WorkQueue } from './work-queue.ts'

/** How the owner that a reference names stands at the moment. */
type Owner = 'solid' | 'absent' | 'waiting' | 'misplaced' | 'unknown'

const concurrency = 64
const rememberedDeletions = 10_000
const rememberedOwners = 10_000
const actor = new Actor('generic-garbage-collector')

/**
 * Deletes what nobody owns any more. It keeps no graph: the store's index from owner to dependents is always there, also after a
 * restart, and every change only has to look at its neighbours.
 */
export class GarbageCollector implements Controller {
  readonly #context: ControllerContext
  readonly #queue: WorkQueue
  /** Owners whose end was seen: nobody needs to look for them in other namespaces. */
  readonly #recentlyDeleted = new Set<string>()
  /** Dependents of kinds that are not known, or not yet: only these are looked at again whatever changes about them. */
  readonly #undecided = new Set<string>()
  /** By key, revision and uid of owners that were there and not waiting to go: whoever is made next often has the same. */
  readonly #solid = new Map<string, string>()

  constructor(context: ControllerContext) {
    this.#context = context
    this.#queue = new WorkQueue(concurrency, (key) => this.#examine(key), context.onError('garbage-collector'))
  }

  /** What was left undone when the server stopped is found through the index. */
  start(): void {
    for (const index of ['owner/', collectedIndex]) for (const { key } of this.#context.store.indexed(index)) this.#queue.add(key)
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  observe(change: Change): void {
    const { key } = change
    // Nearly every change is one of status, and nothing to us: reading all of these would be a tenth of what a server does.
    if (isNothingToOwners(change) && !this.#undecided.has(key)) return
    const hasOwners = change.bytes.includes('"ownerReferences"') || change.previous?.bytes.includes('"ownerReferences"') === true
    if (change.type === 'deleted') {
      this.#undecided.delete(key)
      const object = parseStored(change.bytes)
      const { cluster } = parseKey(key)
      const uid = text(metadataOf(object).uid)
      this.#remember(uid)
      for (const { key: dependent } of this.#context.store.indexed(ownerIndex(cluster, uid))) this.#queue.add(dependent)
      if (hasOwners) this.#wakeOwners(cluster, () => object)
      return
    }
    if (hasOwners || isCollected(change.bytes)) this.#queue.add(key)
    // A dependent that no longer points at its owner may have been the last thing the owner waited for.
    const { previous } = change
    if (previous?.bytes.includes('"blockOwnerDeletion"') === true)
      this.#wakeOwners(parseKey(key).cluster, () => parseStored(previous.bytes))
  }

  #remember(uid: string): void {
    this.#recentlyDeleted.add(uid)
    if (this.#recentlyDeleted.size <= rememberedDeletions) return
    for (const oldest of this.#recentlyDeleted) {
      this.#recentlyDeleted.delete(oldest)
      return
    }
  }

  /** Owners in foreground deletion wait for their dependents to go. Mostly there are none: then whose dependent went need not be found out. */
  #wakeOwners(cluster: string, dependent: () => JsonObject): void {
    const scope = this.#context.scope(cluster)
    const [waiting] = this.#context.store.indexed(`${collectedIndex}${cluster}`, { limit: 1 })
    if (scope === undefined || waiting === undefined) return
    const object = dependent()
    for (const reference of ownersOf(object)) {
      const served = ownerType(scope.catalog, reference)
      if (served !== undefined) this.#queue.add(keyFor(cluster, served.type, text(metadataOf(object).namespace), reference.name))
    }
  }

  async #examine(key: string): Promise<void> {
    const entry = this.#context.store.get(key)
    if (entry === undefined) return
    const place = parseKey(key)
    const scope = this.#context.scope(place.cluster)
    const served = scope?.catalog.stored(place.group, place.resource)
    if (scope === undefined || served === undefined) return
    if (this.#isKept(scope, place.namespace, entry.bytes)) {
      this.#undecided.delete(key)
      return
    }
    const object = parseStored(entry.bytes)
    const finalizers = strings(metadataOf(object).finalizers)
    if (isBeingDeleted(object)) {
      if (finalizers.includes('orphan')) await this.#orphan(scope, served, place, object)
      else if (finalizers.includes('foregroundDeletion')) await this.#deleteDependents(scope, served, place, object)
      return
    }
    const isJudged = await this.#judge(scope, served, place, object, finalizers)
    if (isJudged) this.#undecided.delete(key)
    else this.#undecided.add(key)
  }

  /**
   * What nearly every look comes to: an object that is not being deleted, and whose only owner is there. That is read from the few bytes that say so:
   * dependents are made by the hundred, and most of their owners are large.
   */
  #isKept(scope: Scope, namespace: string, bytes: Buffer): boolean {
    const owner = onlyOwnerIn(bytes)
    if (owner === undefined) return false
    const served = ownerType(scope.catalog, owner)
    if (served === undefined || (served.type.namespaced && namespace === '')) return false
    const entry = scope.store.get(keyFor(scope.cluster, served.type, namespace, owner.name))
    if (entry === undefined) return false
    const { key, revision } = entry
    if (this.#solid.get(key) === `${revision}/${owner.uid}`) return true
    if (this.#find(scope, namespace, owner) !== 'solid') return false
    if (this.#solid.size >= rememberedOwners) this.#solid.clear()
    this.#solid.set(key, `${revision}/${owner.uid}`)
    return true
  }

  /** Every dependent loses its reference, then the owner its finalizer. */
  async #orphan(scope: Scope, served: Served, at: Place, owner: JsonObject): Promise<void> {
    const uid = text(metadataOf(owner).uid)
    for (const dependent of this.#dependents(scope, uid)) {
      await actor.change(scope, dependent.served, dependent.at, (object) => withoutOwners(object, new Set([uid])))
    }
    await actor.change(scope, served, at, (object) => withoutFinalizer(object, 'orphan'))
  }

  /** Dependents go first, in the foreground themselves; the owner follows when none is left that blocks it. */
  async #deleteDependents(scope: Scope, served: Served, at: Place, owner: JsonObject): Promise<void> {
    const uid = text(metadataOf(owner).uid)
    let isBlocked = false
    for (const { key, object } of this.#dependents(scope, uid)) {
      if (!isBeingDeleted(object)) this.#queue.add(key)
      const blocks = ownersOf(object).some((reference) => reference.uid === uid && reference.blocksDeletion)
      isBlocked ||= blocks && !(isWaiting(object) && this.#waitsFor(scope, at.namespace, owner, text(metadataOf(object).uid)))
    }
    if (!isBlocked) await actor.change(scope, served, at, (object) => withoutFinalizer(object, 'foregroundDeletion'))
  }

  /**
   * Whether an owner of the object, or an owner of that, and so on, has this uid, all of them waiting. Two that wait for each other
   * would wait for ever.
   */
  #waitsFor(scope: Scope, namespace: string, object: JsonObject, uid: string): boolean {
    const seen = new Set<string>()
    const left = [object]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      for (const reference of ownersOf(next)) {
        if (reference.uid === uid) return true
        if (seen.has(reference.uid)) continue
        seen.add(reference.uid)
        const owner = this.#ownerOf(scope, ownerType(scope.catalog, reference), namespace, reference)
        if (owner !== undefined && isWaiting(owner)) left.push(owner)
      }
    }
    return false
  }

  *#dependents(scope: Scope, uid: string): Iterable<{ key: string; served: Served; at: Place; object: JsonObject }> {
    // All keys first: callers wait between two of them, and an open iterator would keep old state alive.
    const keys = Array.from(scope.store.indexed(ownerIndex(scope.cluster, uid)), ({ key }) => key)
    for (const key of keys) {
      const entry = scope.store.get(key)
      const at = parseKey(key)
      const served = scope.catalog.stored(at.group, at.resource)
      if (entry !== undefined && served !== undefined) yield { key, served, at, object: parseStored(entry.bytes) }
    }
  }

  /** An object lives as long as one of its owners does. Returns false where nobody can tell. */
  async #judge(scope: Scope, served: Served, at: Place, object: JsonObject, finalizers: readonly string[]): Promise<boolean> {
    const references = ownersOf(object)
    if (references.length === 0) return true
    const found = references.map((reference) => ({ reference, owner: this.#find(scope, at.namespace, reference) }))
    const is = (...kinds: readonly Owner[]): readonly OwnerReference[] =>
      found.filter(({ owner }) => kinds.includes(owner)).map(({ reference }) => reference)
    if (is('unknown').length > 0) return false
    for (const reference of is('misplaced')) await this.#complain(scope, object, at, reference)
    const uid = text(metadataOf(object).uid)
    const gone = is('absent', 'misplaced')
    if (is('solid').length > 0) {
      const lost = new Set([...gone, ...is('waiting')].map((reference) => reference.uid))
      if (lost.size > 0) await actor.change(scope, served, at, (current) => withoutOwners(current, lost))
      return true
    }
    if (is('waiting').length > 0) {
      const hasDependents = [...scope.store.indexed(ownerIndex(scope.cluster, uid), { limit: 1 })].length > 0
      await actor.remove(scope, served, at, { uid, policy: hasDependents ? 'Foreground' : policyOf(finalizers) })
      return true
    }
    await actor.remove(scope, served, at, { uid, policy: policyOf(finalizers) })
    return true
  }

  #find(scope: Scope, namespace: string, reference: OwnerReference): Owner {
    const served = ownerType(scope.catalog, reference)
    // A kind may go while the dependents of its last objects are still to be looked at.
    if (served === undefined) return this.#recentlyDeleted.has(reference.uid) ? 'absent' : 'unknown'
    if (served.type.namespaced && namespace === '') return 'misplaced'
    const owner = this.#ownerOf(scope, served, namespace, reference)
    if (owner === undefined) return served.type.namespaced && this.#existsElsewhere(scope, served, reference) ? 'misplaced' : 'absent'
    return isWaiting(owner) ? 'waiting' : 'solid'
  }

  #ownerOf(scope: Scope, served: Served | undefined, namespace: string, reference: OwnerReference): JsonObject | undefined {
    const entry = served && scope.store.get(keyFor(scope.cluster, served.type, namespace, reference.name))
    const owner = entry === undefined ? undefined : parseStored(entry.bytes)
    return owner !== undefined && text(metadataOf(owner).uid) === reference.uid ? owner : undefined
  }

  /** A namespaced owner that lives in another namespace owns nothing here, and its user should hear of it. */
  #existsElsewhere(scope: Scope, served: Served, reference: OwnerReference): boolean {
    if (this.#recentlyDeleted.has(reference.uid)) return false
    for (const { key } of scope.store.scan(resourcePrefix(scope.cluster, '', 'namespaces'))) {
      const entry = scope.store.get(keyFor(scope.cluster, served.type, parseKey(key).name, reference.name))
      if (entry !== undefined && text(metadataOf(parseStored(entry.bytes)).uid) === reference.uid) return true
    }
    return false
  }

  async #complain(scope: Scope, object: JsonObject, at: Place, reference: OwnerReference): Promise<void> {
    const events = scope.catalog.stored('', 'events')
    if (events === undefined) return
    const metadata = metadataOf(object)
    const namespace = at.namespace === '' ? 'default' : at.namespace
    const now = formatTime(scope.clock.now())
    const where = at.namespace === '' ? 'namespace ""' : `namespace ${JSON.stringify(at.namespace)}`
    await actor.create(scope, events, namespace, {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: `${at.name}.${scope.random.uuid().slice(0, 8)}`, namespace },
      involvedObject: {
        kind: object.kind ?? '',
        apiVersion: object.apiVersion ?? '',
        name: at.name,
        namespace: at.namespace,
        uid: metadata.uid ?? '',
      },
      reason: 'OwnerRefInvalidNamespace',
      message: `ownerRef [${reference.apiVersion}/${reference.kind}, namespace: ${at.namespace}, name: ${reference.name}, uid: ${reference.uid}] does not exist in ${where}`,
      type: 'Warning',
      source: { component: 'garbage-collector-controller' },
      firstTimestamp: now,
      lastTimestamp: now,
      count: 1,
    })
  }
}

interface Place {
  readonly namespace: string
  readonly name: string
}

/** A change of an object that keeps the owners that it had, and that the collector has nothing to finish of. */
function isNothingToOwners({ type, bytes, previous }: Change): boolean {
  if (type !== 'modified' || previous === undefined || isCollected(bytes) || isCollected(previous.bytes)) return false
  const before = ownersIn(previous.bytes)
  const after = ownersIn(bytes)
  return before === undefined || after === undefined ? before === after : before.equals(after)
}

/** Whether it may be waiting for the collector to remove one of its finalizers. Nearly nothing is being deleted: one search instead of two. */
function isCollected(bytes: Buffer): boolean {
  return bytes.includes('"deletionTimestamp":') && (bytes.includes('"foregroundDeletion"') || bytes.includes('"orphan"'))
}

/**
 * The owners of a stored object, as they are written. Metadata comes first in it, so what looks like owners further down is taken for them only
 * where there are none.
 */
function ownersIn(bytes: Buffer): Buffer | undefined {
  const start = bytes.indexOf('"ownerReferences":[')
  return start < 0 ? undefined : bytes.subarray(start, bytes.indexOf(']', start))
}

/** The owner of a stored object that has one, lives, and is nobody whom the collector has to look at closely. */
function onlyOwnerIn(bytes: Buffer): OwnerReference | undefined {
  const written = ownersIn(bytes)
  if (written === undefined || bytes.includes('"deletionTimestamp":')) return undefined
  try {
    const [owner, ...others] = ownersOf({ metadata: parseStored(Buffer.from(`{${written.toString()}]}`)) })
    return others.length === 0 ? owner : undefined
  } catch {
    // The bracket that seemed to be the last stands in a name.
    return undefined
  }
}

/** In foreground deletion: it goes when its dependents are gone. */
function isWaiting(object: JsonObject): boolean {
  return isBeingDeleted(object) && strings(metadataOf(object).finalizers).includes('foregroundDeletion')
}

function policyOf(finalizers: readonly string[]): 'Orphan' | 'Foreground' | 'Background' {
  if (finalizers.includes('orphan')) return 'Orphan'
  return finalizers.includes('foregroundDeletion') ? 'Foreground' : 'Background'
}

function withoutFinalizer(object: JsonObject, name: string): JsonObject {
  const metadata = metadataOf(object)
  const finalizers = strings(metadata.finalizers)
  if (!finalizers.includes(name) || !isObject(object.metadata)) return object
  const kept = finalizers.filter((each) => each !== name)
  const { finalizers: _, ...rest } = object.metadata
  return { ...object, metadata: kept.length === 0 ? rest : { ...rest, finalizers: kept } }
}
