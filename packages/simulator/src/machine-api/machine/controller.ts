import type { machineApi, Node } from '@windlass/api'
import { type AsyncControllerDefinition, changed, done, evict, hasToLeave, type ReconcileContext, refOf, watching } from '@windlass/kube'
import { annotationOf, machineConfigs, nodes, poolOf, pools, versionOf } from '../../cluster/machine-config/index.ts'
import { podsOnNodes } from '../../cluster/nodes/index.ts'
import { clusterVersions, versionRef } from '../../cluster/version-operator/index.ts'
import { machines, nodeNameOf } from '../caches.ts'
import type { Settings } from '../settings.ts'
import { advance } from './advance.ts'
import { isToBeDrained, leave } from './leave.ts'

/** What the provider does, and the machines themselves: from the Machine to its Node, and back. No pure decision, because only the server can say whether a Pod may go. */
export function machineController(settings: Settings): AsyncControllerDefinition<machineApi.Machine> {
  return {
    name: 'simulated-machine-api-machines',
    for: machines,
    watches: [
      watching(
        nodes,
        ({ metadata }, cache) => cache.byIndex(machines, 'node', metadata.name ?? '').map(refOf),
        changed(({ metadata, spec, status }: Node) => [
          metadata.annotations,
          spec,
          status?.conditions?.map(({ type, status: is }) => [type, is]),
        ]),
      ),
      // The last Pod is gone. Before that there is nothing to do but to try again when it is time.
      watching(
        podsOnNodes,
        ({ spec: { nodeName = '' } }, cache) =>
          cache.byIndex(podsOnNodes, 'node', nodeName).some(hasToLeave)
            ? []
            : cache
                .byIndex(machines, 'node', nodeName)
                .filter(({ metadata }) => metadata.deletionTimestamp !== undefined)
                .map(refOf),
        ({ type }) => type === 'deleted',
      ),
    ],
    reads: [pools, machineConfigs, clusterVersions],
    maxConcurrent: 16,
    timeout: 10 * 60_000,
    async reconcile(ref, context) {
      const { cache, clock } = context
      const machine = cache.get(machines, ref)
      if (machine === undefined) return done
      const node = cache.get(nodes, { name: nodeNameOf(machine) })
      if (machine.metadata.deletionTimestamp === undefined) {
        return advance({ machine, node, version: node === undefined ? undefined : firstVersionOf(node, context), settings }, clock.now())
      }
      const left = node === undefined ? 0 : await podsLeft(machine, node, context)
      return leave({ machine, node, left, settings }, clock.now())
    },
  }
}

/** The release that a new node starts with: that of the config of its pool; where no pool wants it, that of the cluster. */
function firstVersionOf(node: Node, { cache }: ReconcileContext): string | undefined {
  const version = versionOf(cache.get(machineConfigs, { name: annotationOf(node, 'currentConfig') }))
  if (version !== undefined) return version
  if (poolOf(node, cache.list(pools)) !== undefined) return undefined
  return cache.get(clusterVersions, versionRef)?.status?.desired.version ?? ''
}

/** Asks all Pods of a node to go that have to; says how many are still there. Budgets are honoured. */
async function podsLeft(machine: machineApi.Machine, node: Node, { cache, client, signal }: ReconcileContext): Promise<number> {
  const present = cache.byIndex(podsOnNodes, 'node', node.metadata.name ?? '').filter(hasToLeave)
  if (!isToBeDrained(machine, node)) return present.length
  const staying = present.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const asked = await Promise.all(staying.map((pod) => evict(client, pod, signal)))
  return present.length - asked.filter((is) => is === 'gone').length
}
