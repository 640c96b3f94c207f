import type { MachineConfig, Node } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import { clusterVersion, clusterVersions, machineConfigPools, machineConfigs } from '../caches.ts'
import { versionAnnotation } from './annotations.ts'
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

/** Nodes by the pools they are in. */
interface Sorted {
  readonly nodes: readonly Node[]
  readonly surroundings: NodeSurroundings
  readonly pools: ReadonlyMap<string, readonly NodeState[]>
}

/**
 * The states of all nodes, shared by the controllers of nodes and of pools. Each is worked out once for every change of what it is made from,
 * however many ask: a pool asks about all its nodes whenever one of them has changed.
 *
 * It holds nothing that could not be worked out again: objects are immutable, so that what was made from the same ones is still true.
 */
export class NodeStates {
  readonly #known = new Map<string, Known>()
  readonly #metrics: NodeStateMetrics | undefined
  #surroundings: NodeSurroundings = { pools: [], target: undefined, versionOf: () => undefined }
  #configs: readonly MachineConfig[] = []
  #sorted: Sorted = { nodes: [], surroundings: this.#surroundings, pools: new Map() }

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
    this.#known.set(name, { node, surroundings, state })
    this.#metrics?.evaluated((this.#metrics.monotonic() - begun) / 1000)
    return state
  }

  /** Of all nodes of a pool. Nothing is done when no node has changed since somebody asked for any pool. */
  inPool(pool: string, nodes: readonly Node[], surroundings: NodeSurroundings): readonly NodeState[] {
    if (this.#sorted.nodes !== nodes || this.#sorted.surroundings !== surroundings) {
      const pools = new Map<string, NodeState[]>()
      for (const node of nodes) {
        const state = this.of(node, surroundings)
        if (state === undefined) continue
        const found = pools.get(state.pool.name)
        if (found === undefined) pools.set(state.pool.name, [state])
        else found.push(state)
      }
      this.#sorted = { nodes, surroundings, pools }
    }
    return this.#sorted.pools.get(pool) ?? []
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
