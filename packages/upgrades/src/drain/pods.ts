import type { Pod, PodDisruptionBudget } from '@windlass/api'
import { selects } from '@windlass/kube'
import { compilePattern, type Pattern } from '../config/index.ts'

const mirror = 'kubernetes.io/config.mirror'

/** Pods that may be touched to drain a node: what would come right back, and what is nobody's to delete through the API, is left. */
export function isDrainable(ignored: readonly Pattern[]): (pod: Pod) => boolean {
  return (pod) => {
    if (isOfDaemonSet(pod)) return false
    if (pod.metadata.annotations?.[mirror] !== undefined) return false
    const namespace = pod.metadata.namespace ?? ''
    return !ignored.some((matches) => matches(namespace))
  }
}

function isOfDaemonSet({ metadata }: Pod): boolean {
  return metadata.ownerReferences?.some(({ kind }) => kind === 'DaemonSet') === true
}

/** Patterns that do not compile were refused when the configuration was read. */
export function ignoredNamespaces(patterns: readonly string[]): readonly Pattern[] {
  return patterns.map(compilePattern).filter((pattern) => pattern !== undefined)
}

export function isTerminating({ metadata }: Pod): boolean {
  return metadata.deletionTimestamp !== undefined
}

export function hasFinalizers({ metadata }: Pod): boolean {
  return (metadata.finalizers?.length ?? 0) > 0
}

/** Whether some budget in the pod's own namespace selects it. Budgets are sorted by namespace once: there may be thousands of pods. */
export function protectedBy(budgets: readonly PodDisruptionBudget[]): (pod: Pod) => boolean {
  const byNamespace = Map.groupBy(budgets, ({ metadata }) => metadata.namespace ?? '')
  return ({ metadata }) => byNamespace.get(metadata.namespace ?? '')?.some(({ spec }) => selects(spec.selector, metadata.labels)) === true
}
