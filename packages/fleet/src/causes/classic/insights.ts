import type { UpdateHealthInsight } from '@windlass/api'
import type { ObjectPlace } from '../../contract/index.ts'
import { type Cause, causeOf, linkTo } from '../cause.ts'

/** How plurals of insights are called by people. */
const kinds: Readonly<Record<string, string>> = {
  clusterversions: 'ClusterVersion',
  clusteroperators: 'ClusterOperator',
  machineconfigpools: 'MachineConfigPool',
  nodes: 'Node',
  pods: 'Pod',
  poddisruptionbudgets: 'PodDisruptionBudget',
}

/** Insights about objects that no chain speaks of: what somebody else has found out, and we have not. */
export function insightCauses(insights: readonly UpdateHealthInsight[], others: readonly Cause[]): readonly Cause[] {
  const told = new Set(others.flatMap(({ links }) => links.map(({ object }) => `${object.kind} ${object.namespace ?? ''}/${object.name}`)))
  return insights.flatMap(({ metadata, status }): readonly Cause[] => {
    const places = (status?.scope.resources ?? []).map(({ resource, namespace, name }): ObjectPlace => ({
      kind: kinds[resource] ?? resource,
      ...(namespace === undefined ? {} : { namespace }),
      name,
      side: 'guest',
    }))
    const [first] = places
    if (status === undefined || first === undefined) return []
    if (places.some(({ kind, namespace = '', name }) => told.has(`${kind} ${namespace}/${name}`))) return []
    const { level, type, summary, description } = status.impact
    const isSerious = level === 'Critical' || level === 'Error'
    const link = linkTo(first, description === undefined ? summary : `${summary}: ${description}`, {
      reason: type,
      since: status.startedAt,
    })
    const remedy = `What to do is written at ${status.remediation.reference}`
    return [
      causeOf({
        weight: isSerious ? 'Broken' : 'Notice',
        links: [link],
        remedy,
        command: `describe updatehealthinsight ${metadata.name ?? ''}`,
      }),
    ]
  })
}
