import { Pod, type PodDisruptionBudget, type UpgradeConfig } from '@windlass/api'
import { patch, refOf } from '@windlass/kube'
import type { OperatorConfig } from '../config/index.ts'
import { act, deletePod, type Effect } from '../effects/effect.ts'
import { hasFinalizers, ignoredNamespaces, isDrainable, isTerminating, protectedBy } from './pods.ts'

/** A way to help a drain along, and how long after the cordon it is used. */
export interface TimedStrategy {
  readonly name: StrategyName
  /** In milliseconds after the cordon. */
  readonly wait: number
  /** Pods that it is about. */
  readonly matches: (pod: Pod) => boolean
  /** What it does to one of them. */
  readonly effect: (pod: Pod) => Effect
}

export type StrategyName =
  | 'DELETE'
  | 'DEFAULT-FINALIZER'
  | 'POD-STUCK-TERMINATING'
  | 'PDB-DELETE'
  | 'PDB-FINALIZER'
  | 'PDB-POD-STUCK-TERMINATING'

interface Row {
  readonly name: StrategyName
  readonly isForProtected: boolean
  readonly matches: (pod: Pod) => boolean
  readonly effect: (pod: Pod, name: StrategyName) => Effect
}

const isNotTerminating = (pod: Pod): boolean => !isTerminating(pod)
const isStuck = (pod: Pod): boolean => isTerminating(pod) && !hasFinalizers(pod)

/** In this order. Those for pods that a disruption budget protects wait longer: people were promised that. */
const table: readonly Row[] = [
  { name: 'DELETE', isForProtected: false, matches: isNotTerminating, effect: deleted },
  { name: 'DEFAULT-FINALIZER', isForProtected: false, matches: hasFinalizers, effect: freed },
  { name: 'POD-STUCK-TERMINATING', isForProtected: false, matches: isStuck, effect: deleted },
  { name: 'PDB-DELETE', isForProtected: true, matches: isNotTerminating, effect: deleted },
  { name: 'PDB-FINALIZER', isForProtected: true, matches: hasFinalizers, effect: freed },
  { name: 'PDB-POD-STUCK-TERMINATING', isForProtected: true, matches: isStuck, effect: deleted },
]

/** The strategies of an upgrade, each with the pods it is about. */
export function strategiesFor(
  { spec }: UpgradeConfig,
  config: OperatorConfig,
  budgets: readonly PodDisruptionBudget[],
): readonly TimedStrategy[] {
  const isAllowed = isDrainable(ignoredNamespaces(config['nodeDrain.ignoredNamespacePatterns']))
  const isProtected = protectedBy(budgets)
  const patience = config['nodeDrain.timeOut'] * config.minute
  const grace = (spec.PDBForceDrainTimeout + config['nodeDrain.expectedNodeDrainTime']) * config.minute
  return table.map(({ name, isForProtected, matches, effect }) => ({
    name,
    wait: isForProtected ? grace : patience,
    matches: (pod) => isAllowed(pod) && isProtected(pod) === isForProtected && matches(pod),
    effect: (pod) => effect(pod, name),
  }))
}

function deleted(pod: Pod, name: StrategyName): Effect {
  return deletePod(pod, `${name}: it holds up the drain of node ${pod.spec.nodeName ?? ''}`)
}

function freed(pod: Pod, name: StrategyName): Effect {
  const reason = `${name}: its finalizers hold up the drain of node ${pod.spec.nodeName ?? ''}`
  return act(patch(Pod, refOf(pod), { metadata: { finalizers: null } }, reason), 'report')
}
