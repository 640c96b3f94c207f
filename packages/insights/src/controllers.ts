import type { AnyController } from '@windlass/kube'
import { clusterOperatorInsights } from './cluster-operator/index.ts'
import { clusterVersionInsights } from './cluster-version/index.ts'
import { machineConfigPoolInsights } from './machine-config-pool/index.ts'
import type { InsightMode } from './mode.ts'
import { nodeInsights, type NodeStateMetrics, NodeStates } from './node/index.ts'

export interface InsightOptions {
  /** `extended` unless told. */
  readonly mode?: InsightMode
  /**
   * How much faster than a real cluster this one is, where it is simulated; 1 unless told. What takes too long, takes too long so much sooner: an
   * operator may be degraded for five minutes at 1, and for five seconds at 60.
   */
  readonly speed?: number
  /** Made with `nodeStateMetrics`; nothing is counted without it. */
  readonly metrics?: NodeStateMetrics
}

/** The controllers of one cluster's insights. They share what they know of its nodes, so each cluster needs its own. */
export function insightControllers({ mode = 'extended', speed = 1, metrics }: InsightOptions = {}): readonly AnyController[] {
  const states = new NodeStates(metrics)
  return [
    clusterVersionInsights(mode, speed),
    clusterOperatorInsights(mode, speed),
    machineConfigPoolInsights(mode, states),
    nodeInsights(mode, states, speed),
  ]
}
