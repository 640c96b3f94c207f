import { ClusterVersion, MachineConfigPool, type Node } from '@windlass/api'
import { annotationChanged, changed, type ControllerDefinition, generationChanged, or, refOf, watching } from '@windlass/kube'
import { failureAnnotation } from '../../failures/index.ts'
import { Gathering } from '../gathering.ts'
import type { Settings } from '../settings.ts'
import { clusterVersions, progressAnnotation, versionRef } from '../version-operator/index.ts'
import { machineConfigs, nodes, pools } from './caches.ts'
import { decide, type Observed } from './decide.ts'
import { membersOf, poolOf } from './membership.ts'

/** The machine config operator's part that looks after pools. */
export function machineConfigPools(settings: Settings): ControllerDefinition<MachineConfigPool, Observed> {
  const gathering = new Gathering(settings)
  return {
    name: 'simulated-machine-config-pools',
    for: pools,
    predicate: or(
      generationChanged,
      annotationChanged(failureAnnotation),
      changed(({ status }: MachineConfigPool) => status),
    ),
    watches: [
      // Its labels decide in which pool it is, the rest how it is; a heartbeat is neither. A pool looks at all its nodes: not whenever one of them moves.
      gathering.watching(
        nodes,
        (node, cache) => [poolOf(node, cache.list(pools))].flatMap((pool) => (pool === undefined ? [] : [refOf(pool)])),
        changed(({ metadata, spec, status }: Node) => [
          metadata.labels,
          metadata.annotations,
          spec,
          status?.conditions?.map((each) => [each.type, each.status]),
        ]),
      ),
      watching(
        clusterVersions,
        (_, cache) => cache.list(pools).map(refOf),
        or(
          annotationChanged(progressAnnotation),
          changed(({ status }: ClusterVersion) => [status?.versionHash, status?.desired]),
        ),
      ),
    ],
    reads: [machineConfigs],
    sources: [gathering.source],
    observe(ref, cache) {
      const pool = cache.get(pools, ref)
      if (pool === undefined) return undefined
      const members = membersOf(pool, cache.list(nodes), cache.list(pools))
      return { pool, members, clusterVersion: cache.get(clusterVersions, versionRef), settings }
    },
    decide,
  }
}
