import { type Instant, setCondition } from '@windlass/core'
import { type Clusters, logicalClusterGroup, logicalClusterResource, rootCluster } from '../clusters/clusters.ts'
import { isArray, isObject, type JsonObject } from '../json.ts'
import { isBeingDeleted, metadataOf, nameOf, strings, text } from '../registry/object-meta.ts'
import { encodeStored, parseStored } from '../registry/stored.ts'
import { parseKey, resourcePrefix } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Actor } from './actor.ts'
import type { Controller, ControllerContext } from './controller.ts'
import { WorkQueue } from './work-queue.ts'

const actor = new Actor('logical-clusters')
const finalizer = 'windlass.dev/contents'
const batch = 500
const secretNamespace = 'kube-system'

export interface LogicalClusterParts {
  readonly clusters: Clusters
  /** Namespaces and whatever else a new cluster starts with. */
  readonly bootstrap: (name: string) => Promise<void>
  /** A kubeconfig that is good for one cluster alone, and where its API is; undefined while nobody can reach the server. */
  readonly access: (name: string, uid: string) => { readonly url: string; readonly kubeconfig: string } | undefined
  /** Ends the watches of a cluster. */
  readonly close: (name: string) => void
}

/** Makes logical clusters from LogicalCluster objects, and empties those that go, in steps. */
export class LogicalClusterController implements Controller {
  readonly #context: ControllerContext
  readonly #parts: LogicalClusterParts
  readonly #queue: WorkQueue

  constructor(context: ControllerContext, parts: LogicalClusterParts) {
    this.#context = context
    this.#parts = parts
    this.#queue = new WorkQueue(8, (key) => this.#reconcile(key), context.onError('logical-clusters'))
  }

  start(): void {
    for (const { key } of this.#context.store.scan(resourcePrefix(rootCluster, logicalClusterGroup, logicalClusterResource)))
      this.#queue.add(key)
  }

  stop(): Promise<void> {
    return this.#queue.stop()
  }

  observe(change: Change): void {
    const { cluster, group, resource, name } = parseKey(change.key)
    if (cluster !== rootCluster || group !== logicalClusterGroup || resource !== logicalClusterResource) return
    if (change.type === 'deleted') this.#parts.clusters.forget(name)
    else this.#queue.add(change.key)
  }

  async #reconcile(key: string): Promise<void> {
    const { name } = parseKey(key)
    const root = this.#context.scope(rootCluster)
    const served = root?.catalog.stored(logicalClusterGroup, logicalClusterResource)
    const object = this.#parts.clusters.object(name)
    if (root === undefined || served === undefined || object === undefined) return
    const at = { namespace: '', name }
    if (isBeingDeleted(object)) {
      if (!strings(metadataOf(object).finalizers).includes(finalizer)) return
      this.#parts.close(name)
      await actor.change(root, served, { ...at, subresource: 'status' }, (current) => withPhase(current, 'Deleting'))
      await this.#empty(name)
      await this.#removeKubeconfig(name)
      await actor.change(root, served, at, (current) => withFinalizers(current, (names) => names.filter((each) => each !== finalizer)))
      return
    }
    await actor.change(root, served, at, (current) =>
      strings(metadataOf(current).finalizers).includes(finalizer) ? current : withFinalizers(current, (names) => [...names, finalizer]),
    )
    await this.#parts.bootstrap(name)
    const access = this.#parts.access(name, text(metadataOf(object).uid))
    if (access !== undefined) await this.#publishKubeconfig(object, access)
    const now = root.clock.now()
    await actor.change(root, served, { ...at, subresource: 'status' }, (current) => ready(current, access?.url, now))
  }

  /** Everything below the cluster's prefix, some at a time: other writes go on in between. */
  async #empty(name: string): Promise<void> {
    const { store } = this.#context
    for (;;) {
      const keys = [...store.scan(`${name}/`, { limit: batch })].map(({ key }) => key)
      if (keys.length === 0) return
      await store.write((transaction) => {
        for (const key of keys) {
          const entry = transaction.get(key)
          if (entry !== undefined) transaction.delete(key, (revision) => encodeStored(parseStored(entry.bytes), revision))
        }
      })
    }
  }

  /** Once, and again when the server has moved: credentials that are out there stay good. */
  async #publishKubeconfig(cluster: JsonObject, { url, kubeconfig }: { readonly url: string; readonly kubeconfig: string }): Promise<void> {
    const root = this.#context.scope(rootCluster)
    const secrets = root?.catalog.stored('', 'secrets')
    if (root === undefined || secrets === undefined) return
    const owner = { apiVersion: 'windlass.dev/v1alpha1', kind: 'LogicalCluster', name: nameOf(cluster), uid: metadataOf(cluster).uid ?? '' }
    const name = secretName(nameOf(cluster))
    const data = { kubeconfig: Buffer.from(kubeconfig).toString('base64') }
    await actor.create(root, secrets, secretNamespace, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace: secretNamespace, ownerReferences: [owner] },
      type: 'Opaque',
      data,
    })
    await actor.change(root, secrets, { namespace: secretNamespace, name }, (secret) => {
      const published = isObject(secret.data) ? Buffer.from(text(secret.data.kubeconfig), 'base64').toString('utf8') : ''
      return published.includes(`server: ${url}\n`) ? secret : { ...secret, data }
    })
  }

  async #removeKubeconfig(name: string): Promise<void> {
    const root = this.#context.scope(rootCluster)
    const secrets = root?.catalog.stored('', 'secrets')
    if (root !== undefined && secrets !== undefined)
      await actor.remove(root, secrets, { namespace: secretNamespace, name: secretName(name) })
  }
}

export function secretName(cluster: string): string {
  return `${cluster}-kubeconfig`
}

function withFinalizers(object: JsonObject, change: (names: readonly string[]) => readonly string[]): JsonObject {
  const names = change(strings(metadataOf(object).finalizers))
  const { finalizers: _, ...rest } = metadataOf(object)
  return { ...object, metadata: names.length === 0 ? rest : { ...rest, finalizers: names } }
}

function withPhase(object: JsonObject, phase: string): JsonObject {
  const status = isObject(object.status) ? object.status : {}
  return status.phase === phase ? object : { ...object, status: { ...status, phase } }
}

function ready(object: JsonObject, url: string | undefined, now: Instant): JsonObject {
  const before = isObject(object.status) ? object.status : {}
  if (before.phase === 'Ready' && before.url === url && before.observedGeneration === metadataOf(object).generation) return object
  // Others may have conditions of their own on it.
  const conditions = isArray(before.conditions) ? before.conditions.filter(isObject) : []
  const serving = { type: 'Ready', status: 'True', reason: 'Serving', message: 'The API of this cluster is served.' }
  return {
    ...object,
    status: {
      ...before,
      phase: 'Ready',
      observedGeneration: metadataOf(object).generation ?? 0,
      conditions: setCondition<JsonObject>(conditions, serving, now),
      ...(url === undefined
        ? {}
        : { url, kubeconfigSecretRef: { namespace: secretNamespace, name: secretName(nameOf(object)), key: 'kubeconfig' } }),
    },
  }
}
