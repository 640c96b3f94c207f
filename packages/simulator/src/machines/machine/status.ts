import type { capi, Node } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { addressOf } from '../../identity/index.ts'
import { ill, summed, unclear, well } from '../conditions.ts'

/** What is known of a machine. */
export interface Facts {
  readonly hasUserData: boolean
  /** What the provider says: nothing is wrong, or this is. */
  readonly infrastructure: 'ready' | { readonly reason: string; readonly message: string }
  /** The Node that it became, if it is there; `unknown` when nobody could look. */
  readonly node: Node | undefined | 'unknown'
}

type Status = NonNullable<capi.Machine['status']>

/** Where a machine is in the network of its provider: none of those that clusters use inside. */
export function machineAddress(namespace: string, name: string): string {
  return addressOf(`${namespace}/${name}`, [192, 168, 0, 0], 16)
}

/** The status of a machine that is not being deleted. */
export function statusOf(machine: capi.Machine, facts: Facts, now: Instant): Partial<Status> {
  const { hasUserData, infrastructure, node } = facts
  const { name = '', namespace = '' } = machine.metadata
  const isReady = infrastructure === 'ready'
  const seen = node === 'unknown' ? undefined : node
  const nodeRef =
    seen === undefined
      ? machine.status?.nodeRef
      : { apiVersion: 'v1', kind: 'Node', name: seen.metadata.name ?? '', uid: seen.metadata.uid ?? '' }
  const nodeInfo = seen?.status?.nodeInfo ?? machine.status?.nodeInfo
  const isMade = machine.spec.providerID !== undefined
  return {
    phase: nodeRef !== undefined ? 'Running' : isMade ? 'Provisioned' : hasUserData ? 'Provisioning' : 'Pending',
    bootstrapReady: hasUserData,
    infrastructureReady: isReady,
    ...(nodeRef === undefined ? {} : { nodeRef }),
    ...(nodeInfo === undefined ? {} : { nodeInfo }),
    ...(isMade ? { addresses: [{ type: 'InternalIP' as const, address: machineAddress(namespace, name) }] } : {}),
    observedGeneration: machine.metadata.generation ?? 0,
    conditions: summed(
      machine.status?.conditions,
      [
        hasUserData ? well('BootstrapReady') : ill('BootstrapReady', 'WaitingForDataSecret'),
        infrastructure === 'ready'
          ? well('InfrastructureReady')
          : ill('InfrastructureReady', infrastructure.reason, infrastructure.message),
        nodeHealth(machine, node, nodeRef !== undefined),
      ],
      now,
    ),
  }
}

/** What the Node says of itself; what was last known while nobody can look. */
function nodeHealth({ status }: capi.Machine, node: Facts['node'], hasNode: boolean) {
  if (!hasNode) return ill('NodeHealthy', 'WaitingForNodeRef')
  if (node === 'unknown') {
    const before = findCondition(status?.conditions, 'NodeHealthy')
    if (before === undefined) return unclear('NodeHealthy', 'NodeInspectionFailed')
    const { lastTransitionTime: _, ...said } = before
    return said
  }
  if (node === undefined) return ill('NodeHealthy', 'NodeNotFound', 'The node of this machine is gone', 'Error')
  const ready = findCondition(node.status?.conditions, 'Ready')
  if (ready?.status === 'True') return well('NodeHealthy')
  const message = `Condition Ready on node is reporting status ${ready?.status ?? 'Unknown'} for ${ready?.reason ?? 'an unknown reason'}`
  return ready?.status === 'False'
    ? ill('NodeHealthy', 'NodeConditionsFailed', message, 'Warning')
    : unclear('NodeHealthy', 'NodeConditionsUnknown', message)
}
