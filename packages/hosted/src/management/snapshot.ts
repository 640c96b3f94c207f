import type { HostedCluster, KubernetesObject, Resource } from '@windlass/api'
import type { CachedKind, CacheReader } from '@windlass/kube'
import { clusterKeyOf } from '../hosted-cluster/namespace-name.ts'
import type { ListSelection, Snapshot } from '../hosted-cluster/snapshot.ts'
import { Label } from '../hosted-cluster/wire.ts'
import { clusterRoleBindings, clusterRoles, nodePools, secrets } from './kinds.ts'
import type { ServedKinds } from './served-kinds.ts'

/**
 * The management cluster, as the caches show it. Objects are found by name; lists that would have to look through everything go through an index.
 * Of a kind that is not served there is nothing.
 *
 * Caveat: of NodePools, a snapshot for a cluster lists those of that cluster only.
 */
export function snapshotOf(cache: CacheReader, served: ServedKinds, cluster?: HostedCluster): Snapshot {
  return {
    find: (kind, ref) => (served.has(kind) ? cache.get(kind, ref) : undefined),
    list: (kind, selection = {}) => {
      if (!served.has(kind)) return []
      const { namespace, labels = {} } = selection
      const wanted = Object.entries(labels)
      return candidates(cache, kind, selection, cluster).filter(
        ({ metadata }) =>
          (namespace === undefined || metadata.namespace === namespace) &&
          wanted.every(([label, value]) => metadata.labels?.[label] === value),
      )
    },
    serves: (kind) => served.has(kind),
  }
}

interface Shortcut {
  readonly kind: Resource
  /** The value to look up; undefined when the index is of no use for this list. */
  value(selection: ListSelection, cluster: HostedCluster | undefined): string | undefined
  look(cache: CacheReader, value: string): readonly KubernetesObject[]
}

function shortcut<T extends KubernetesObject, Index extends string>(
  of: CachedKind<T, Index>,
  index: Index,
  value: Shortcut['value'],
): Shortcut {
  return { kind: of.kind, value, look: (cache, wanted) => cache.byIndex(of, index, wanted) }
}

const byLabel =
  (label: string): Shortcut['value'] =>
  ({ labels }) =>
    labels?.[label]

const shortcuts: readonly Shortcut[] = [
  shortcut(nodePools, 'cluster', (_, cluster) => (cluster === undefined ? undefined : clusterKeyOf(cluster))),
  shortcut(secrets, 'infra', byLabel(Label.madeForInfra)),
  shortcut(clusterRoles, 'owner', byLabel(Label.ownerName)),
  shortcut(clusterRoleBindings, 'owner', byLabel(Label.ownerName)),
]

const indexed: ReadonlyMap<Resource, Shortcut> = new Map(shortcuts.map((each) => [each.kind, each]))

function candidates<T extends KubernetesObject>(
  cache: CacheReader,
  kind: Resource<T>,
  selection: ListSelection,
  cluster: HostedCluster | undefined,
): readonly T[] {
  const way = indexed.get(kind)
  const value = way?.value(selection, cluster)
  // An index holds objects of its own kind.
  if (way !== undefined && value !== undefined) return way.look(cache, value) as readonly T[]
  return cache.list(kind, selection.namespace === undefined ? {} : { namespace: selection.namespace })
}
