import { Node } from '@windlass/api'
import { findCondition, type Instant } from '@windlass/core'
import { ageOf, patience } from '../ages.ts'
import { linkTo, placeOf, type Trouble } from '../cause.ts'
import type { GuestEvidence } from '../evidence.ts'
import { drainTroubles } from './drain.ts'
import { cordonedSince, notesOn } from './notes.ts'

type Rule = (node: Node, guest: GuestEvidence, now: Instant) => readonly Trouble[]

/** The first that has something to say. What the daemon has given up comes before what it is doing, and that before what follows from it. */
const rules: readonly Rule[] = [degraded, draining, restarting, silent, pressed, changing]

/** What keeps a node from being ready, and from what it should run. Nothing when it is where it should be. */
export function nodeTroubles(node: Node, guest: GuestEvidence, now: Instant): readonly Trouble[] {
  for (const rule of rules) {
    const troubles = rule(node, guest, now)
    if (troubles.length > 0) return troubles
  }
  return []
}

function degraded(node: Node, guest: GuestEvidence, now: Instant): readonly Trouble[] {
  const { state, reason, desired, isDraining } = notesOn(node)
  if (desired === '' || (state !== 'Degraded' && state !== 'Unreconcilable')) return []
  if (isDraining) {
    const blocked = drainTroubles(node, guest, now).filter(({ links }) => links.length > 1)
    if (blocked.length > 0) return blocked
  }
  return [
    {
      weight: 'Broken',
      links: [
        linkTo(placeOf(Node, node, 'guest'), `its machine config daemon has failed: ${reason === '' ? 'it does not say why' : reason}`, {
          reason: state,
          since: cordonedSince(node),
        }),
      ],
      remedy: 'Put right what the daemon names; it tries again by itself.',
    },
  ]
}

function draining(node: Node, guest: GuestEvidence, now: Instant): readonly Trouble[] {
  return notesOn(node).isDraining ? drainTroubles(node, guest, now) : []
}

function restarting(node: Node, _: GuestEvidence, now: Instant): readonly Trouble[] {
  const { state, current, desired } = notesOn(node)
  if (state !== 'Rebooting' || current === desired) return []
  const ready = findCondition(node.status?.conditions, 'Ready')
  const since = ready?.status === 'True' ? cordonedSince(node) : ready?.lastTransitionTime
  const isLate = ready?.status !== 'True' && ageOf(since, now) > patience.node
  const said = ready?.status === 'False' ? `: ${ready.message ?? ''}` : ''
  const says = isLate ? `it restarts with its new config and has not come back${said}` : `it restarts with its new config${said}`
  return [
    {
      weight: isLate || ready?.status === 'False' ? 'Broken' : 'Working',
      links: [linkTo(placeOf(Node, node, 'guest'), says, { reason: ready?.status === 'False' ? ready.reason : 'Rebooting', since })],
      ...(isLate ? { remedy: 'Look at the console of its machine.' } : {}),
    },
  ]
}

function silent(node: Node, _: GuestEvidence, now: Instant): readonly Trouble[] {
  const ready = findCondition(node.status?.conditions, 'Ready')
  if (ready?.status === 'True') return []
  const since = ready?.lastTransitionTime ?? node.metadata.creationTimestamp
  const says =
    ready === undefined
      ? 'its kubelet has not said anything yet'
      : ready.status === 'Unknown'
        ? `nobody hears of its kubelet: ${ready.message ?? ''}`
        : `it is not ready: ${ready.message ?? ''}`
  return [
    {
      weight: ageOf(since, now) > patience.unready ? 'Broken' : 'Waiting',
      links: [linkTo(placeOf(Node, node, 'guest'), says, { reason: ready?.reason ?? 'NodeStatusNeverUpdated', since })],
      remedy: 'Look at its kubelet and at its network; replace its machine if it does not come back.',
    },
  ]
}

const pressures = ['DiskPressure', 'MemoryPressure', 'PIDPressure', 'NetworkUnavailable']

function pressed(node: Node): readonly Trouble[] {
  const condition = pressures
    .map((type) => findCondition(node.status?.conditions, type))
    .find((each) => each !== undefined && each.status !== 'False')
  if (condition === undefined) return []
  const { type, reason, message, lastTransitionTime: since } = condition
  return [
    {
      weight: 'Broken',
      links: [linkTo(placeOf(Node, node, 'guest'), `${type} is ${condition.status}: ${message ?? ''}`, { reason: reason ?? type, since })],
      remedy: type === 'NetworkUnavailable' ? 'See what the network operator says about this node.' : 'Give the node room, or replace it.',
    },
  ]
}

/** It has another config to go to, and nothing stands in its way that could be seen. */
function changing(node: Node, _: GuestEvidence, now: Instant): readonly Trouble[] {
  const { state, current, desired } = notesOn(node)
  if (desired === '' || current === desired) return []
  const since = cordonedSince(node)
  const hasBegun = state === 'Working'
  const isLate = ageOf(since, now) > patience.node
  return [
    {
      weight: !hasBegun || isLate ? 'Waiting' : 'Working',
      links: [
        linkTo(
          placeOf(Node, node, 'guest'),
          hasBegun
            ? `its machine config daemon takes it to ${desired}`
            : `its machine config daemon has not begun to take it to ${desired}`,
          { reason: hasBegun ? 'Updating' : 'NotBegun', since },
        ),
      ],
      remedy: 'See whether its machine config daemon runs, and what it writes.',
    },
  ]
}
