import type { Node } from '@windlass/api'
import type { CacheReader } from '@windlass/kube'
import { clusterVersion, clusterVersions, machineConfigPools, machineConfigs } from '../caches.ts'
import { notesOn, versionAnnotation } from './annotations.ts'
import type { NodeStateMetrics } from './metrics.ts'
import { evaluateNode, type NodeState } from './node-state.ts'
import { type Pool, poolFrom, poolOf } from './pools.ts'

/** What all nodes are judged against at one moment. */
export interface NodeSurroundings {
  readonly pools: readonly Pool[]
  /** Undefined when there is no cluster version: nothing can be said then. */
  readonly target: string | undefined
  readonly versionOf: (config: string) => string | undefined
}

interface Known {
  readonly node: Node
  readonly pools: readonly Pool[]
  readonly target: string
  readonly current: string | undefined
  readonly desired: string | undefined
  readonly state: NodeState | undefined
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
  #pools: readonly Pool[] = []

  constructor(metrics?: NodeStateMetrics) {
    this.#metrics = metrics
    metrics?.counts(() => this.#phases())
  }

  /** What the caches say now. */
  surroundings(cache: CacheReader): NodeSurroundings {
    const target = cache.get(clusterVersions, clusterVersion)
    const pools = cache.list(machineConfigPools).map(poolFrom)
    if (!areSame(this.#pools, pools)) this.#pools = pools
    return {
      pools: this.#pools,
      target: target === undefined ? undefined : (target.status?.history?.[0]?.version ?? ''),
      versionOf: (config) => versionIn(cache, config),
    }
  }

  /** Undefined for a node that is in no pool, and when there is no cluster version. */
  of(node: Node, { pools, target, versionOf }: NodeSurroundings): NodeState | undefined {
    if (target === undefined) return undefined
    const { currentConfig, desiredConfig } = notesOn(node)
    const [current, desired] = [versionOf(currentConfig), versionOf(desiredConfig)]
    const name = node.metadata.name ?? ''
    const known = this.#known.get(name)
    if (
      known?.node === node &&
      known.pools === pools &&
      known.target === target &&
      known.current === current &&
      known.desired === desired
    ) {
      return known.state
    }
    const begun = this.#metrics?.monotonic() ?? 0
    const pool = poolOf(node.metadata.labels, pools)
    const state = pool === undefined ? undefined : evaluateNode(node, pool, { version: target, versionOf })
    this.#known.set(name, { node, pools, target, current, desired, state })
    this.#metrics?.evaluated((this.#metrics.monotonic() - begun) / 1000)
    return state
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

function versionIn(cache: CacheReader, config: string): string | undefined {
  const version = config === '' ? undefined : cache.get(machineConfigs, { name: config })?.metadata.annotations?.[versionAnnotation]
  return version === '' ? undefined : version
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
