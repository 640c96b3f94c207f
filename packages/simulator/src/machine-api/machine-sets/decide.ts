import { machineApi, type Node } from '@windlass/api'
import { type Instant, isTrue, parseTime } from '@windlass/core'
import {
  controllerOf,
  create,
  done,
  type Draft,
  mergePatchBetween,
  patch,
  type Plan,
  plan,
  refOf,
  remove,
  setControllerReference,
  status,
  wait,
} from '@windlass/kube'
import { complaints, injected, injectionsOf } from '../../cluster/injections/index.ts'
import { Annotation, machineFinalizer } from '../wire.ts'

export interface Observed {
  readonly set: machineApi.MachineSet
  /** Machines that it selects and that nobody else controls. */
  readonly machines: readonly machineApi.Machine[]
  /** Their nodes, by name. */
  readonly nodes: ReadonlyMap<string, Node>
  /** Names for as many machines as it lacks. */
  readonly names: readonly string[]
}

/** How many machines are missing. Those that are being deleted count as there: the provider still has them. */
export function missingOf({ metadata, spec }: machineApi.MachineSet, machines: readonly machineApi.Machine[]): number {
  return metadata.deletionTimestamp === undefined ? Math.max(0, (spec.replicas ?? 1) - machines.length) : 0
}

/** Keeps as many machines as were asked for. */
export function decide({ set, machines, nodes, names }: Observed, _now: Instant): Plan {
  if (set.metadata.deletionTimestamp !== undefined) return done
  const { injections, problems } = injectionsOf('MachineSet', set)
  const ofTemplate = injectionsOf('MachineSet', { ...set, metadata: set.spec.template?.metadata ?? {} }).injections
  const isHeld = injected([...injections, ...ofTemplate], 'no-machines') !== undefined
  const wanted = set.spec.replicas ?? 1
  const active = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const leaving = inOrderOfDeletion(set, active).slice(0, Math.max(0, active.length - wanted))
  const made = isHeld ? [] : names
  const because = `${wanted} machines are wanted and there are ${machines.length}`
  return plan(
    ...complaints(set, problems),
    ...active.flatMap((machine) => adopted(set, machine)),
    ...made.map((name) => create(machineApi.Machine, draft(set, name), because)),
    ...leaving.map((machine) => remove(machineApi.Machine, machine, because)),
    status(machineApi.MachineSet, set, statusOf(set, machines, nodes, made.length), 'its machines have changed', { ifUnchanged: true }),
    isHeld ? wait('somebody to let it make machines') : undefined,
  )
}

/** A machine that fits and has nobody becomes its own: this is how machines that were there before are counted. */
function adopted(set: machineApi.MachineSet, machine: machineApi.Machine) {
  if (controllerOf(machine) !== undefined) return []
  const change = mergePatchBetween(machine, setControllerReference(machine, set))
  return change === undefined ? [] : [patch(machineApi.Machine, refOf(machine), change, 'it fits', { ifStill: machine })]
}

/** Those that somebody has marked, then those without a node, then the newest, or the oldest where that is the policy. */
function inOrderOfDeletion({ spec }: machineApi.MachineSet, machines: readonly machineApi.Machine[]): readonly machineApi.Machine[] {
  const rank = ({ metadata, status: state }: machineApi.Machine): number =>
    metadata.annotations?.[Annotation.deleteMachine] !== undefined ? 0 : state?.nodeRef === undefined ? 1 : 2
  const age = ({ metadata }: machineApi.Machine): number =>
    (parseTime(metadata.creationTimestamp) ?? 0) * (spec.deletePolicy === 'Oldest' ? 1 : -1)
  return machines.toSorted((a, b) => rank(a) - rank(b) || age(a) - age(b) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
}

function draft(set: machineApi.MachineSet, name: string): Draft<machineApi.Machine> {
  const { metadata: born, spec = {} } = set.spec.template ?? {}
  return setControllerReference(
    {
      metadata: {
        name,
        namespace: set.metadata.namespace ?? '',
        labels: { ...born?.labels },
        annotations: { ...born?.annotations },
        finalizers: [machineFinalizer],
      },
      spec,
    },
    set,
  )
}

function statusOf(
  set: machineApi.MachineSet,
  machines: readonly machineApi.Machine[],
  nodes: ReadonlyMap<string, Node>,
  made: number,
): NonNullable<machineApi.MachineSet['status']> {
  const staying = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const isReady = ({ status: state }: machineApi.Machine): boolean =>
    isTrue(nodes.get(state?.nodeRef?.name ?? '')?.status?.conditions, 'Ready')
  const readyReplicas = staying.filter(isReady).length
  const replicas = staying.length + made
  return {
    observedGeneration: set.metadata.generation ?? 0,
    replicas,
    fullyLabeledReplicas: replicas,
    readyReplicas,
    availableReplicas: readyReplicas,
  }
}
