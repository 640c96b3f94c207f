import { capi } from '@windlass/api'
import { type Instant, parseTime } from '@windlass/core'
import {
  type Action,
  create,
  done,
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
import type { Draft } from '@windlass/kube'
import { ill, isWell, summed, well } from '../conditions.ts'
import { Annotation, isPaused, Label, machineFinalizer } from '../wire.ts'

export interface Observed {
  readonly set: capi.MachineSet
  /** All that it controls. */
  readonly machines: readonly capi.Machine[]
  /** Names for as many Machines as it lacks. */
  readonly names: readonly string[]
  /** What its template would need that is not there. */
  readonly missingTemplate: string | undefined
}

/** How many Machines are missing. Those that are being deleted count as there: the provider still has them. */
export function missingOf({ metadata, spec }: capi.MachineSet, machines: readonly capi.Machine[]): number {
  return metadata.deletionTimestamp === undefined ? Math.max(0, (spec.replicas ?? 1) - machines.length) : 0
}

/** Keeps as many machines as were asked for. */
export function decide(observed: Observed, now: Instant): Plan {
  const { set, machines, names, missingTemplate } = observed
  if (set.metadata.deletionTimestamp !== undefined) return done
  if (isPaused(set)) return wait('its pause to end')
  const wanted = set.spec.replicas ?? 1
  const active = machines.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const leaving = inOrderOfDeletion(active).slice(0, Math.max(0, active.length - wanted))
  const made = missingTemplate === undefined ? names : []
  const because = `${wanted} machines are wanted and there are ${machines.length}`
  return plan(
    ...made.map((name) => create(capi.Machine, draft(set, name), because)),
    ...leaving.map((machine) => remove(capi.Machine, machine, because)),
    ...active.filter((machine) => !leaving.includes(machine)).flatMap((machine) => handedDown(set, machine)),
    // What was made and removed above is counted already: one write says it all.
    status(capi.MachineSet, set, statusOf(observed, leaving, made.length, now), 'its machines have changed', { ifUnchanged: true }),
    missingTemplate === undefined ? undefined : wait(missingTemplate),
  )
}

/** Those that somebody has marked, then those that do not work, then the newest. */
function inOrderOfDeletion(machines: readonly capi.Machine[]): readonly capi.Machine[] {
  const rank = (machine: capi.Machine): number =>
    machine.metadata.annotations?.[Annotation.deleteMachine] !== undefined ? 0 : isWell(machine, 'NodeHealthy') ? 2 : 1
  const born = ({ metadata }: capi.Machine): number => parseTime(metadata.creationTimestamp) ?? 0
  return machines.toSorted((a, b) => rank(a) - rank(b) || born(b) - born(a) || ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1))
}

function draft(set: capi.MachineSet, name: string): Draft<capi.Machine> {
  const { namespace = '' } = set.metadata
  const { metadata: born, spec } = set.spec.template ?? {}
  const { apiVersion = '', kind = '' } = spec?.infrastructureRef ?? {}
  return setControllerReference(
    {
      metadata: {
        name,
        namespace,
        labels: { ...born?.labels, [Label.clusterName]: set.spec.clusterName, [Label.setName]: set.metadata.name ?? '' },
        annotations: { ...born?.annotations },
        finalizers: [machineFinalizer],
      },
      spec: {
        ...spec,
        clusterName: set.spec.clusterName,
        bootstrap: spec?.bootstrap ?? {},
        // A machine is made from a template once, and has a thing of its own then.
        infrastructureRef: { apiVersion, kind: kind.replace(/Template$/, ''), namespace, name },
      },
    },
    set,
  )
}

/** Labels, annotations and time limits of the template, on a machine that is there. What others have put there stays. */
function handedDown(set: capi.MachineSet, machine: capi.Machine): readonly Action[] {
  const { metadata: born, spec } = set.spec.template ?? {}
  const { nodeDrainTimeout, nodeVolumeDetachTimeout, nodeDeletionTimeout } = spec ?? {}
  const { nodeDrainTimeout: _, nodeVolumeDetachTimeout: _detach, nodeDeletionTimeout: _deletion, ...kept } = machine.spec
  const after = {
    ...machine,
    metadata: {
      ...machine.metadata,
      ...(born?.labels === undefined ? {} : { labels: { ...machine.metadata.labels, ...born.labels } }),
      ...(Object.keys(born?.annotations ?? {}).length === 0
        ? {}
        : { annotations: { ...machine.metadata.annotations, ...born?.annotations } }),
    },
    spec: {
      ...kept,
      ...(nodeDrainTimeout === undefined ? {} : { nodeDrainTimeout }),
      ...(nodeVolumeDetachTimeout === undefined ? {} : { nodeVolumeDetachTimeout }),
      ...(nodeDeletionTimeout === undefined ? {} : { nodeDeletionTimeout }),
    },
  }
  const change = mergePatchBetween(machine, after)
  return change === undefined ? [] : [patch(capi.Machine, refOf(machine), change, 'its MachineSet says so', { ifStill: machine })]
}

type Status = NonNullable<capi.MachineSet['status']>

function statusOf({ set, machines, missingTemplate }: Observed, leaving: readonly capi.Machine[], made: number, now: Instant): Status {
  const wanted = set.spec.replicas ?? 1
  const staying = machines.filter((machine) => machine.metadata.deletionTimestamp === undefined && !leaving.includes(machine))
  const readyReplicas = staying.filter((machine) => isWell(machine, 'Ready') && isWell(machine, 'NodeHealthy')).length
  const replicas = machines.length + made
  const sick = staying.length + made - readyReplicas
  const conditions = summed(
    set.status?.conditions,
    [
      missingTemplate === undefined
        ? well('MachinesCreated')
        : ill('MachinesCreated', 'InfrastructureTemplateCloningFailed', missingTemplate, 'Error'),
      replicas === wanted
        ? well('Resized')
        : ill(
            'Resized',
            replicas < wanted ? 'ScalingUp' : 'ScalingDown',
            `Scaling ${replicas < wanted ? 'up' : 'down'} MachineSet to ${wanted} replicas (actual ${replicas})`,
          ),
      sick === 0
        ? well('MachinesReady')
        : ill('MachinesReady', 'MachinesNotReady', `${sick} of ${staying.length + made} machines are not ready`),
    ],
    now,
  )
  return {
    observedGeneration: set.metadata.generation ?? 0,
    selector: Object.entries(set.spec.selector.matchLabels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .toSorted()
      .join(','),
    replicas,
    fullyLabeledReplicas: replicas,
    readyReplicas,
    availableReplicas: readyReplicas,
    conditions,
    v1beta2: { readyReplicas, availableReplicas: readyReplicas, upToDateReplicas: replicas },
  }
}
