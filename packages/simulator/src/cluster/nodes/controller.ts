import { Node, Pod } from '@windlass/api'
import {
  annotationChanged,
  type AsyncControllerDefinition,
  cached,
  changed,
  type ControllerDefinition,
  evict,
  hasToLeave,
  or,
  refOf,
  watching,
} from '@windlass/kube'
import { failureAnnotation } from '../../failures/index.ts'
import { annotationOf, machineConfigs, nodeAnnotations, nodes, poolOf, pools, versionOf } from '../machine-config/index.ts'
import type { Settings } from '../settings.ts'
import { clusterVersions, versionRef } from '../version-operator/index.ts'
import { decide, type Observed } from './decide.ts'
import { afterAttempt, isDraining, isHeld } from './drain.ts'

/** Declared once, so that everybody who drains nodes shares it. */
export const podsOnNodes = cached(Pod, { indexes: { node: ({ spec }: Pod) => (spec.nodeName === undefined ? [] : [spec.nodeName]) } })

/** The machine config daemons and the kubelets of all nodes, as far as updates concern them. */
export function machineConfigDaemons(settings: Settings): ControllerDefinition<Node, Observed> {
  return {
    name: 'simulated-machine-config-daemons',
    for: nodes,
    predicate: or(
      annotationChanged(failureAnnotation, ...Object.values(nodeAnnotations)),
      changed(({ spec, status }: Node) => [spec, status?.conditions?.map(({ type, status: value }) => [type, value])]),
    ),
    // A node that has just joined waits for the config of its pool.
    watches: [
      watching(
        pools,
        (_, cache) =>
          cache
            .list(nodes)
            .filter((node) => annotationOf(node, 'currentConfig') === '')
            .map(refOf),
        changed(({ spec }) => spec),
      ),
    ],
    reads: [machineConfigs, clusterVersions],
    maxConcurrent: 16,
    observe(ref, cache) {
      const node = cache.get(nodes, ref)
      if (node === undefined) return undefined
      const pool = poolOf(node, cache.list(pools))
      return {
        node,
        pool,
        version: versionOf(cache.get(machineConfigs, { name: annotationOf(node, 'desiredConfig') })),
        // A node without others runs the control plane too: thousands of workers need not be listed at every step of each.
        isAlone: pool?.metadata.name === 'master' && cache.list(nodes).length === 1,
        clusterID: cache.get(clusterVersions, versionRef)?.spec.clusterID ?? '',
        settings,
      }
    },
    decide,
  }
}

/**
 * Drains nodes. It is no pure decision, because only the server can say whether a Pod may be evicted: budgets are spent in the same transaction.
 */
export function nodeDrains(settings: Settings): AsyncControllerDefinition<Node> {
  return {
    name: 'simulated-node-drains',
    for: nodes,
    predicate: annotationChanged(failureAnnotation, nodeAnnotations.desiredDrain, nodeAnnotations.lastAppliedDrain),
    watches: [
      // The last Pod is gone. Before that there is nothing to do but to try again when it is time.
      watching(
        podsOnNodes,
        ({ spec: { nodeName = '' } }, cache) => {
          const node = cache.get(nodes, { name: nodeName })
          const isOver = !cache.byIndex(podsOnNodes, 'node', nodeName).some(hasToLeave)
          return node !== undefined && isOver && isDraining(node) ? [{ name: nodeName }] : []
        },
        ({ type }) => type === 'deleted',
      ),
    ],
    maxConcurrent: 16,
    // The server may ask for patience with a budget that it has not looked at yet.
    timeout: 10 * 60_000,
    async reconcile(ref, { cache, client, clock, signal }) {
      const node = cache.get(nodes, ref)
      if (node === undefined || !isDraining(node)) return { actions: [] }
      const present = cache.byIndex(podsOnNodes, 'node', ref.name).filter(hasToLeave)
      const going = present.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      const gone = isHeld(node) ? [] : await Promise.all(going.map((pod) => evict(client, pod, signal)))
      return afterAttempt(node, present.length - gone.filter((is) => is === 'gone').length, settings, clock.now())
    },
  }
}
