import { ClusterOperator, ClusterVersion, Node, Pod, PodDisruptionBudget } from '@windlass/api'
import type { Client } from '@windlass/kube'
import type { GuestEvidence } from '../evidence.ts'
import { notesOn } from '../nodes/index.ts'
import type { Reader } from './reader.ts'

/** What of a cluster is worth a look. */
export interface GuestQuestions {
  readonly version: boolean
  readonly nodes: boolean
  /** Names of nodes that are being emptied, besides those that say so themselves. */
  readonly leaving: Promise<ReadonlySet<string>>
}

/** So many nodes are looked into, at most: more than a few at a time nobody drains. */
const mostDrains = 10
/** So many namespaces are asked for their budgets by name; with more of them, all budgets are asked for at once. */
const mostNamespaces = 10

/** Looks into the cluster itself. Pods are read of nodes that are being drained, and budgets of their namespaces. */
export async function gatherGuest(reader: Reader, client: Client, questions: GuestQuestions): Promise<GuestEvidence> {
  const where = 'of the cluster'
  const [clusterVersion, operators, nodes, leaving] = await Promise.all([
    questions.version ? reader.find(client, ClusterVersion, where, { name: 'version' }) : undefined,
    questions.version ? reader.list(client, ClusterOperator, where) : [],
    questions.nodes ? reader.list(client, Node, where) : [],
    questions.leaving,
  ])
  const draining = nodes.filter((node) => notesOn(node).isDraining || leaving.has(node.metadata.name ?? ''))
  const pods = await podsOn(reader, client, draining)
  const budgets = await budgetsOf(reader, client, pods)
  return { ...(clusterVersion === undefined ? {} : { clusterVersion }), operators, nodes, pods, budgets }
}

async function podsOn(reader: Reader, client: Client, nodes: readonly Node[]): Promise<readonly Pod[]> {
  if (nodes.length > mostDrains) reader.note(`Of ${nodes.length} nodes that are being drained, ${mostDrains} were looked into.`)
  const lists = await Promise.all(
    nodes
      .slice(0, mostDrains)
      .map(({ metadata: { name = '' } }) => reader.list(client, Pod, `on node ${name}`, { fieldSelector: `spec.nodeName=${name}` })),
  )
  return lists.flat()
}

async function budgetsOf(reader: Reader, client: Client, pods: readonly Pod[]): Promise<readonly PodDisruptionBudget[]> {
  const namespaces = [...new Set(pods.map(({ metadata }) => metadata.namespace ?? ''))].toSorted()
  if (namespaces.length > mostNamespaces) return reader.list(client, PodDisruptionBudget, 'of the cluster')
  const lists = await Promise.all(
    namespaces.map((namespace) => reader.list(client, PodDisruptionBudget, `in namespace ${namespace}`, { namespace })),
  )
  return lists.flat()
}
