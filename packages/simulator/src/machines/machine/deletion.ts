import { capi, Node } from '@windlass/api'
import { findCondition, formatTime, type Instant, parseTime, setCondition, tryParseDuration } from '@windlass/core'
import { type Action, done, patch, type Plan, plan, refOf, remove, requeueAfter, status, wait, withoutFinalizer } from '@windlass/kube'
import type { FollowedCluster, ReconcileContext } from '@windlass/kube'
import { type CapiCondition, ill, isWell, well } from '../conditions.ts'
import { failingWith, type MachineFailure, slownessOf } from '../failures.ts'
import { secondsOf } from '../../profile/index.ts'
import { type Settings, takes } from '../settings.ts'
import { machineFinalizer } from '../wire.ts'
import { evictPods } from './drain.ts'
import { endPods, isUnreachable } from './kubelet.ts'

export interface Leaving {
  readonly machine: capi.Machine
  /** Undefined when there is no guest any more: then nothing has to be moved. */
  readonly guest: FollowedCluster | undefined
  readonly node: Node | undefined
  /** Takes away what the provider keeps about it. */
  readonly removal: readonly Action[]
  readonly failures: readonly MachineFailure[]
  readonly settings: Settings
}

/** In seconds: how often a drain is tried. */
const retry = 5

/**
 * Takes a machine down, one step each time: its Pods move elsewhere, its volumes are detached, the provider deletes it, its Node goes, and at last the
 * Machine itself. Time limits of the Machine end the first two.
 */
export async function takeDown(leaving: Leaving, context: ReconcileContext): Promise<Plan> {
  const { machine, guest, node, removal: ofProvider, failures, settings } = leaving
  const { clock, signal } = context
  const now = clock.now()
  if (!(machine.metadata.finalizers ?? []).includes(machineFinalizer)) return done
  if (guest !== undefined && node !== undefined && !isWell(machine, 'DrainingSucceeded')) return drain(leaving, guest, node, context)
  if (guest !== undefined && node !== undefined && !isWell(machine, 'VolumeDetachSucceeded')) return detach(leaving, now)
  const removal = findCondition(machine.status?.conditions, 'InfrastructureReady')
  if (removal?.reason !== 'Deleting') {
    return say(machine, ill('InfrastructureReady', 'Deleting', 'the provider deletes the machine'), {}, now)
  }
  const due = (parseTime(removal.lastTransitionTime) ?? now) + takes(settings, 'removal', machine.metadata.name ?? '', slownessOf(failures))
  if (now < due) return requeueAfter(due - now, 'the provider to delete the machine')
  if (guest !== undefined && node !== undefined)
    await guest.act(remove(Node, node, 'its machine is gone', { gracePeriodSeconds: 0 }), signal)
  return plan(...ofProvider, withoutFinalizer(capi.Machine, machine, machineFinalizer))
}

async function drain(leaving: Leaving, guest: FollowedCluster, node: Node, { clock, signal }: ReconcileContext): Promise<Plan> {
  const { machine, failures, settings } = leaving
  const now = clock.now()
  const started = parseTime(machine.status?.deletion?.nodeDrainStartTime)
  if (started === undefined) {
    const deletion = { ...machine.status?.deletion, nodeDrainStartTime: formatTime(now) }
    return say(machine, ill('DrainingSucceeded', 'Draining', 'Draining the node before deletion'), { deletion }, now)
  }
  if (node.spec.unschedulable !== true) {
    await guest.act(patch(Node, refOf(node), { spec: { unschedulable: true } }, 'its machine is being deleted'), signal)
  }
  const isSilent = isUnreachable(failures)
  const left = await evictPods(guest, node, isSilent, signal)
  const nextEnd = isSilent ? Number.POSITIVE_INFINITY : await endPods(guest, node.metadata.name ?? '', settings, now, signal)
  const earliest = started + takes(settings, 'drain', machine.metadata.name ?? '', slownessOf(failures))
  const isBlocked = failingWith(failures, 'drain-blocked') !== undefined
  const limit = limitOf(machine.spec.nodeDrainTimeout)
  const isOver = now >= started + limit
  if (isOver || (left === 0 && !isBlocked && now >= earliest)) return say(machine, well('DrainingSucceeded'), {}, now)
  const again = Math.min(started + limit, nextEnd, now < earliest ? earliest : now + secondsOf(settings, retry))
  return plan(requeueAfter(Math.max(1, again - now)), wait(left === 0 ? 'the drain of its node' : `${left} Pods to leave its node`))
}

function detach({ machine, failures }: Leaving, now: Instant): Plan {
  const started = parseTime(machine.status?.deletion?.waitForNodeVolumeDetachStartTime)
  const isStuck = failingWith(failures, 'volume-stuck') !== undefined
  if (!isStuck) return say(machine, well('VolumeDetachSucceeded'), {}, now)
  if (started === undefined) {
    const deletion = { ...machine.status?.deletion, waitForNodeVolumeDetachStartTime: formatTime(now) }
    return say(
      machine,
      ill('VolumeDetachSucceeded', 'WaitingForVolumeDetach', 'Waiting for node volumes to be detached'),
      { deletion },
      now,
    )
  }
  const end = started + limitOf(machine.spec.nodeVolumeDetachTimeout)
  return now >= end ? say(machine, well('VolumeDetachSucceeded'), {}, now) : requeueAfter(end - now, 'its volumes to be detached')
}

/** Zero means for ever, and so does nothing. */
function limitOf(text: string | undefined): number {
  const limit = text === undefined ? 0 : (tryParseDuration(text) ?? 0)
  return limit === 0 ? Number.POSITIVE_INFINITY : limit
}

function say(machine: capi.Machine, said: Omit<CapiCondition, 'lastTransitionTime'>, more: object, now: Instant): Plan {
  const conditions = [said, ill('Ready', 'Deleting', 'the machine is being deleted')].reduce<readonly CapiCondition[]>(
    (all, each) => setCondition<CapiCondition>(all, each, now),
    machine.status?.conditions ?? [],
  )
  return plan(
    status(capi.Machine, machine, { phase: 'Deleting', conditions, ...more }, `it is being deleted: ${said.type} is ${said.status}`, {
      ifUnchanged: true,
    }),
  )
}
