import type { EventReference, KubernetesObject, MachineConfig, Node, NodePool } from '@windlass/api'
import type { CacheChange, Ref } from '@windlass/kube'
import { parseKey } from '@windlass/kube'
import { controlPlaneNamespaceOf } from '@windlass/hosted'
import { upgradeConfigName } from '@windlass/upgrades'
import { classicRow, NodeTally, versionOfConfig } from '../answers/classic/index.ts'
import { hostedRow } from '../answers/hosted/index.ts'
import type { ClassicParts, HostedParts, TimedRow, Yardstick } from '../answers/index.ts'
import type { ClusterId, NodeCount, ObjectPlace } from '../contract/index.ts'
import {
  type AnyKind,
  clusterOperators,
  clusterVersions,
  components,
  type Feeds,
  healthInsights,
  hostedClusters,
  machineConfigPools,
  machineConfigs,
  type Member,
  nodePools,
  nodes,
  operatorInsights,
  poolInsights,
  type Side,
  sides,
  upgradeConfigs,
  versionInsights,
} from '../members/index.ts'
import type { ClusterObjects } from './objects.ts'

/** There is one. */
const clusterVersion: Ref = { name: 'version' }

/** What events of a classic cluster are about that tell of its updates. There are thousands about everything else. */
export const classicEventKinds: ReadonlySet<string> = new Set([
  'ClusterVersion',
  'ClusterOperator',
  'MachineConfigPool',
  'Node',
  'UpgradeConfig',
  'UpdateHealthInsight',
])

/**
 * The clusters of one member: which of them a change is about, and what is known of each.
 *
 * Nothing is kept here but the count of nodes: caches have the objects, and their indexes lead from a component or a pool to its cluster.
 */
export class MemberClusters {
  readonly member: Member
  readonly #tally = new NodeTally()

  constructor(member: Member) {
    this.member = member
  }

