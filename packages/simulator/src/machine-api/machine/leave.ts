import { machineApi, Node } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import { type Action, done, patch, type Plan, plan, refOf, remove, requeueAfter, status, wait, withoutFinalizer } from '@windlass/kube'
import { injected, type Injection, injectionsOf, slowness } from '../../cluster/injections/index.ts'
import { secondsOf } from '../../profile/index.ts'
import { type Settings, takes } from '../settings.ts'
import { Annotation, machineFinalizer } from '../wire.ts'

/** A machine that is being deleted. */
export interface Leaving {
  readonly machine: machineApi.Machine
  readonly node: Node | undefined
  /** Pods on the node that have to go and are still there. */
  readonly left: number
  readonly settings: Settings
}

/** In seconds: how often a drain is tried. */
const retry = 20

/** Whether Pods are to be asked to go: not before the node is closed, and not when somebody holds it up on purpose. */
export function isToBeDrained(machine: machineApi.Machine, node: Node | undefined): boolean {
  return node?.spec.unschedulable === true && !isHeld(machine) && !isDrained(machine)
}

/** Takes a machine down, one step each time: its node is closed and drained, the provider deletes it, its node goes, and at last the Machine itself. */
export function leave({ machine, node, left, settings }: Leaving, now: Instant): Plan {
  if (!(machine.metadata.finalizers ?? []).includes(machineFinalizer)) return done
  const said = status(machineApi.Machine, machine, { phase: 'Deleting', lastUpdated: since(machine, now) }, 'it is being deleted', {
    ifUnchanged: true,
  })
  if (node !== undefined && !isDrained(machine)) return plan(said, ...drain(machine, node, left, settings, now))
  const { injections } = injectionsOf('Machine', machine)
  if (injected(injections, 'removal-stuck') !== undefined) return plan(said, wait('the provider, which does not delete it'))
  const from = parseTime(machine.metadata.annotations?.[Annotation.drained]) ?? deletedAt(machine, now)
  const at = from + length(machine, settings, injections, 'removal')
  if (now < at) return plan(said, requeueAfter(at - now), wait('the provider to delete it'))
  return plan(
    node === undefined ? undefined : remove(Node, node, 'its machine is gone', { gracePeriodSeconds: 0 }),
    withoutFinalizer(machineApi.Machine, machine, machineFinalizer),
  )
}

function drain(
  machine: machineApi.Machine,
  node: Node,
  left: number,
  settings: Settings,
  now: Instant,
): readonly (Action | Plan | undefined)[] {
  if (node.spec.unschedulable !== true) {
    return [patch(Node, refOf(node), { spec: { unschedulable: true } }, 'its machine is being deleted')]
  }
  const { injections } = injectionsOf('Machine', machine)
  const earliest = deletedAt(machine, now) + length(machine, settings, injections, 'drain')
  if (left === 0 && !isHeld(machine) && now >= earliest) {
    const annotations = { [Annotation.drained]: new Date(now).toISOString() }
    return [patch(machineApi.Machine, refOf(machine), { metadata: { annotations } }, 'no Pod is left that has to go')]
  }
  return [
    requeueAfter(now < earliest ? earliest - now : secondsOf(settings, retry)),
    wait(left === 0 ? 'the drain of its node' : `${left} Pods to leave its node`),
  ]
}

function isDrained({ metadata }: machineApi.Machine): boolean {
  return metadata.annotations?.[Annotation.drained] !== undefined || metadata.annotations?.[Annotation.withoutDrain] !== undefined
}

function isHeld(machine: machineApi.Machine): boolean {
  return injected(injectionsOf('Machine', machine).injections, 'drain-blocked') !== undefined
}

function since({ status: state }: machineApi.Machine, now: Instant): string {
  return state?.phase === 'Deleting' ? (state.lastUpdated ?? formatTime(now)) : formatTime(now)
}

function deletedAt({ metadata }: machineApi.Machine, now: Instant): Instant {
  return parseTime(metadata.deletionTimestamp) ?? now
}

function length(
  { metadata }: machineApi.Machine,
  settings: Settings,
  injections: readonly Injection<'Machine'>[],
  step: 'drain' | 'removal',
): number {
  return takes(settings, step, metadata.name ?? '', slowness(injections))
}
