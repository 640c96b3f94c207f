import type { MachineConfig, Node } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import { clusterVersion, clusterVersions, machineConfigPools, machineConfigs, nodes } from '../caches.ts'
import { versionAnnotation } from './annotations.ts'
import { Census, type NodeCounts } from './census.ts'
import type { NodeStateMetrics } from './metrics.ts'
import { evaluateNode, type NodeState } from './node-state.ts'
import { type Pool, poolFrom, poolOf } from './pools.ts'

/** What all nodes are judged against: the same object as long as nothing of it changes. */
export interface NodeSurroundings {
  readonly pools: readonly Pool[]
  /** Undefined when there is no cluster version: nothing can be said then. */
  readonly target: string | undefined
  readonly versionOf: (config: string) => string | undefined
}

interface Known {
  readonly node: Node
  readonly surroundings: NodeSurroundings
  readonly state: NodeState | undefined
}

/**
 * The states of all nodes, shared by the controllers of nodes and of pools. Each is worked out once for every change of what it is made from,
 * however many ask, and counted when it is: a pool that asks how its nodes are gets sums, and waits only for those that have changed since it last asked.
 *
 * It holds nothing that could not be worked out again: objects are immutable, so that what was made from the same ones is still true.
 */
export class NodeStates {
  readonly #known = new Map<string, Known>()
  readonly #metrics: NodeStateMetrics | undefined
  readonly #census = new Census()
  /** Nodes that may not be any more as they were when they were counted. */
  readonly #changed = new Set<string>()
  #surroundings: NodeSurroundings = { pools: [], target: undefined, versionOf: () => undefined }
  #configs: readonly MachineConfig[] = []
  /** What those were judged against who are counted; undefined before the first count. */
  #countedAgainst: NodeSurroundings | undefined

  constructor(metrics?: NodeStateMetrics) {
    this.#metrics = metrics
    metrics?.counts(() => this.#phases())
  }

  /** What the caches say now. */
  surroundings(cache: CacheReader): NodeSurroundings {
    const clusterVersionNow = cache.get(clusterVersions, clusterVersion)
    const target = clusterVersionNow === undefined ? undefined : (clusterVersionNow.status?.history?.[0]?.version ?? '')
    const pools = cache.list(machineConfigPools).map(poolFrom)
    const configs = cache.list(machineConfigs)
    const before = this.#surroundings
    if (target === before.target && areEqual(configs, this.#configs) && areSame(pools, before.pools)) return before
    this.#configs = configs
    const versions = new Map(configs.map(({ metadata }) => [metadata.name ?? '', metadata.annotations?.[versionAnnotation]]))
    this.#surroundings = { pools, target, versionOf: (config) => versions.get(config) || undefined }
    return this.#surroundings
  }

  /** Undefined for a node that is in no pool, and when there is no cluster version. */
  of(node: Node, surroundings: NodeSurroundings): NodeState | undefined {
    const { pools, target, versionOf } = surroundings
    if (target === undefined) return undefined
    const name = node.metadata.name ?? ''
    const known = this.#known.get(name)
    if (known?.node === node && known.surroundings === surroundings) return known.state
    const begun = this.#metrics?.monotonic() ?? 0
    const pool = poolOf(node.metadata.labels, pools)
    const state = pool === undefined ? undefined : evaluateNode(node, pool, { version: target, versionOf })
    this.#census.replace(known?.state, state)
    this.#known.set(name, { node, surroundings, state })
    this.#metrics?.evaluated((this.#metrics.monotonic() - begun) / 1000)
    return state
  }

  /** A node has come, has changed or has gone. */
  note({ metadata: { name = '' } }: Node): void {
    this.#changed.add(name)
  }

  /** How the nodes of a pool are; undefined when there is no cluster version. Caveat: a change of a node that nobody has noted is not in it. */
  countsIn(pool: string, cache: CacheReader): NodeCounts | undefined {
    const surroundings = this.surroundings(cache)
    if (surroundings.target === undefined) return undefined
    for (const name of this.#changed) {
      const node = cache.get(nodes, { name })
      if (node === undefined) this.forget(name)
      else this.of(node, surroundings)
    }
    this.#changed.clear()
    if (this.#countedAgainst !== surroundings) for (const node of cache.list(nodes)) this.of(node, surroundings)
    this.#countedAgainst = surroundings
    return this.#census.of(pool)
  }

  /** The same function, and how long it takes to tell whom a change of a node concerns is counted. */
  timed<Arguments extends readonly unknown[], Result>(tell: (...given: Arguments) => Result): (...given: Arguments) => Result {
    const metrics = this.#metrics
    if (metrics === undefined) return tell
    return (...given) => {
      const begun = metrics.monotonic()
      const result = tell(...given)
      metrics.notified((metrics.monotonic() - begun) / 1000)
      return result
    }
  }

  /** The node is gone. */
  forget(name: string): void {
    this.#census.replace(this.#known.get(name)?.state, undefined)
    this.#known.delete(name)
  }

  #phases(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>()
    for (const { state } of this.#known.values()) if (state !== undefined) counts.set(state.phase, (counts.get(state.phase) ?? 0) + 1)
    return counts
  }
}

/** Caches keep the objects that have not changed. */
function areEqual(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a === b || (a.length === b.length && a.every((each, index) => each === b[index]))
}

/** Selectors by reference: caches keep what has not changed. */
function areSame(a: readonly Pool[], b: readonly Pool[]): boolean {
  return (
    a.length === b.length &&
    a.every((pool, index) => {
      const other = b[index]
      return (
        other !== undefined &&
        pool.name === other.name &&
        pool.selector === other.selector &&
        pool.isPaused === other.isPaused &&
        pool.isLayered === other.isLayered
      )
    })
  )
}
