import { ClusterOperator, type ClusterVersion, MachineConfig, MachineConfigPool, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import { type ClusterInsights, configsOf, insightsOnTheSpot } from '@windlass/insights'
import type { Source } from '../source.ts'

/** The insights into a cluster, worked out from its objects. */
export async function insightsFromObjects(source: Source, clusterVersion: ClusterVersion): Promise<ClusterInsights> {
  const [operators, pools, nodes] = await Promise.all([source.list(ClusterOperator), source.list(MachineConfigPool), source.list(Node)])
  // One by one: a MachineConfig has megabytes of files in it, and few of them are in use.
  const names = [...new Set(nodes.flatMap(configsOf))].toSorted()
  const configs = await Promise.all(names.map((name) => source.find(MachineConfig, { name })))
  const moving = nodes.filter((node) => configsOf(node).length > 1)
  const pods = await Promise.all(moving.map(({ metadata: { name = '' } }) => source.list(Pod, { nodeName: name })))
  const budgets = moving.length === 0 ? [] : await source.list(PodDisruptionBudget)
  return insightsOnTheSpot(
    { clusterVersion, operators, pools, configs: configs.filter((config) => config !== undefined), nodes, pods: pods.flat(), budgets },
    source.now(),
  )
}
