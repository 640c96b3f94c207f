import type { Node, Pod } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { cordonOf, nodeName } from '../cluster/nodes.ts'
import type { OperatorConfig } from '../config/index.ts'
import type { Effect } from '../effects/effect.ts'
import type { StrategyName, TimedStrategy } from './strategies.ts'

/** A node, and the pods on it. */
export interface DrainingNode {
  readonly node: Node
  readonly pods: readonly Pod[]
}

export interface Drain {
  /** What the strategies that are due do, in their order. */
  readonly effects: readonly Effect[]
  /** Strategies that had a pod to act on. */
  readonly executed: readonly StrategyName[]
  /** Set when nobody can say when the drain began, so that nothing is ever due. */
  readonly problem?: string
}

/** Every strategy that is due, on every pass: what it was to remove may have come back. */
export function executeStrategies({ node, pods }: DrainingNode, strategies: readonly TimedStrategy[], now: Instant): Drain {
  const cordon = cordonOf(node)
  if (cordon === undefined) return { effects: [], executed: [] }
  const { since } = cordon
  if (since === undefined) {
    const problem = `cannot determine drain commencement time of node ${nodeName(node)}: its taint of being unschedulable has no timeAdded`
    return { effects: [], executed: [], problem }
  }
  const acted = strategies
    .filter(({ wait }) => now > since + wait)
    .map(({ name, matches, effect }) => ({ name, effects: pods.filter(matches).map(effect) }))
    .filter(({ effects }) => effects.length > 0)
  return { effects: acted.flatMap(({ effects }) => effects), executed: acted.map(({ name }) => name) }
}

/**
 * Whether the drain of a node has failed: everything that could be tried has been, and it still holds on.
 *
 * Without strategies the patience of the configuration is all there is. With them, a strategy that has not been due yet and has pods to act on is a reason
 * to wait; and after the last one, a drain is given the time it usually takes.
 */
export function hasDrainFailed(
  { node, pods }: DrainingNode,
  strategies: readonly TimedStrategy[],
  config: OperatorConfig,
  now: Instant,
): boolean {
  const since = cordonOf(node)?.since
  if (since === undefined) return false
  const patience = config['nodeDrain.timeOut'] * config.minute
  const expected = config['nodeDrain.expectedNodeDrainTime'] * config.minute
  const isDue = ({ wait }: TimedStrategy): boolean => now > since + wait
  if (strategies.some((strategy) => !isDue(strategy) && pods.some(strategy.matches))) return false
  const longest = Math.max(...strategies.filter(isDue).map(({ wait }) => wait), Number.NEGATIVE_INFINITY)
  return now > since + Math.max(patience, longest + expected)
}
