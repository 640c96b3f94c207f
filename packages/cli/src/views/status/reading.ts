import {
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  HostedCluster,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
} from '@windlass/api'
import { type ClusterInsights, disagreementWith, filled, type Gap, gapsIn, type Learned, learnFrom } from '@windlass/insights'
import { Failure } from '../../failures.ts'
import { keyOf } from '../hosted-clusters.ts'
import type { Source } from '../source.ts'
import { insightsFromObjects } from './objects.ts'

const version = { name: 'version' } as const

/** What there is to know about the update of a standalone cluster. */
export interface Reading {
  readonly insights: ClusterInsights
  /** What finished updates say about the one that runs; undefined where something was worked out: that remembers nothing. */
  readonly learned?: Learned
  /** What is wrong with the insights that are kept there. */
  readonly notes: readonly string[]
}

/**
 * The insights into a standalone cluster: those that are kept there, or the same worked out from its objects. Insights stay when their controllers are stopped: those
 * that are not about what the ClusterVersion says are not believed.
 */
export async function readStandalone(source: Source): Promise<Reading> {
  const [insight, clusterVersion] = await Promise.all([
    source.find(ClusterVersionProgressInsight, version),
    source.find(ClusterVersion, version),
  ])
  if (insight === undefined) {
    if (clusterVersion === undefined) throw await nothingToSee(source)
    return { insights: await insightsFromObjects(source, clusterVersion), notes: [] }
  }
  const problem = clusterVersion === undefined ? undefined : disagreementWith(clusterVersion, insight.status)
  if (clusterVersion !== undefined && problem !== undefined)
    return { insights: await insightsFromObjects(source, clusterVersion), notes: [disbelieved(problem)] }
  const kept = await insightsWith(insight, source)
  const gaps = gapsIn(kept)
  if (clusterVersion !== undefined && gaps.length > 0) {
    const fromObjects = await insightsFromObjects(source, clusterVersion)
    const found = gaps.filter((gap) => fromObjects[gap].length > 0)
    if (found.length > 0) return { insights: filled(kept, found, fromObjects), notes: [missing(found)] }
  }
  const { operators, pools, nodes } = kept
  return { insights: kept, learned: learnFrom({ clusterVersion, operators, pools, nodes }, source.now()), notes: [] }
}

async function insightsWith(clusterVersion: ClusterVersionProgressInsight, source: Source): Promise<ClusterInsights> {
  const [operators, pools, nodes, health] = await Promise.all([
    source.list(ClusterOperatorProgressInsight),
    source.list(MachineConfigPoolProgressInsight),
    source.list(NodeProgressInsight),
    source.list(UpdateHealthInsight),
  ])
  return { clusterVersion, operators, pools, nodes, health }
}

const workedOut = 'worked out from the objects of the cluster. Do all controllers of insights run?'

function disbelieved(problem: string): string {
  return `ClusterVersionProgressInsight version is behind: ${problem}. All of this was ${workedOut}`
}

function missing(gaps: readonly Gap[]): string {
  return `There are no insights into ${gaps.join(' and ')}: what is said about them was ${workedOut}`
}

/** Somebody who asks a management cluster means one of those that it hosts. */
async function nothingToSee(source: Source): Promise<Failure> {
  const problem = "failed to find ClusterVersionProgressInsight with name 'version', and there is no ClusterVersion either"
  const [hosted] = await source.list(HostedCluster)
  if (hosted !== undefined)
    return new Failure(`${problem}: name one of the clusters that are hosted here, as in windlass status ${keyOf(hosted)}`)
  return new Failure(`${problem}: this is no OpenShift cluster. Choose another with --kubeconfig or --context`)
}
