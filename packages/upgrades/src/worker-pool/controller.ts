import { ClusterVersion, MachineConfigPool, UpgradeConfig } from '@windlass/api'
import { type ControllerDefinition, every } from '@windlass/kube'
import { workerPoolName } from '../cluster/worker-pool.ts'
import type { UpgradeParts } from '../parts.ts'
import { upgradeConfigName } from '../upgrade-config/names.ts'
import { resyncMinutes } from '../upgrade-config/schedule.ts'
import { decidePool, isWorkerPool, type PoolView } from './decide.ts'

const clusterVersionRef = { name: 'version' }

/** Writes down when the workers began to change, and when all had. */
export function machineConfigPool({ namespace, minute }: UpgradeParts): ControllerDefinition<MachineConfigPool, PoolView> {
  return {
    name: 'machine-config-pool',
    for: MachineConfigPool,
    predicate: ({ object }) => isWorkerPool(object),
    reads: [UpgradeConfig, ClusterVersion],
    sources: [every(resyncMinutes * minute, () => [{ name: workerPoolName }])],
    observe: (ref, cache) => {
      const pool = cache.get(MachineConfigPool, ref)
      const clusterVersion = cache.get(ClusterVersion, clusterVersionRef)
      if (pool === undefined || clusterVersion === undefined) return undefined
      return { pool, clusterVersion, upgradeConfig: cache.get(UpgradeConfig, { namespace, name: upgradeConfigName }) }
    },
    decide: decidePool,
  }
}
