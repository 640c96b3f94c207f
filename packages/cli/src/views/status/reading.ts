import {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  HostedCluster,
  MachineConfig,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  Node,
  NodeProgressInsight,
  Pod,
  PodDisruptionBudget,
  UpdateHealthInsight,
} from '@windlass/api'
import { type ClusterInsights, configsOf, insightsOnTheSpot, type Learned, learnFrom } from '@windlass/insights'
import { Failure } from '../../failures.ts'
import { keyOf } from '../hosted-clusters.ts'
import type { Source } from '../source.ts'

const version = { name: 'version' } as const

/** The insights into a standalone cluster: those that are kept there, or the same worked out from its objects. */
export async function readInsights(source: Source): Promise<ClusterInsights> {
  const clusterVersion = await source.find(ClusterVersionProgressInsight, version)
  if (clusterVersion === undefined) return insightsFromObjects(source)
  const [operators, pools, nodes, health] = await Promise.all([
    source.list(ClusterOperatorProgressInsight),
    source.list(MachineConfigPoolProgressInsight),
    source.list(NodeProgressInsight),
    source.list(UpdateHealthInsight),
  ])
  return { clusterVersion, operators, pools, nodes, health }
}

/** What finished updates of the cluster say about the one that runs. They are in the history of its version, and their parts on its insights. */
export async function readLearned(source: Source, { operators, pools, nodes }: ClusterInsights): Promise<Learned> {
  const clusterVersion = await source.find(ClusterVersion, version)
  return learnFrom({ clusterVersion, operators, pools, nodes }, source.now())
}

async function insightsFromObjects(source: Source): Promise<ClusterInsights> {
  const clusterVersion = await source.find(ClusterVersion, version)
  if (clusterVersion === undefined) throw await nothingToSee(source)
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

/** Somebody who asks a management cluster means one of those that it hosts. */
async function nothingToSee(source: Source): Promise<Failure> {
  const problem = "failed to find ClusterVersionProgressInsight with name 'version', and there is no ClusterVersion either"
  const [hosted] = await source.list(HostedCluster)
  if (hosted !== undefined)
    return new Failure(`${problem}: name one of the clusters that are hosted here, as in windlass status ${keyOf(hosted)}`)
  return new Failure(`${problem}: this is no OpenShift cluster. Choose another with --kubeconfig or --context`)
}
