import { MachineConfigPoolProgressInsight, type Node } from '@windlass/api'
import { type CacheReader, changed, type ControllerDefinition, type Ref, refOf, watching } from '@windlass/kube'
import { clusterVersion, clusterVersions, machineConfigPools, machineConfigs, nodes } from '../caches.ts'
import { updateChanged } from '../cluster-operator/index.ts'
import { gateWatches, healthOf, isInProgress, watchingHealth } from '../health/index.ts'
import type { InsightMode } from '../mode.ts'
import { signsOf } from '../node/annotations.ts'
import { updateOf } from '../records/index.ts'
import { configChanged, type NodeStates, poolChanged, poolOf } from '../node/index.ts'
import { decide, type Observed } from './decide.ts'

/** Keeps a MachineConfigPoolProgressInsight, and health insights, for each MachineConfigPool. */
export function machineConfigPoolInsights(
  mode: InsightMode,
  states: NodeStates,
): ControllerDefinition<MachineConfigPoolProgressInsight, Observed> {
  const isExtended = mode === 'extended'
  const poolsOf = (node: Node, cache: CacheReader): readonly Ref[] => {
    const pool = poolOf(node.metadata.labels, states.surroundings(cache).pools)
    return pool === undefined ? [] : [{ name: pool.name }]
  }
  const noted = (node: Node, cache: CacheReader): readonly Ref[] => {
    states.note(node)
    return poolsOf(node, cache)
  }
  return {
    name: 'machine-config-pool-insight',
    for: MachineConfigPoolProgressInsight,
    watches: [
      watching(machineConfigPools, (pool) => [refOf(pool)]),
      // A selector that takes a node into one pool takes it out of another.
      watching(machineConfigPools, (_, cache) => everyPool(cache), poolChanged),
      // Asked about a node as it is and as it was: one that moves concerns both pools.
      watching(nodes, states.timed(noted), changed(signsOf)),
      watching(
        machineConfigs,
        ({ metadata }, cache) => cache.byIndex(nodes, 'config', metadata.name ?? '').flatMap((node) => poolsOf(node, cache)),
        configChanged,
      ),
      watching(clusterVersions, ({ metadata }, cache) => (metadata.name === clusterVersion.name ? everyPool(cache) : []), updateChanged),
      watchingHealth('machineconfigpool'),
      ...(isExtended ? gateWatches(everyPool) : []),
    ],
    observe: ({ name }, cache) => ({
      name,
      pool: cache.get(machineConfigPools, { name }),
      counts: states.countsIn(name, cache),
      insight: cache.get(MachineConfigPoolProgressInsight, { name }),
      health: healthOf('machineconfigpool', name, cache),
      isInProgress: isExtended && isInProgress(cache),
      update: isExtended ? updateOf(cache.get(clusterVersions, clusterVersion)) : undefined,
    }),
    decide: (observed, now) => decide(observed, now, mode),
  }
}

const everyPool = (cache: CacheReader): readonly Ref[] => cache.list(machineConfigPools).map(refOf)
