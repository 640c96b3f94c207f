import type { LabelSelector, Pod, PodDisruptionBudget } from '@windlass/api'
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
  return ({ metadata }) =>
    byNamespace.get(metadata.namespace ?? '')?.some(({ spec }) => isSelected(spec.selector, metadata.labels ?? {})) === true
}

/** All requirements must hold. An empty selector selects everything, an absent one nothing. */
export function isSelected(selector: LabelSelector | undefined, labels: Readonly<Record<string, string>>): boolean {
  if (selector === undefined) return false
  const { matchLabels = {}, matchExpressions = [] } = selector
  if (!Object.entries(matchLabels).every(([name, value]) => valueOf(labels, name) === value)) return false
  return matchExpressions.every(({ key, operator, values = [] }) => {
    const value = valueOf(labels, key)
    switch (operator) {
      case 'In':
        return value !== undefined && values.includes(value)
      case 'NotIn':
        return value === undefined || !values.includes(value)
      case 'Exists':
        return value !== undefined
      case 'DoesNotExist':
        return value === undefined
      default:
        return false
    }
  })
}

function valueOf(labels: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(labels, name) ? labels[name] : undefined
}
