import type { AnyController } from '@windlass/kube'
import { clusterOperatorInsights } from './cluster-operator/index.ts'
import { clusterVersionInsights } from './cluster-version/index.ts'
import { machineConfigPoolInsights } from './machine-config-pool/index.ts'
import type { InsightMode } from './mode.ts'
import { nodeInsights, type NodeStateMetrics, NodeStates } from './node/index.ts'

export interface InsightOptions {
  /** `extended` unless told. */
  readonly mode?: InsightMode
  /** Made with `nodeStateMetrics`; nothing is counted without it. */
  readonly metrics?: NodeStateMetrics
}

/** The controllers of one cluster's insights. They share what they know of its nodes, so each cluster needs its own. */
export function insightControllers({ mode = 'extended', metrics }: InsightOptions = {}): readonly AnyController[] {
  const states = new NodeStates(metrics)
  return [clusterVersionInsights(mode), clusterOperatorInsights(mode), machineConfigPoolInsights(mode, states), nodeInsights(mode, states)]
}