  /** The clusters that a change is about: one, as a rule. */
  touchedBy(of: AnyKind, change: CacheChange<KubernetesObject>): readonly ClusterId[] {
    // The kind of a cache is that of its objects.
    if (of === nodes && !this.#countNode(change as CacheChange<Node>)) return []
    const { object } = change
    const { namespace = '', name = '' } = object.metadata
    // Before all of a side has been read nothing is said about it, and then everything.
    if (of !== hostedClusters && of !== components && of !== nodePools) return this.member.hasFilled('Classic') ? [this.member.name] : []
    if (!this.member.hasFilled('Hosted')) return []
    if (of === components) return this.#inNamespace(namespace)
    return [this.#hostedId(namespace, of === nodePools ? (object as NodePool).spec.clusterName : name)]
  }

  /** All clusters of a side. */
  all(side: Side): readonly ClusterId[] {
    const { feeds } = this.member
    if (feeds === undefined || !this.member.hasFilled(side)) return []
    if (side === 'Classic') return feeds.get(clusterVersions, clusterVersion) === undefined ? [] : [this.member.name]
    return feeds.list(hostedClusters).map(({ metadata }) => this.#hostedId(metadata.namespace ?? '', metadata.name ?? ''))
  }

  /** How a cluster is now; undefined when there is none by that id, or none is known yet. */
  row(id: ClusterId, yardstick: Yardstick): TimedRow | undefined {
    const { member } = this
    const look = { now: member.asOf, yardstick, member: member.name, isCurrent: member.state === 'Synced' }
    const hosted = this.hosted(id)
    if (hosted !== undefined) return hostedRow(hosted, look)
    const classic = this.classic(id)
    return classic === undefined ? undefined : classicRow(classic, look)
  }

  hosted(id: ClusterId): HostedParts | undefined {
    const parts = this.hostedWithPools(id)
    if (parts === undefined) return undefined
    return { ...parts, components: this.member.feeds?.list(components, controlPlaneNamespaceOf(parts.hostedCluster)) ?? [] }
  }

  /** The same without components, for questions that are asked about all clusters at once. */
  hostedWithPools(id: ClusterId): Omit<HostedParts, 'components'> | undefined {
    const { feeds } = this.member
    const ref = this.#refOf(id)
    if (feeds === undefined || ref === undefined || !this.member.hasFilled('Hosted')) return undefined
    const hostedCluster = feeds.get(hostedClusters, ref)
    if (hostedCluster === undefined) return undefined
    return {
      hostedCluster,
      pools: feeds.byIndex(nodePools, 'cluster', `${ref.namespace ?? ''}/${ref.name}`).toSorted(byName),
      unreadPools: this.member.unreadBecause(nodePools),
    }
  }

  classic(id: ClusterId): ClassicParts | undefined {
    const { feeds } = this.member
    if (feeds === undefined || id !== this.member.name || !this.member.hasFilled('Classic')) return undefined
    const version = feeds.get(clusterVersions, clusterVersion)
    if (version === undefined) return undefined
    const progress = feeds.get(versionInsights, clusterVersion)
    const versionOf = (config: string): string => versionIn(feeds, config)
    const upgradeConfig = feeds.list(upgradeConfigs).find(({ metadata }) => metadata.name === upgradeConfigName)
    return {
      clusterVersion: version,
      operators: feeds.list(clusterOperators).toSorted(byName),
      machineConfigPools: feeds.list(machineConfigPools).toSorted(byName),
      versionOf,
      nodes: this.#nodes(versionOf),
      ...(upgradeConfig === undefined ? {} : { upgradeConfig }),
      ...(progress === undefined ? {} : { progress }),
      operatorProgress: feeds.list(operatorInsights),
      poolProgress: feeds.list(poolInsights),
      health: feeds.list(healthInsights).toSorted(byName),
    }
  }

  /** Everything that is in memory of a cluster. */
  objects(id: ClusterId): ClusterObjects | undefined {
    const { feeds, name: member, state } = this.member
    if (feeds === undefined) return undefined
    const hosted = this.hosted(id)
    const unread = sides[hosted === undefined ? 'Classic' : 'Hosted'].flatMap((of) => this.member.unreadBecause(of) ?? [])
    const common = { id, member, client: feeds.client, isCurrent: state === 'Synced', unread }
    if (hosted !== undefined) {
      const controlPlaneNamespace = controlPlaneNamespaceOf(hosted.hostedCluster)
      return { ...common, kind: 'Hosted', ...hosted, controlPlaneNamespace, components: hosted.components.toSorted(byName) }
    }
    const classic = this.classic(id)
    if (classic === undefined) return undefined
    const { versionOf: _, operatorProgress: __, poolProgress: ___, ...rest } = classic
    return { ...common, kind: 'Classic', ...rest }
  }

  /** The cluster that an object belongs to, and on which side of it that is; undefined when it belongs to none. */
  placeOf({
    kind = '',
    namespace = '',
    name = '',
  }: EventReference): { readonly id: ClusterId; readonly side: ObjectPlace['side'] } | undefined {
    const { feeds } = this.member
    if (kind === 'HostedCluster') return { id: this.#hostedId(namespace, name), side: 'management' }
    if (kind === 'NodePool' && namespace !== '') {
      const pool = feeds?.get(nodePools, { namespace, name })
      return pool === undefined ? undefined : { id: this.#hostedId(namespace, pool.spec.clusterName), side: 'management' }
    }
    const [id] = namespace === '' ? [] : this.#inNamespace(namespace)
    if (id !== undefined) return { id, side: 'management' }
    const isClassic = classicEventKinds.has(kind) && feeds?.get(clusterVersions, clusterVersion) !== undefined
    return isClassic ? { id: this.member.name, side: 'guest' } : undefined
  }

  #nodes(versionOf: (config: string) => string): NodeCount {
    const unknownBecause = this.member.unreadBecause(nodes)
    return { ...this.#tally.count(versionOf), ...(unknownBecause === undefined ? {} : { unknownBecause }) }
  }

  #hostedId(namespace: string, name: string): ClusterId {
    return `${this.member.name}/${namespace}/${name}`
  }

  #refOf(id: ClusterId): Ref | undefined {
    const prefix = `${this.member.name}/`
    const ref = id.startsWith(prefix) ? parseKey(id.slice(prefix.length)) : undefined
    return ref?.namespace === undefined ? undefined : ref
  }

  #inNamespace(namespace: string): readonly ClusterId[] {
    const clusters = this.member.feeds?.byIndex(hostedClusters, 'controlPlaneNamespace', namespace) ?? []
    return clusters.map(({ metadata }) => this.#hostedId(metadata.namespace ?? '', metadata.name ?? ''))
  }

  #countNode(change: CacheChange<Node>): boolean {
    const old = change.type === 'added' ? undefined : change.type === 'updated' ? change.old : change.object
    return this.#tally.replace(old, change.type === 'deleted' ? undefined : change.object)
  }
}

function versionIn(feeds: Feeds, config: string): string {
  const found: MachineConfig | undefined = feeds.get(machineConfigs, { name: config })
  return found === undefined ? '' : versionOfConfig(found)
}

function byName(a: KubernetesObject, b: KubernetesObject): number {
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1
}
