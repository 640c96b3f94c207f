import { machineApi, Node } from '@windlass/api'
import { formatTime, type Instant, parseTime } from '@windlass/core'
import { type Action, create, ensureFinalizer, patch, type Plan, plan, refOf, requeueAfter, status, wait } from '@windlass/kube'
import { complaints, injected, type Injection, injectionsOf, slowness } from '../../cluster/injections/index.ts'
import { type MachineApiStep, type Settings, takes } from '../settings.ts'
import { Annotation, machineFinalizer } from '../wire.ts'
import { kubeletWord, nodeDraft } from './node.ts'

export interface Observed {
  readonly machine: machineApi.Machine
  /** The node that it has become. */
  readonly node: Node | undefined
  /** The release of the config that a new node starts with; undefined while its pool has not given it one. */
  readonly version: string | undefined
  readonly settings: Settings
}

type Injections = readonly Injection<'Machine'>[]
type Status = NonNullable<machineApi.Machine['status']>

/** What comes next for a machine that is to stay. */
interface Move {
  readonly status: Status
  readonly action?: Action | undefined
  /** When there is more to do. */
  readonly at?: Instant
  readonly waitingFor?: string
}

/** Takes a machine one step further: the provider makes it, it starts, its node is there, its node is ready. */
export function advance(observed: Observed, now: Instant): Plan {
  const { machine } = observed
  const { injections, problems } = injectionsOf('Machine', machine)
  const move = moveOf(observed, injections, now)
  const isNews = move.status.phase !== machine.status?.phase
  const lastUpdated = isNews ? formatTime(now) : (machine.status?.lastUpdated ?? formatTime(now))
  // What went wrong before is over unless it is said again.
  const said = { errorReason: undefined, errorMessage: undefined, ...move.status, lastUpdated }
  return plan(
    ...complaints(machine, problems),
    ensureFinalizer(machineApi.Machine, machine, machineFinalizer),
    status(machineApi.Machine, machine, said, `it is ${move.status.phase ?? ''}`, { ifUnchanged: true }),
    move.action,
    move.at === undefined ? undefined : requeueAfter(Math.max(1, move.at - now)),
    move.waitingFor === undefined ? undefined : wait(move.waitingFor),
  )
}

function moveOf(observed: Observed, injections: Injections, now: Instant): Move {
  const { machine, node } = observed
  if (node !== undefined) return running(observed, node, injections, now)
  if (machine.status?.nodeRef !== undefined) return { status: machine.status, waitingFor: 'its node, which somebody has deleted' }
  return machine.spec.providerID === undefined ? provisioning(observed, injections, now) : provisioned(observed, injections, now)
}

function provisioning({ machine, settings }: Observed, injections: Injections, now: Instant): Move {
  const { name = '' } = machine.metadata
  const quota = injected(injections, 'quota')
  if (quota !== undefined) {
    const errorReason = quota.reason ?? 'InsufficientResources'
    return {
      status: { phase: 'Failed', errorReason, errorMessage: `error launching instance: ${errorReason}` },
      waitingFor: 'the provider to have room for it',
    }
  }
  const at = bornAt(machine, now) + length(machine, settings, injections, 'provision')
  const state: Status = { phase: 'Provisioning' }
  if (now < at) return { status: state, at, waitingFor: 'the provider to make it' }
  const body = { metadata: { annotations: { [Annotation.instanceState]: 'running' } }, spec: { providerID: `simulator:///${name}` } }
  return { status: state, action: patch(machineApi.Machine, refOf(machine), body, 'the provider has made it') }
}

function provisioned({ machine, settings }: Observed, injections: Injections, now: Instant): Move {
  const state: Status = { phase: 'Provisioned' }
  if (injected(injections, 'no-node') !== undefined) return { status: state, waitingFor: 'it to become a node' }
  const steps = (['provision', 'boot'] as const).map((step) => length(machine, settings, injections, step))
  const at = steps.reduce((sum, step) => sum + step, bornAt(machine, now))
  if (now < at) return { status: state, at, waitingFor: 'it to start' }
  return { status: state, action: create(Node, nodeDraft(machine), 'its machine has started') }
}

function running({ machine, version, settings }: Observed, node: Node, injections: Injections, now: Instant): Move {
  const { name = '', uid = '' } = node.metadata
  const state: Status = { phase: 'Running', nodeRef: { kind: 'Node', name, uid } }
  const linked = link(machine, node)
  if (linked !== undefined) return { status: state, action: linked }
  const starts = (parseTime(node.metadata.creationTimestamp) ?? now) + length(machine, settings, injections, 'kubelet')
  const isHeld = injected(injections, 'never-ready') !== undefined
  const word = kubeletWord(node, version, { isHeld, starts }, now)
  return {
    status: state,
    action: word.action,
    ...(word.at === undefined ? {} : { at: word.at }),
    ...(word.waitingFor === undefined ? {} : { waitingFor: word.waitingFor }),
  }
}

/** A node says which machine it came from. One that was there before the machine is told. */
function link({ metadata: { namespace = '', name = '' } }: machineApi.Machine, node: Node): Action | undefined {
  const value = `${namespace}/${name}`
  if (node.metadata.annotations?.[Annotation.machine] === value) return undefined
  return patch(Node, refOf(node), { metadata: { annotations: { [Annotation.machine]: value } } }, 'this is its machine')
}

function length({ metadata }: machineApi.Machine, settings: Settings, injections: Injections, step: MachineApiStep): number {
  return takes(settings, step, metadata.name ?? '', slowness(injections))
}

function bornAt({ metadata }: machineApi.Machine, now: Instant): Instant {
  return parseTime(metadata.creationTimestamp) ?? now
}
