import { machineApi, type Node } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { MachineLabel } from '@windlass/upgrades'
import { ageOf, patience } from '../ages.ts'
import { behind, linkTo, placeOf, type Trouble } from '../cause.ts'
import type { ClassicEvidence } from '../evidence.ts'
import { drainTroubles, nodeTroubles } from '../nodes/index.ts'

type Machines = Pick<ClassicEvidence, 'machineSets' | 'machines' | 'guest'>

/** What keeps the workers from coming that a managed upgrade adds for its time. */
export function extraWorkerTroubles(evidence: Machines, now: Instant): readonly Trouble[] {
  return evidence.machineSets.filter(isExtra).flatMap((set) => setTroubles(set, evidence, now))
}

/** What keeps them from going. */
export function leavingWorkerTroubles(evidence: Machines, now: Instant): readonly Trouble[] {
  return evidence.machines
    .filter((machine) => isExtra(machine) && machine.metadata.deletionTimestamp !== undefined)
    .flatMap((machine) => machineTroubles(machine, evidence, now))
}

function isExtra({ metadata }: machineApi.MachineSet | machineApi.Machine): boolean {
  return metadata.labels?.[MachineLabel.upgrade] === 'true'
}

function setTroubles(set: machineApi.MachineSet, evidence: Machines, now: Instant): readonly Trouble[] {
  const { metadata, spec, status } = set
  const wanted = spec.replicas ?? 1
  const own = evidence.machines.filter((machine) => machine.metadata.labels?.[MachineLabel.machineSet] === metadata.name)
  const link = linkTo(placeOf(machineApi.MachineSet, set, 'guest'), `${status?.readyReplicas ?? 0} of its ${wanted} machines are ready`, {
    since: metadata.creationTimestamp,
  })
  const troubles = own.flatMap((machine) => machineTroubles(machine, evidence, now))
  if (troubles.length > 0) return troubles.map((each) => behind(link, each))
  if (own.length >= wanted) return []
  return [
    {
      weight: ageOf(metadata.creationTimestamp, now) > 60_000 ? 'Broken' : 'Working',
      links: [
        linkTo(link.object, `it has made ${own.length} of ${wanted} machines`, { reason: 'NoMachines', since: metadata.creationTimestamp }),
      ],
      remedy: 'See whether the machine API operator runs, and what its controllers say about this set.',
    },
  ]
}

function machineTroubles(machine: machineApi.Machine, evidence: Machines, now: Instant): readonly Trouble[] {
  const { metadata, status } = machine
  const place = placeOf(machineApi.Machine, machine, 'guest')
  const node = nodeOf(machine, evidence)
  if (metadata.deletionTimestamp !== undefined) return leaving(machine, node, evidence, now)
  const { phase = 'Provisioning', errorReason, errorMessage, lastUpdated } = status ?? {}
  const since = lastUpdated ?? metadata.creationTimestamp
  if (phase === 'Failed' || errorReason !== undefined || errorMessage !== undefined)
    return [
      {
        weight: 'Broken',
        links: [
          linkTo(place, `the provider does not make it: ${errorMessage ?? 'it does not say why'}`, {
            reason: errorReason ?? 'Failed',
            since,
          }),
        ],
        remedy:
          'Put right what the provider names: a quota, a subnet, an image, credentials. A machine that has failed is not tried again: delete it.',
      },
    ]
  if (status?.nodeRef === undefined) {
    const isLate = ageOf(metadata.creationTimestamp, now) > patience.machine
    const says = phase === 'Provisioned' ? 'it has been made, and has not become a node' : 'the provider has not made it yet'
    return [
      {
        weight: isLate ? 'Broken' : 'Waiting',
        links: [linkTo(place, says, { reason: phase, since })],
        ...(isLate
          ? { remedy: 'Look at its console: it starts, fetches its configuration and asks for a certificate, in this order.' }
          : {}),
      },
    ]
  }
  if (node === undefined) return []
  const link = linkTo(place, `its node ${node.metadata.name ?? ''} is not ready`, { reason: phase, since })
  return nodeTroubles(node, evidence.guest, now).map((each) => behind(link, each))
}

function leaving(machine: machineApi.Machine, node: Node | undefined, evidence: Machines, now: Instant): readonly Trouble[] {
  const { deletionTimestamp: since } = machine.metadata
  const place = placeOf(machineApi.Machine, machine, 'guest')
  const link = linkTo(place, 'it is being deleted', { reason: 'Deleting', since })
  const isLate = ageOf(since, now) > patience.machine
  const weight = isLate ? 'Broken' : 'Waiting'
  // Who drains does not say when it has; Pods that are left do.
  const drain = node?.spec.unschedulable === true ? drainTroubles(node, evidence.guest, now, since) : []
  const blocked = drain.filter(({ links }) => links.length > 1)
  if (blocked.length > 0) return blocked.map((each) => behind(link, each))
  const says =
    node === undefined ? 'it is being deleted, and its provider still has it' : 'it is being deleted, and its node is still there'
  return [
    {
      weight,
      links: [linkTo(place, says, { reason: 'Deleting', since })],
      remedy: 'See what the machine controller says about its drain and its removal.',
    },
  ]
}

function nodeOf({ status }: machineApi.Machine, { guest }: Machines): Node | undefined {
  const name = status?.nodeRef?.name
  return name === undefined ? undefined : guest.nodes.find(({ metadata }) => metadata.name === name)
}
