import type { Node } from '@windlass/api'
import { cordonOf, isBeingUpdated, isCustomerWorker, nodeName } from '../cluster/nodes.ts'
import type { Seen } from '../observed/seen.ts'
import { type HealthCheck, type HealthReason, healthy, unhealthy } from './check.ts'

const cordonReasons = ['cluster_node_query_failed', 'cluster_node_manually_cordoned'] as const
const taintReasons = ['cluster_node_query_failed', 'cluster_node_taint_unschedulable'] as const

/** Workers that somebody has cordoned by hand: nobody would bring them back, and the upgrade would have less room. */
export function checkCordoned(nodes: Seen<readonly Node[]>): HealthCheck {
  const isCordonedByHand = (node: Node): boolean => isCustomerWorker(node) && cordonOf(node) !== undefined && !isBeingUpdated(node)
  return checkNodes(nodes, (all) => all.filter(isCordonedByHand), {
    reasons: cordonReasons,
    reason: 'cluster_node_manually_cordoned',
    token: 'NodeUnschedulableHealthcheckFailed',
    message: 'nodes are cordoned',
  })
}

const pressures = ['memory-pressure', 'disk-pressure', 'pid-pressure'].map((name) => `node.kubernetes.io/${name}`)

/** Nodes that take nothing because they run out of something. Those of the control plane count too. A node with two of them is listed once. */
export function checkPressure(nodes: Seen<readonly Node[]>): HealthCheck {
  const hasPressure = ({ spec }: Node, pressure: string): boolean =>
    spec.taints?.some(({ key, effect }) => key === pressure && effect === 'NoSchedule') === true
  const underPressure = (all: readonly Node[]): readonly Node[] => [
    ...new Set(pressures.flatMap((pressure) => all.filter((node) => hasPressure(node, pressure)))),
  ]
  return checkNodes(nodes, underPressure, {
    reasons: taintReasons,
    reason: 'cluster_node_taint_unschedulable',
    token: 'NodeUnschedulableTaintHealthcheckFailed',
    message: 'nodes are under pressure',
  })
}

interface Words {
  readonly reasons: readonly HealthReason[]
  readonly reason: HealthReason
  readonly token: string
  readonly message: string
}

function checkNodes(nodes: Seen<readonly Node[]>, bad: (nodes: readonly Node[]) => readonly Node[], words: Words): HealthCheck {
  const { reasons, reason, token, message } = words
  if ('problem' in nodes) {
    return unhealthy(reasons, 'cluster_node_query_failed', `nodes could not be listed: ${nodes.problem}`, `${token}:()`)
  }
  const names = bad(nodes.value).map(nodeName)
  if (names.length === 0) return healthy(reasons)
  return unhealthy(reasons, reason, `${message}: ${names.join(', ')}`, `${token}:(${names.join(',')})`)
}
