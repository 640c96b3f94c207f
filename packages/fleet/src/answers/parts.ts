import type {
  ClusterOperator,
  ClusterOperatorProgressInsight,
  ClusterVersion,
  ClusterVersionProgressInsight,
  ControlPlaneComponent,
  HostedCluster,
  MachineConfigPool,
  MachineConfigPoolProgressInsight,
  NodePool,
  UpdateHealthInsight,
  UpgradeConfig,
} from '@windlass/api'
import {
  type Duration,
  defaultSkewPolicy,
  defaultSkewSource,
  type Instant,
  type SkewPolicy,
  type SkewSource,
  stalledAfter,
} from '@windlass/core'
import type { ClusterRow, NodeCount } from '../contract/index.ts'

/** What is known of a hosted cluster. Plain objects: from caches, from a file, from a test. */
export interface HostedParts {
  readonly hostedCluster: HostedCluster
  readonly components: readonly ControlPlaneComponent[]
  readonly pools: readonly NodePool[]
  /** Why these may not be all of its pools: an empty list does not mean that it has none then. */
  readonly unreadPools?: string | undefined
}

/** What is known of a classic cluster. */
export interface ClassicParts {
  readonly clusterVersion: ClusterVersion
  readonly operators: readonly ClusterOperator[]
  readonly machineConfigPools: readonly MachineConfigPool[]
  /** Which version a machine config is of; empty when that is not known. */
  readonly versionOf: (machineConfig: string) => string
  readonly nodes: NodeCount
  readonly upgradeConfig?: UpgradeConfig
  readonly progress?: ClusterVersionProgressInsight
  readonly operatorProgress: readonly ClusterOperatorProgressInsight[]
  readonly poolProgress: readonly MachineConfigPoolProgressInsight[]
  readonly health: readonly UpdateHealthInsight[]
}

/** By what clusters are judged. The same for all of a fleet. */
export interface Yardstick {
  /** How long an update may take before it has stalled. */
  readonly threshold: Duration
  readonly skew: { readonly policy: SkewPolicy; readonly source: SkewSource }
}

export const usualYardstick: Yardstick = { threshold: stalledAfter, skew: { policy: defaultSkewPolicy, source: defaultSkewSource } }

/** When, by what, and for which member a cluster is looked at. */
export interface Look {
  readonly now: Instant
  readonly yardstick: Yardstick
  readonly member: string
  readonly isCurrent: boolean
}

/** A row, and when it will be another one though no object changes. */
export interface TimedRow {
  readonly row: ClusterRow
  readonly changesAt: Instant | undefined
}
