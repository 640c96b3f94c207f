import { capi, Node } from '@windlass/api'
import type { NodePool, Taint } from '@windlass/api'
import { type Action, done, patch, type Plan, plan, refOf } from '@windlass/kube'
import { machinesOf, type Seen } from '../seen.ts'
import { Annotation, Label, managedLabelPrefix, NodeAnnotation } from '../wire.ts'

/** Where a pull secret for all namespaces can be put on nodes. */
const globalPullSecretOn: ReadonlySet<string> = new Set(['AWS', 'Azure'])

/** Labels of nodes, as their Machines carry them. */
export function managedLabels({ spec }: NodePool): Readonly<Record<string, string>> {
  const labels = globalPullSecretOn.has(spec.platform.type)
    ? { ...spec.nodeLabels, [Label.globalPullSecret]: 'true' }
    : (spec.nodeLabels ?? {})
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [`${managedLabelPrefix}${key}`, value]))
}

/** Taints of nodes, as their Machines carry them. Without any it is the text `null`, as upstream writes it. */
export function taintsText({ spec }: NodePool): string {
  return JSON.stringify(spec.taints === undefined || spec.taints.length === 0 ? null : spec.taints)
}

/**
 * Writes labels and taints onto the Machines of a Replace pool. Not into the template of its MachineDeployment: older providers would make all machines
 * anew for another label.
 */
export function machineMetadataActions(seen: Seen): readonly Action[] {
  const labels = managedLabels(seen.pool)
  const taints = taintsText(seen.pool)
  return machinesOf(seen).flatMap((machine) => {
    const { labels: before = {}, annotations = {} } = machine.metadata
    const changed = Object.entries(labels).filter(([key, value]) => before[key] !== value)
    const gone = Object.keys(before).filter((key) => key.startsWith(managedLabelPrefix) && labels[key] === undefined)
    if (changed.length === 0 && gone.length === 0 && annotations[Annotation.taints] === taints) return []
    const change = {
      metadata: {
        labels: { ...Object.fromEntries(changed), ...Object.fromEntries(gone.map((key) => [key, null])) },
        annotations: { [Annotation.taints]: taints },
      },
    }
    return [patch(capi.Machine, refOf(machine), change, 'labels and taints of its pool have changed')]
  })
}

/** A Node of the guest and the Machine that became it, if it is known. */
export interface ObservedNode {
  readonly node: Node
  readonly machine: capi.Machine | undefined
}

/**
 * Gives a Node the labels and taints that its pool wants nodes to be born with. Once: whoever changes them afterwards has a reason.
 *
 * The plan is for the guest.
 */
export function decideNode({ node, machine }: ObservedNode): Plan {
  const { annotations = {} } = node.metadata
  if (machine === undefined || annotations[NodeAnnotation.labelsSynced] !== undefined) return done
  const managed = Object.entries(machine.metadata.labels ?? {}).filter(([key]) => key.startsWith(managedLabelPrefix))
  const pool = machine.metadata.annotations?.[Annotation.nodePool] ?? ''
  const labels = {
    ...Object.fromEntries(managed.map(([key, value]) => [key.slice(managedLabelPrefix.length), value])),
    ...(pool === '' ? {} : { [Label.nodePool]: pool.slice(pool.lastIndexOf('/') + 1) }),
  }
  const before = node.spec.taints ?? []
  const missing = taintsIn(machine).filter((taint) => !before.some(({ key, effect }) => key === taint.key && effect === taint.effect))
  const change = {
    metadata: { labels, annotations: { [NodeAnnotation.labelsSynced]: 'true' } },
    ...(missing.length === 0 ? {} : { spec: { taints: [...before, ...missing].map((taint) => ({ ...taint })) } }),
  }
  return plan(patch(Node, refOf(node), change, 'its pool wants nodes to have these labels and taints', { ifStill: node }))
}

/** What somebody else has written there is not to stop us. */
function taintsIn({ metadata }: capi.Machine): readonly Taint[] {
  try {
    const taints: unknown = JSON.parse(metadata.annotations?.[Annotation.taints] ?? 'null')
    return Array.isArray(taints) ? taints.filter(isTaint) : []
  } catch {
    return []
  }
}

function isTaint(value: unknown): value is Taint {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof Reflect.get(value, 'key') === 'string' &&
    typeof Reflect.get(value, 'effect') === 'string'
  )
}
