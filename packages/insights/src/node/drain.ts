import type { Pod, PodDisruptionBudget } from '@windlass/api'
import { controllerOf, selects } from '@windlass/kube'

/** A budget by name. */
export interface BudgetName {
  readonly namespace: string
  readonly name: string
}

/** Left alone by a drain: Pods that the kubelet runs from files, and those that a DaemonSet would put right back. Finished ones hold nothing up. */
function isLeftAlone(pod: Pod): boolean {
  const owner = controllerOf(pod)?.kind
  const phase = pod.status?.phase
  return owner === 'Node' || owner === 'DaemonSet' || phase === 'Succeeded' || phase === 'Failed'
}

/** The budgets that allow no Pod of a node to be evicted, by namespace and name. */
export function blockingBudgets(
  podsOfNode: readonly Pod[],
  budgetsIn: (namespace: string) => readonly PodDisruptionBudget[],
): readonly BudgetName[] {
  const byNamespace = Map.groupBy(
    podsOfNode.filter((pod) => !isLeftAlone(pod)),
    ({ metadata }) => metadata.namespace ?? '',
  )
  const blocking = Array.from(byNamespace, ([namespace, pods]) =>
    budgetsIn(namespace)
      .filter(
        ({ status, spec }) => status?.disruptionsAllowed === 0 && pods.some(({ metadata }) => selects(spec.selector, metadata.labels)),
      )
      .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' })),
  )
  return blocking.flat().sort((a, b) => (`${a.namespace}/${a.name}` < `${b.namespace}/${b.name}` ? -1 : 1))
}
