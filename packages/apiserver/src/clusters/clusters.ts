import { bootstrapRbac, RbacAuthorizer, type RbacKind } from '../auth/index.ts'
import { isObject, type JsonObject } from '../json.ts'
import type { Catalog } from '../registry/catalog.ts'
import { isBeingDeleted, metadataOf, text } from '../registry/object-meta.ts'
import { parseStored } from '../registry/stored.ts'
import { objectKey, parseKey } from '../storage/keys.ts'
import type { Change } from '../storage/store.ts'
import { Cluster, type ClusterParts } from './cluster.ts'

/** The cluster at `/`. It holds the objects that stand for all others. */
export const rootCluster = 'root'

export const logicalClusterGroup = 'windlass.dev'
export const logicalClusterResource = 'logicalclusters'

/**
 * All logical clusters of a server. Apart from the root they exist as LogicalCluster objects; what is derived from their contents is
 * loaded when somebody first asks.
 */
export class Clusters {
  readonly root: Cluster
  readonly #parts: ClusterParts
  readonly #builtin: Catalog
  readonly #loaded = new Map<string, Cluster>()
  /** Which clusters are open, of those that were asked for since their objects changed: reading the object takes as long as answering a short request. */
  readonly #open = new Map<string, boolean>()
  readonly #onLoad: (cluster: Cluster) => void

  constructor(parts: ClusterParts, builtin: Catalog, onLoad: (cluster: Cluster) => void) {
    this.#parts = parts
    this.#builtin = builtin
    this.#onLoad = onLoad
    this.root = new Cluster(rootCluster, parts, builtin, undefined)
    this.#loaded.set(rootCluster, this.root)
  }

  names(): Iterable<string> {
    return this.#loaded.keys()
  }

  get(name: string): Cluster | undefined {
    return this.#get(name, [])
  }

  /** One that somebody has asked for already. */
  loaded(name: string): Cluster | undefined {
    return this.#loaded.get(name)
  }

  /** The LogicalCluster object behind a name. */
  object(name: string): JsonObject | undefined {
    const entry = this.#parts.store.get(clusterKey(name))
    return entry === undefined ? undefined : parseStored(entry.bytes)
  }

  /** Whether requests are still answered: a cluster that is being deleted is closed to everybody. */
  isOpen(name: string): boolean {
    if (name === rootCluster) return true
    let isOpen = this.#open.get(name)
    if (isOpen === undefined) {
      const object = this.object(name)
      isOpen = object !== undefined && !isBeingDeleted(object)
      // Names that nobody has given to a cluster are not worth remembering, and there is no end to them.
      if (object !== undefined) this.#open.set(name, isOpen)
    }
    return isOpen
  }

  uid(name: string): string | undefined {
    const object = this.object(name)
    return object === undefined ? undefined : text(metadataOf(object).uid)
  }

  forget(name: string): void {
    this.#loaded.delete(name)
  }

  /** Keeps what was derived in step with what is stored. */
  observe(change: Change): void {
    const { cluster, group, resource, name } = parseKey(change.key)
    if (resource === logicalClusterResource && group === logicalClusterGroup && cluster === rootCluster) this.#open.delete(name)
    this.#loaded.get(cluster)?.observe(change)
  }

  /** `path` holds the clusters that wait for this one as their template. One that waits for itself has none. */
  #get(name: string, path: readonly string[]): Cluster | undefined {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known
    const object = path.includes(name) ? undefined : this.object(name)
    return object === undefined ? undefined : this.#load(name, object, [...path, name])
  }

  /** A cluster made from a template sees its CustomResourceDefinitions without having them; all share the default roles. */
  #load(name: string, object: JsonObject, path: readonly string[]): Cluster {
    const spec = isObject(object.spec) ? object.spec : {}
    const template = text(spec.template) === '' ? undefined : this.#get(text(spec.template), path)
    const cluster = new Cluster(name, this.#parts, template?.catalog ?? this.#builtin, defaultRoles())
    cluster.load()
    this.#loaded.set(name, cluster)
    this.#onLoad(cluster)
    return cluster
  }
}

let roles: RbacAuthorizer | undefined

/** The default roles and bindings, once for all logical clusters: they would be most of what an empty one stores. */
function defaultRoles(): RbacAuthorizer {
  if (roles !== undefined) return roles
  roles = new RbacAuthorizer()
  for (const object of bootstrapRbac()) roles.set(object.kind as RbacKind, object)
  return roles
}

export function clusterKey(name: string): string {
  return objectKey({ cluster: rootCluster, group: logicalClusterGroup, resource: logicalClusterResource, namespace: '', name })
}
