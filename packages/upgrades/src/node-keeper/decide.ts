import type { MachineConfigPool, Node, Pod, PodDisruptionBudget, UpgradeConfig } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { cordonOf, isBeingUpdated, isControlPlane, nodeName } from '../cluster/nodes.ts'
import { poolProgress } from '../cluster/worker-pool.ts'
import type { OperatorConfig } from '../config/index.ts'
import { type Drain, executeStrategies, hasDrainFailed, strategiesFor, withDelayNotice } from '../drain/index.ts'
import { type Effect, gauge } from '../effects/effect.ts'
import { clearGauge, setGauge } from '../metrics/series.ts'
import { entryOf } from '../upgrade-config/history.ts'

export interface NodeView {
  readonly name: string
  readonly upgradeConfig: UpgradeConfig | undefined
  readonly node: Node | undefined
  readonly workerPool: MachineConfigPool | undefined
  /** Checked for the node keeper. It is asked for only when there is a node to help, so that a bad one stops nothing else. */
  readonly config: () => OperatorConfig
  readonly pods: readonly Pod[]
  readonly budgets: readonly PodDisruptionBudget[]
}

export interface NodeDecision {
  readonly effects: readonly Effect[]
  readonly requeueAfter?: number
  /** Fails the pass, after the effects. */
  readonly problem?: string
}

const nothing: NodeDecision = { effects: [] }

/** Nodes of the control plane drain by themselves. */
export function isKept(node: Node): boolean {
  return !isControlPlane(node)
}

/** Whether a node drains for an upgrade. All that is asked first of thousands of nodes that do not, with what is in memory. */
export function isToBeHelped({ upgradeConfig, node, workerPool }: Pick<NodeView, 'upgradeConfig' | 'node' | 'workerPool'>): boolean {
  if (upgradeConfig === undefined || node === undefined || cordonOf(node) === undefined) return false
  const isUpgrading = entryOf(upgradeConfig)?.phase === 'Upgrading'
  return isUpgrading && workerPool !== undefined && poolProgress(workerPool).isUpgrading && isBeingUpdated(node)
}

/**
 * Looks after one node while workers are upgraded: helps its drain along, and says so when that does not help.
 *
 * The gauge is cleared before anything else is asked. It feeds an alert that is part of our own health check after the upgrade, which a stale value
 * would hold up for ever.
 */
export function decideNode(view: NodeView, now: Instant): NodeDecision {
  const { upgradeConfig, node, pods, budgets, name } = view
  if (upgradeConfig === undefined) return nothing
  const cleared = { effects: [gauge(clearGauge('upgradeoperator_node_drain_timeout', { node_name: name }))] }
  if (node === undefined || cordonOf(node) === undefined) return cleared
  if (!isToBeHelped(view)) return nothing
  const config = view.config()
  const isHelping = !config['nodeDrain.disableDrainStrategies']
  const strategies = isHelping ? strategiesFor(upgradeConfig, config, budgets) : []
  const drain: Drain = isHelping ? executeStrategies({ node, pods }, strategies, now) : { effects: [], executed: [] }
  const hasFailed = node.metadata.deletionTimestamp === undefined && hasDrainFailed({ node, pods }, strategies, config, now)
  return {
    effects: [
      ...withDelayNotice(upgradeConfig, drain.effects, drain.executed),
      ...(hasFailed ? [gauge(setGauge('upgradeoperator_node_drain_timeout', { node_name: nodeName(node) }, 1))] : cleared.effects),
    ],
    requeueAfter: config.minute,
    ...(drain.problem === undefined ? {} : { problem: drain.problem }),
  }
}
