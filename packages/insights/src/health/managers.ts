import type { UpdateHealthInsight } from '@windlass/api'
import { controllerOf } from '@windlass/kube'

/** Who looks after a health insight: the controller of one kind of progress insights. Its insights begin with these letters. */
export const prefixOf = { clusterversion: 'cv', clusteroperator: 'co', machineconfigpool: 'mcp', node: 'node' } as const
export type Manager = keyof typeof prefixOf

/** The same thing under two names: the documented one, and the one that upstream's controllers write and look for. */
const labelNames = ['insight-manager', 'oue.openshift.muller.dev/update-health-insight-manager'] as const

export function labelsOf(manager: Manager): Readonly<Record<string, string>> {
  return Object.fromEntries(labelNames.map((name) => [name, manager]))
}

function isManager(text: string | undefined): text is Manager {
  return text !== undefined && Object.hasOwn(prefixOf, text)
}

/** Those that take the insight for theirs, by either label: one, unless somebody has tampered with it. */
function managersOf({ metadata }: UpdateHealthInsight): readonly Manager[] {
  const values = labelNames.map((name) => metadata.labels?.[name]).filter(isManager)
  return [...new Set(values)]
}

/**
 * The object that the insight is about, by name: that of the progress insight which owns it or, where nobody does, the first that it names. One that
 * names nothing at all stands for itself; there is no such object, and so it goes.
 */
function subjectOf(insight: UpdateHealthInsight): string {
  return controllerOf(insight)?.name ?? insight.status?.scope.resources?.[0]?.name ?? insight.metadata.name ?? ''
}

/** Names of objects whose insight this is, for a manager. */
export function subjectsFor(manager: Manager, insight: UpdateHealthInsight): readonly string[] {
  return managersOf(insight).includes(manager) ? [subjectOf(insight)] : []
}

/** How caches find the insights of a manager about an object. */
export function subjectKey(manager: Manager, name: string): string {
  return `${manager}/${name}`
}

export function subjectKeys(insight: UpdateHealthInsight): readonly string[] {
  return managersOf(insight).map((manager) => subjectKey(manager, subjectOf(insight)))
}
