import { crdGroup, crdResource, isEstablished } from '../clusters/cluster.ts'
import { cleanupFinalizer, decideCrdStatus } from '../crd/index.ts'
import { isObject, type JsonObject } from '../json.ts'
import { isBeingDeleted, metadataOf, strings, text } from '../registry/object-meta.ts'
import { parseStored } from '../registry/stored.ts'
import type { Scope } from '../registry/write-request.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { WorkQueue } from './work-queue.ts'

const actor = new Actor('crd-controller')
const batch = 500
/**
 * How long a new definition waits before it is established, as on real servers: definitions that come together change discovery once,
 * and whoever sees one established finds it described.
 */
const settling = 250
const concurrency = 256

/** Accepts the names of CustomResourceDefinitions, establishes them, and removes their objects when they go. */
export class CustomResourceController implements Controller {
  readonly #context: ControllerContext
  readonly #queue: WorkQueue
  readonly #stopping = new AbortController()
  readonly #onGone: (cluster: string, group: string, resource: string) => void
  /** Definitions that wait for their last objects, by the prefix of those. */
  readonly #closing = new Map<string, string>()

  constructor(context: ControllerContext, onGone: (cluster: string, group: string, resource: string) => void) {
    this.#context = context
    this.#onGone = onGone
    this.#queue = new WorkQueue(concurrency, (key) => this.#reconcile(key), context.onError('custom-resources'))
  }

  start(): void {
    for (const cluster of this.#context.clusters()) this.startCluster(cluster)
  }

  startCluster(cluster: string): void {
    for (const { key } of this.#context.store.scan(resourcePrefix(cluster, crdGroup, crdResource))) this.#queue.add(key)
  }

  stop(): Promise<void> {
    this.#stopping.abort()
    return this.#queue.stop()
  }

  observe(change: Change): void {
    const { cluster, group, resource } = parseKey(change.key)
    if (group !== crdGroup || resource !== crdResource) {
      if (this.#closing.size > 0 && change.type === 'deleted') this.#wake(resourcePrefix(cluster, group, resource))
      return
    }
    if (change.type !== 'deleted') {
      this.#queue.add(change.key)
      return
    }
    const names = namesOf(parseStored(change.bytes))
    this.#closing.delete(resourcePrefix(cluster, names.group, names.plural))
    this.#onGone(cluster, names.group, names.plural)
    // Names that were taken may be free now.
    this.startCluster(cluster)
  }

  /** An object is gone: a definition may have waited for it. */
  #wake(instances: string): void {
    const definition = this.#closing.get(instances)
    if (definition !== undefined) this.#queue.add(definition)
  }

  /** False when the server stops meanwhile. */
  async #settle({ clock }: Scope): Promise<boolean> {
    try {
      await clock.sleep(settling, this.#stopping.signal)
      return true
    } catch {
      return false
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { cluster, name } = parseKey(key)
    const scope = this.#context.scope(cluster)
    const served = scope?.catalog.stored(crdGroup, crdResource)
    const entry = this.#context.store.get(key)
    if (scope === undefined || served === undefined || entry === undefined) return
    const crd = parseStored(entry.bytes)
    if (isBeingDeleted(crd)) {
      if (!strings(metadataOf(crd).finalizers).includes(cleanupFinalizer)) return
      const { group, plural } = namesOf(crd)
      this.#closing.set(resourcePrefix(cluster, group, plural), key)
      if (!(await deleteInstances(scope, crd))) return
      await actor.change(scope, served, { namespace: '', name }, withoutCleanup)
      return
    }
    if (!isEstablished(crd) && !(await this.#settle(scope))) return
    const others = peers(scope, crd)
    await actor.change(scope, served, { namespace: '', name, subresource: 'status' }, (current) => {
      const status = decideCrdStatus(current, others, scope.clock.now())
      return status === current.status ? current : { ...current, status }
    })
  }
}

function specOf(crd: JsonObject): JsonObject {
  return isObject(crd.spec) ? crd.spec : {}
}

function namesOf(crd: JsonObject): { readonly group: string; readonly plural: string } {
  const { group, names } = specOf(crd)
  return { group: text(group), plural: text(isObject(names) ? names.plural : '') }
}

/** The other definitions of the same group: they compete for names. */
function peers(scope: Scope, crd: JsonObject): readonly JsonObject[] {
  const group = specOf(crd).group
  const name = metadataOf(crd).name
  // A look at the bytes first: definitions are large, and most are of other groups.
  const mark = `"group":${JSON.stringify(group)}`
  return [...scope.store.scan(resourcePrefix(scope.cluster, crdGroup, crdResource))]
    .filter(({ bytes }) => bytes.includes(mark))
    .map(({ bytes }) => parseStored(bytes))
    .filter((other) => specOf(other).group === group && metadataOf(other).name !== name)
}

/** True when none is left; objects with finalizers keep the definition until they are gone. */
async function deleteInstances(scope: Scope, crd: JsonObject): Promise<boolean> {
  const { group, plural } = namesOf(crd)
  const served = scope.catalog.stored(group, plural)
  if (served === undefined) return true
  const prefix = resourcePrefix(scope.cluster, group, plural)
  for (let after: string | undefined; ;) {
    const entries = [...scope.store.scan(prefix, { limit: batch, ...(after === undefined ? {} : { after }) })]
    await Promise.all(entries.map(({ key }) => actor.remove(scope, served, parseKey(key))))
    after = entries.at(-1)?.key
    if (entries.length < batch) break
  }
  return scope.store.count(prefix) === 0
}

function withoutCleanup(crd: JsonObject): JsonObject {
  const metadata = metadataOf(crd)
  const kept = strings(metadata.finalizers).filter((name) => name !== cleanupFinalizer)
  const { finalizers: _, ...rest } = metadata
  return { ...crd, metadata: kept.length === 0 ? rest : { ...rest, finalizers: kept } }
}
