import { MachineConfigPool, type Node } from '@windlass/api'
import { findCondition, type Instant, isTrue } from '@windlass/core'
import { poolOf } from '@windlass/insights'
import { behind, type Cause, linkTo, placeOf, type Trouble } from '../cause.ts'
import { mergePatch } from '../commands.ts'
import type { ClassicEvidence, GuestEvidence } from '../evidence.ts'
import { nodeTroubles } from '../nodes/index.ts'
import { together } from '../together.ts'

/** What keeps the nodes of a machine config pool from its config, and from being well. */
export function poolTroubles(
  pool: MachineConfigPool,
  evidence: Pick<ClassicEvidence, 'machineConfigPools' | 'guest'>,
  now: Instant,
): readonly Trouble[] {
  const { spec, status } = pool
  const { conditions, machineCount = 0, updatedMachineCount = 0 } = status ?? {}
  const place = placeOf(MachineConfigPool, pool, 'guest')
  const render = findCondition(conditions, 'RenderDegraded')
  if (render?.status === 'True')
    return [
      {
        weight: 'Broken',
        links: [
          linkTo(place, `no config can be made for it: ${render.message ?? ''}`, {
            reason: render.reason,
            since: render.lastTransitionTime,
          }),
        ],
        remedy: 'Find the MachineConfig that does not fit the others, and put it right.',
      },
    ]
  const counted = `${updatedMachineCount} of ${machineCount} nodes have its config`
  const isBehind = updatedMachineCount < machineCount || isTrue(conditions, 'Updating')
  const updating = findCondition(conditions, 'Updating')
  const nodes = nodesOf(pool, evidence)
  const troubles = nodes.flatMap((node) => nodeTroubles(node, evidence.guest, now))
  if (spec.paused === true && isBehind) {
    // Those that had begun go on; the rest waits for somebody.
    const ofNodes = troubles.filter((trouble) => trouble.weight === 'Broken')
    const link = linkTo(place, `it is paused: ${counted}`, { reason: 'Paused', since: updating?.lastTransitionTime })
    return [held(place, link), ...ofNodes.map((each) => behind(linkTo(place, counted), each))]
  }
  const degraded = findCondition(conditions, 'Degraded')
  const isDegraded = degraded?.status === 'True'
  if (!isBehind && !isDegraded && troubles.length === 0) return []
  const link = linkTo(place, isDegraded ? `it is degraded: ${counted}` : counted, {
    reason: isDegraded ? 'Degraded' : isBehind ? 'Updating' : undefined,
    since: isDegraded ? degraded.lastTransitionTime : isBehind ? updating?.lastTransitionTime : undefined,
  })
  if (troubles.length > 0) return troubles.map((each) => behind(link, each))
  return [isDegraded ? silentlyDegraded(place, link, degraded.message ?? '') : { weight: 'Working', links: [link] }]
}

function held(place: Trouble['links'][0]['object'], link: Trouble['links'][0]): Trouble {
  return {
    weight: 'Held',
    links: [link],
    remedy: 'Let it go on when its nodes may restart.',
    command: mergePatch(place, { spec: { paused: false } }),
  }
}

function silentlyDegraded(place: Trouble['links'][0]['object'], link: Trouble['links'][0], message: string): Trouble {
  return {
    weight: 'Broken',
    links: [linkTo(place, `${link.says}: ${message}`, { reason: 'Degraded', since: link.since })],
    remedy: 'Put right what the message names.',
  }
}

/** In the order of their names, and those that are at work first: they are what the others wait for. */
function nodesOf(
  pool: MachineConfigPool,
  { machineConfigPools, guest }: { readonly machineConfigPools: readonly MachineConfigPool[]; readonly guest: GuestEvidence },
): readonly Node[] {
  const pools = machineConfigPools.map(({ metadata, spec }) => ({
    name: metadata.name ?? '',
    selector: spec.nodeSelector,
    isPaused: spec.paused === true,
    isLayered: false,
  }))
  return guest.nodes.filter(({ metadata }) => poolOf(metadata.labels, pools)?.name === pool.metadata.name)
}

/** All pools; those of the control plane are told by the operator that waits for them. */
export function poolCauses(evidence: ClassicEvidence, now: Instant): readonly Cause[] {
  return evidence.machineConfigPools.flatMap((pool) => together(poolTroubles(pool, evidence, now)))
}
