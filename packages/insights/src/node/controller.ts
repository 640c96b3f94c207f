import { type MachineConfig, type MachineConfigPool, NodeProgressInsight } from '@windlass/api'
import { type CacheReader, changed, type ControllerDefinition, type Ref, refOf, watching } from '@windlass/kube'
import { clusterVersion, clusterVersions, disruptionBudgets, machineConfigPools, machineConfigs, nodes, pods } from '../caches.ts'
import { updateChanged } from '../cluster-operator/index.ts'
import { gateWatches, healthOf, isInProgress, watchingHealth } from '../health/index.ts'
import type { InsightMode } from '../mode.ts'
import { signsOf, versionAnnotation } from './annotations.ts'
import { decide, type Observed } from './decide.ts'
import { blockingBudgets, type BudgetName } from './drain.ts'
import type { NodeStates } from './node-states.ts'
import { poolFrom } from './pools.ts'

/** Keeps a NodeProgressInsight, and health insights, for each node that is in a pool. */
export function nodeInsights(mode: InsightMode, states: NodeStates, speed = 1): ControllerDefinition<NodeProgressInsight, Observed> {
  const isExtended = mode === 'extended'
  return {
    name: 'node-insight',
    for: NodeProgressInsight,
    watches: [
      watching(nodes, (node) => [refOf(node)], changed(signsOf)),
      watching(machineConfigPools, (_, cache) => everyNode(cache), poolChanged),
      watching(machineConfigs, ({ metadata }, cache) => cache.byIndex(nodes, 'config', metadata.name ?? '').map(refOf), configChanged),
      watching(clusterVersions, ({ metadata }, cache) => (metadata.name === clusterVersion.name ? everyNode(cache) : []), updateChanged),
      watchingHealth('node'),
      ...(isExtended ? gateWatches(everyNode) : []),
    ],
    ...(isExtended ? { reads: [pods, disruptionBudgets] } : {}),
    maxConcurrent: 4,
    observe: ({ name }, cache) => {
      const state = stateOf(name, cache, states)
      const isWatched = isExtended && isInProgress(cache)
      const isDraining = typeof state === 'object' && state.phase === 'Draining'
      return {
        name,
        state,
        insight: cache.get(NodeProgressInsight, { name }),
        health: healthOf('node', name, cache),
        isInProgress: isWatched,
        budgets: isWatched && isDraining ? budgetsAgainst(name, cache) : [],
      }
    },
    decide: (observed, now) => decide(observed, now, speed),
  }
}

/** What of a pool decides about its nodes. */
export const poolChanged = changed((pool: MachineConfigPool) => poolFrom(pool))

/** Of a machine config only the version is of interest; it is almost always the same from beginning to end. */
export const configChanged = changed(({ metadata }: MachineConfig) => metadata.annotations?.[versionAnnotation])

const everyNode = (cache: CacheReader): readonly Ref[] => cache.list(nodes).map(refOf)

function stateOf(name: string, cache: CacheReader, states: NodeStates): Observed['state'] {
  const node = cache.get(nodes, { name })
  if (node === undefined) {
    states.forget(name)
    return 'none'
  }
  const surroundings = states.surroundings(cache)
  return surroundings.target === undefined ? 'unknown' : (states.of(node, surroundings) ?? 'none')
}

function budgetsAgainst(node: string, cache: CacheReader): readonly BudgetName[] {
  return blockingBudgets(cache.byIndex(pods, 'node', node), (namespace) => cache.list(disruptionBudgets, { namespace }))
}
