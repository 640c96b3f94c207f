import type { Node, Pod } from '@windlass/api'
import { hash32 } from '../../identity/index.ts'
import { type Misfit, misfit } from './fit.ts'

export interface Observed {
  readonly pod: Pod
  readonly nodes: readonly Node[]
  /** How many Pods of the same controller are on which node. */
  readonly siblingsOn: ReadonlyMap<string, number>
}

export type Decision =
  | { readonly node: string }
  /** In the words of the scheduler. */
  | { readonly unschedulable: string }

/**
 * Where a Pod goes: to a node that fits, with as few of its siblings as possible; which of those, its name decides. How full nodes are does not
 * matter, and neither does which other Pods it would like to be with.
 */
export function place({ pod, nodes, siblingsOn }: Observed, virtualNode: string): Decision {
  if (nodes.length === 0) return { node: virtualNode }
  const fitting = nodes.filter((node) => misfit(pod.spec, node) === undefined).map(({ metadata }) => metadata.name ?? '')
  if (fitting.length === 0) return { unschedulable: refusal(pod, nodes) }
  const fewest = Math.min(...fitting.map((name) => siblingsOn.get(name) ?? 0))
  const identity = `${pod.metadata.namespace}/${pod.metadata.name}`
  const weighed = fitting
    .filter((name) => (siblingsOn.get(name) ?? 0) === fewest)
    .map((name) => ({ name, weight: hash32(`${identity} on ${name}`) }))
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
  return { node: weighed[0]?.name ?? virtualNode }
}

const words: Readonly<Record<Misfit, string>> = {
  unready: 'node(s) were not ready',
  cordoned: 'node(s) were unschedulable',
  tainted: 'node(s) had untolerated taints',
  unselected: "node(s) didn't match Pod's node affinity/selector",
}

function refusal({ spec }: Pod, nodes: readonly Node[]): string {
  const counts = Map.groupBy(nodes, (node) => misfit(spec, node))
  const reasons = Object.entries(words).flatMap(([why, text]) => {
    const count = counts.get(why as Misfit)?.length ?? 0
    return count === 0 ? [] : [`${count} ${text}`]
  })
  return `0/${nodes.length} nodes are available: ${reasons.join(', ')}.`
}
