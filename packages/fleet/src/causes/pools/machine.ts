import { capi, type Node, type NodePool } from '@windlass/api'
import { findCondition, type Instant, isFalse } from '@windlass/core'
import { ageOf, patience } from '../ages.ts'
import { behind, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { GuestEvidence } from '../evidence.ts'
import { drainTroubles, nodeTroubles } from '../nodes/index.ts'

/** A machine of a pool, and what is known around it. */
export interface MachineView {
  readonly machine: capi.Machine
  readonly pool: NodePool
  readonly node: Node | undefined
  readonly guest: GuestEvidence
  /** What keeps machines from reaching the ignition endpoint. */
  readonly ignition: readonly Trouble[]
  readonly now: Instant
}

type Rule = (view: MachineView) => readonly Trouble[]

/** The first that has something to say: a machine takes these steps in this order. */
const rules: readonly Rule[] = [leaving, lost, unprepared, unmade, unborn, unwell]

/** What keeps a machine from being a node that is ready and runs what it should, or from going. Nothing when it is well. */
export function machineTroubles(view: MachineView): readonly Trouble[] {
  for (const rule of rules) {
    const troubles = rule(view)
    if (troubles.length > 0) return troubles
  }
  return []
}

function leaving({ machine, node, guest, now }: MachineView): readonly Trouble[] {
  const { deletionTimestamp: since } = machine.metadata
  if (since === undefined) return []
  const { conditions, deletion } = machine.status ?? {}
  const place = placeOf(capi.Machine, machine, 'management')
  const link = linkTo(place, 'it is to go', { reason: 'Deleting', since })
  const weight = ageOf(since, now) > patience.machine ? 'Broken' : 'Waiting'
  if (isFalse(conditions, 'DrainingSucceeded') && node !== undefined)
    return drainTroubles(node, guest, now, deletion?.nodeDrainStartTime ?? since).map((each) => behind(link, each))
  const volumes = findCondition(conditions, 'VolumeDetachSucceeded')
  if (volumes?.status === 'False')
    return [
      {
        weight,
        links: [
          linkTo(place, 'it is to go, and volumes of its node have not been detached', {
            reason: volumes.reason,
            since: volumes.lastTransitionTime,
          }),
        ],
        remedy:
          'See which VolumeAttachments name its node, and what their driver says. spec.nodeVolumeDetachTimeout of the pool ends the wait.',
      },
    ]
  const drain = findCondition(conditions, 'DrainingSucceeded')
  if (drain?.status === 'False')
    return [
      {
        weight,
        links: [
          linkTo(place, `it is to go, and its node is being drained: ${drain.message ?? ''}`, {
            reason: drain.reason,
            since: drain.lastTransitionTime,
          }),
        ],
      },
    ]
  const provider = findCondition(conditions, 'InfrastructureReady')
  const says = provider?.reason === 'Deleting' ? 'it is to go, and its provider has not deleted it yet' : 'it is to go'
  return [
    {
      weight: weight === 'Broken' ? 'Broken' : 'Working',
      links: [linkTo(place, says, { reason: 'Deleting', since: provider?.reason === 'Deleting' ? provider.lastTransitionTime : since })],
    },
  ]
}

/** The provider has given up, or has lost it. */
function lost({ machine }: MachineView): readonly Trouble[] {
  const { failureReason, failureMessage, conditions } = machine.status ?? {}
  const place = placeOf(capi.Machine, machine, 'management')
  if (failureReason !== undefined || failureMessage !== undefined)
    return [
      {
        weight: 'Broken',
        links: [linkTo(place, `it has failed for good: ${failureMessage ?? ''}`, { reason: failureReason ?? 'Failed' })],
        remedy: 'Delete it: another one is made.',
      },
    ]
  const provider = findCondition(conditions, 'InfrastructureReady')
  const isMade = machine.spec.providerID !== undefined
  if (!isMade || provider?.status !== 'False') return []
  return [
    {
      weight: 'Broken',
      links: [
        linkTo(place, `its provider does not have it any more: ${provider.message ?? ''}`, {
          reason: provider.reason,
          since: provider.lastTransitionTime,
        }),
      ],
      remedy: 'Delete it: another one is made. With spec.management.autoRepair that happens by itself.',
    },
  ]
}

function unprepared({ machine }: MachineView): readonly Trouble[] {
  const prepared = findCondition(machine.status?.conditions, 'BootstrapReady')
  if (prepared?.status !== 'False') return []
  const says = 'its user data is not there: the Secret that it is started with has not been made'
  const { reason, lastTransitionTime: since } = prepared
  return [{ weight: 'Waiting', links: [linkTo(placeOf(capi.Machine, machine, 'management'), says, { reason, since })] }]
}

/** What a provider says that has not come to it yet. */
const queueing: ReadonlySet<string> = new Set(['WaitingForInfrastructure', ''])

function unmade({ machine, now }: MachineView): readonly Trouble[] {
  const { conditions } = machine.status ?? {}
  const provider = findCondition(conditions, 'InfrastructureReady')
  if (provider?.status === 'True' || machine.status?.nodeRef !== undefined) return []
  const { reason = '', message = '' } = provider ?? {}
  const since = provider?.lastTransitionTime ?? machine.metadata.creationTimestamp
  const isQueueing = queueing.has(reason)
  const isLate = ageOf(machine.metadata.creationTimestamp, now) > patience.machine
  const says = isQueueing ? 'its provider has not made it yet' : `its provider does not make it: ${message}`
  return [
    {
      weight: isQueueing ? (isLate ? 'Waiting' : 'Working') : 'Broken',
      links: [
        linkTo(placeOf(capi.Machine, machine, 'management'), says, { reason: isQueueing ? 'WaitingForInfrastructure' : reason, since }),
      ],
      ...(isQueueing ? {} : { remedy: 'Put right what the provider names: a quota, capacity, an image, credentials.' }),
    },
  ]
}

/** It has been made and is no node. What it does meanwhile nobody sees but the ignition server. */
function unborn({ machine, pool, ignition, now }: MachineView): readonly Trouble[] {
  if (machine.status?.nodeRef !== undefined) return []
  const made = findCondition(machine.status?.conditions, 'InfrastructureReady')
  const since = made?.lastTransitionTime ?? machine.metadata.creationTimestamp
  const reached = findCondition(pool.status?.conditions, 'ReachedIgnitionEndpoint')
  const isLate = ageOf(since, now) > patience.machine
  const says =
    reached?.status === 'False'
      ? 'it has been made and has not become a node: no machine of this configuration has fetched it from the ignition endpoint'
      : 'it has been made and has not become a node'
  const link = linkTo(placeOf(capi.Machine, machine, 'management'), says, { reason: 'WaitingForNodeRef', since })
  if (reached?.status === 'False' && ignition.length > 0) return ignition.map((each) => behind(link, each))
  return [
    {
      weight: isLate ? 'Broken' : 'Waiting',
      links: [link],
      remedy:
        reached?.status === 'False'
          ? 'See whether machines can reach the ignition endpoint of the cluster (status.ignitionEndpoint): DNS, firewall, certificate.'
          : 'Look at its console: it fetches its configuration, starts its kubelet and asks for a certificate, in this order.',
    },
  ]
}

function unwell({ machine, node, guest, now }: MachineView): readonly Trouble[] {
  const healthy = findCondition(machine.status?.conditions, 'NodeHealthy')
  const place = placeOf(capi.Machine, machine, 'management')
  const ofNode = node === undefined ? [] : nodeTroubles(node, guest, now)
  if (healthy?.status === 'True' || healthy === undefined) {
    const link = linkTo(place, `its node ${node?.metadata.name ?? ''} is being changed`)
    return ofNode.map((each) => behind(link, each))
  }
  const { reason, message = '', lastTransitionTime: since } = healthy
  const link = linkTo(place, `its node is not healthy: ${message}`, { reason, since })
  if (ofNode.length > 0) return ofNode.map((each) => behind(link, each))
  return [
    {
      weight: reason === 'NodeNotFound' || ageOf(since, now) > patience.unready ? 'Broken' : 'Waiting',
      links: [link],
      ...(reason === 'NodeNotFound'
        ? { remedy: 'A Node that was deleted does not come back: delete the machine, and another one is made.' }
        : {}),
    },
  ]
}
