import { formatTime } from '@windlass/core'
import { isArray, isObject, type JsonObject } from '../json.ts'
import { isBeingDeleted, metadataOf, strings } from '../registry/object-meta.ts'
import { parseStored, prefixFor } from '../registry/stored.ts'
import type { Scope } from '../registry/write-request.ts'
import { objectKey, parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { WorkQueue } from './work-queue.ts'

const actor = new Actor('namespace-controller')

/** Empties namespaces that are being deleted, says what still holds them, and lets them go. */
export class NamespaceController implements Controller {
  readonly #context: ControllerContext
  readonly #queue: WorkQueue
  /** Keys of namespaces on their way out, so that a deletion inside one is noticed without a look at the store. */
  readonly #terminating = new Set<string>()

  constructor(context: ControllerContext) {
    this.#context = context
    this.#queue = new WorkQueue(4, (key) => this.#empty(key), context.onError('namespaces'))
  }

  start(): void {
    for (const cluster of this.#context.clusters()) this.startCluster(cluster)
  }

  /** The same for a logical cluster that has just been loaded. */
  startCluster(cluster: string): void {
    for (const { key, bytes } of this.#context.store.scan(resourcePrefix(cluster, '', 'namespaces'))) this.#consider(key, bytes)
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  observe(change: Change): void {
    const { cluster, group, resource, namespace } = parseKey(change.key)
    if (group === '' && resource === 'namespaces') {
      if (change.type === 'deleted') this.#terminating.delete(change.key)
      else this.#consider(change.key, change.bytes)
      return
    }
    if (namespace === '' || this.#terminating.size === 0) return
    const key = objectKey({ cluster, group: '', resource: 'namespaces', namespace: '', name: namespace })
    if (this.#terminating.has(key)) this.#queue.add(key)
  }

  #consider(key: string, bytes: Buffer): void {
    if (!bytes.includes('"deletionTimestamp"') || !isBeingDeleted(parseStored(bytes))) return
    this.#terminating.add(key)
    this.#queue.add(key)
  }

  async #empty(key: string): Promise<void> {
    const { cluster, name } = parseKey(key)
    const scope = this.#context.scope(cluster)
    const served = scope?.catalog.stored('', 'namespaces')
    const entry = this.#context.store.get(key)
    if (scope === undefined || served === undefined || entry === undefined) return
    const namespace = parseStored(entry.bytes)
    if (!isBeingDeleted(namespace) || !strings(specOf(namespace).finalizers).includes('kubernetes')) return
    await deleteContents(scope, name)
    const left = contentsOf(scope, name)
    if (left.size > 0) {
      await actor.change(scope, served, { namespace: '', name, subresource: 'status' }, (object) =>
        withConditions(object, left, scope.clock.now()),
      )
      return
    }
    await actor.change(scope, served, { namespace: '', name, subresource: 'finalize' }, finalized)
  }
}

/** What is left in a namespace, by `<resource>.<group>`. */
type Contents = ReadonlyMap<string, { readonly count: number; readonly finalizers: ReadonlyMap<string, number> }>

async function deleteContents(scope: Scope, namespace: string): Promise<void> {
  for (const type of scope.catalog.types()) {
    const served = scope.catalog.stored(type.group, type.resource)
    if (!type.namespaced || type.storedAs !== undefined || served === undefined) continue
    const keys = [...scope.store.scan(prefixFor(scope.cluster, type, namespace))]
      .filter(({ bytes }) => !isMarked(bytes))
      .map(({ key }) => key)
    await Promise.all(keys.map((key) => actor.remove(scope, served, { namespace, name: parseKey(key).name }, { gracePeriodSeconds: 0 })))
  }
}

const isMarked = (bytes: Buffer): boolean => bytes.includes('"deletionTimestamp"') && isBeingDeleted(parseStored(bytes))

function contentsOf(scope: Scope, namespace: string): Contents {
  const contents = new Map<string, { count: number; finalizers: Map<string, number> }>()
  for (const type of scope.catalog.types()) {
    if (!type.namespaced || type.storedAs !== undefined) continue
    for (const { bytes } of scope.store.scan(prefixFor(scope.cluster, type, namespace))) {
      const name = `${type.resource}.${type.group}`
      const seen = contents.get(name) ?? { count: 0, finalizers: new Map<string, number>() }
      contents.set(name, seen)
      seen.count++
      for (const finalizer of strings(metadataOf(parseStored(bytes)).finalizers)) {
        seen.finalizers.set(finalizer, (seen.finalizers.get(finalizer) ?? 0) + 1)
      }
    }
  }
  return contents
}

/** Says what holds a namespace, in the conditions that users and kubectl know. */
function withConditions(namespace: JsonObject, left: Contents, now: number): JsonObject {
  const remaining = [...left].map(([name, { count }]) => `${name} has ${count} resource instances`).toSorted()
  const finalizers = new Map<string, number>()
  for (const { finalizers: each } of left.values())
    for (const [name, count] of each) finalizers.set(name, (finalizers.get(name) ?? 0) + count)
  const waiting = [...finalizers].map(([name, count]) => `${name} in ${count} resource instances`).toSorted()
  const wanted: readonly [type: string, status: string, reason: string, message: string][] = [
    ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
    ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
    ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
    ['NamespaceContentRemaining', 'True', 'SomeResourcesRemain', `Some resources are remaining: ${remaining.join(', ')}`],
    waiting.length > 0
      ? [
          'NamespaceFinalizersRemaining',
          'True',
          'SomeFinalizersRemain',
          `Some content in the namespace has finalizers remaining: ${waiting.join(', ')}`,
        ]
      : ['NamespaceFinalizersRemaining', 'False', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'],
  ]
  const status = isObject(namespace.status) ? namespace.status : {}
  const before = isArray(status.conditions) ? status.conditions.filter(isObject) : []
  const conditions = wanted.map(([type, value, reason, message]) => {
    const old = before.find((condition) => condition.type === type)
    const since = old?.status === value ? (old.lastTransitionTime ?? formatTime(now)) : formatTime(now)
    return { type, status: value, lastTransitionTime: since, reason, message }
  })
  return { ...namespace, status: { ...status, phase: 'Terminating', conditions } }
}

function specOf(namespace: JsonObject): JsonObject {
  return isObject(namespace.spec) ? namespace.spec : {}
}

function finalized(namespace: JsonObject): JsonObject {
  const spec = specOf(namespace)
  const finalizers = strings(spec.finalizers).filter((name) => name !== 'kubernetes')
  const { finalizers: _, ...rest } = spec
  return { ...namespace, spec: finalizers.length === 0 ? rest : { ...rest, finalizers } }
}
