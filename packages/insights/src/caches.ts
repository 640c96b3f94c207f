import { ClusterOperator, ClusterVersion, MachineConfig, MachineConfigPool, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import { cached } from '@windlass/kube'
import { configsOf } from './node/annotations.ts'

/** The one that there is. */
export const clusterVersion = { name: 'version' } as const

export const clusterVersions = cached(ClusterVersion, { keeps: ['status'] })
export const clusterOperators = cached(ClusterOperator, { keeps: ['status.versions', 'status.conditions'] })
export const machineConfigPools = cached(MachineConfigPool, { keeps: ['spec.nodeSelector', 'spec.paused', 'status.conditions'] })

/** Only which version it is of: the files in it are megabytes. */
export const machineConfigs = cached(MachineConfig, { keeps: [] })
export const nodes = cached(Node, { keeps: ['spec.unschedulable', 'status.conditions'], indexes: { config: configsOf } })

/** By node. Of a Pod only labels and owners are of interest; annotations are most of what it has besides. */
export const pods = cached(Pod, {
  keeps: ['spec.nodeName', 'status.phase'],
  drops: ['metadata.annotations'],
  indexes: { node: ({ spec }) => (spec.nodeName === undefined ? [] : [spec.nodeName]) },
})
export const disruptionBudgets = cached(PodDisruptionBudget, { keeps: ['spec.selector', 'status.disruptionsAllowed'] })
