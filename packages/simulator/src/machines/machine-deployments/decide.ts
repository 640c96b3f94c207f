import { capi } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { type Action, create, done, patch, type Plan, plan, refOf, remove, status, wait } from '@windlass/kube'
import { ill, summed, well } from '../conditions.ts'
import { isPaused } from '../wire.ts'
import { type Bounds, boundsOf } from './bounds.ts'
import { handedDownPatch, newMachineSet, type Revisions, revisionsOf } from './revisions.ts'
import { newSize, onDeleteStep, presentOf, rollingStep, sizeOf } from './rolling-step.ts'

export interface Observed {
  readonly deployment: capi.MachineDeployment
  /** All that it controls. */
  readonly sets: readonly capi.MachineSet[]
  /** How many Machines of a set are not being deleted. */
  readonly active: (set: capi.MachineSet) => number
}

/** Old MachineSets without machines that stay, for people who want to know what was before. */
const history = 1

/**
 * Takes a MachineDeployment one step further, or says how far it is.
 *
 * Nothing is decided, and nothing said, about MachineSets that nobody has looked at since they were last changed: what they say is about the past.
 */
export function decide(observed: Observed, now: Instant): Plan {
  const { deployment, sets } = observed
  if (deployment.metadata.deletionTimestamp !== undefined) return done
  const unseen = sets.find((set) => (set.status?.observedGeneration ?? 0) < (set.metadata.generation ?? 0))
  if (unseen !== undefined) return wait(`MachineSet ${unseen.metadata.name ?? ''} to be looked at`)
  const bounds = boundsOf(deployment)
  const revisions = revisionsOf(deployment, sets)
  const steps = isPaused(deployment) || deployment.spec.paused === true ? [] : stepsOf(observed, revisions, bounds)
  if (steps.length > 0) return plan(...steps)
  const judged = statusOf(deployment, revisions, bounds, now)
  return plan(
    status(capi.MachineDeployment, deployment, judged, 'its MachineSets have changed', { ifUnchanged: true }),
    ...outdated(revisions),
  )
}

function stepsOf({ deployment, active }: Observed, revisions: Revisions, bounds: Bounds): readonly Action[] {
  const { current, old } = revisions
  const isOnDelete = deployment.spec.strategy?.type === 'OnDelete'
  if (current === undefined) {
    const replicas = isOnDelete ? Math.max(0, bounds.replicas - total(old)) : newSize(undefined, bounds, old)
    return [create(capi.MachineSet, newMachineSet(deployment, replicas), 'there is none for the present template')]
  }
  const change = handedDownPatch(deployment, current)
  if (change !== undefined) return [patch(capi.MachineSet, refOf(current), change, 'its MachineDeployment says so', { ifStill: current })]
  const sizes = isOnDelete ? onDeleteStep({ current, old }, bounds, active) : rollingStep({ current, old }, bounds)
  return Array.from(sizes, ([set, replicas]) => {
    const because = `${bounds.replicas} machines are wanted, ${set === current ? 'all' : 'none'} of them from this template`
    return patch(capi.MachineSet, refOf(set), { spec: { replicas } }, because, { ifStill: set })
  })
}

function total(sets: readonly capi.MachineSet[]): number {
  return sets.reduce((sum, set) => sum + presentOf(set), 0)
}

type Status = NonNullable<capi.MachineDeployment['status']>

function statusOf(deployment: capi.MachineDeployment, { current, old }: Revisions, bounds: Bounds, now: Instant): Status {
  const all = current === undefined ? old : [current, ...old]
  const sum = (count: (status: NonNullable<capi.MachineSet['status']>) => number | undefined): number =>
    all.reduce((result, set) => result + (set.status === undefined ? 0 : (count(set.status) ?? 0)), 0)
  const replicas = sum((each) => each.replicas)
  const readyReplicas = sum((each) => each.readyReplicas)
  const availableReplicas = sum((each) => each.availableReplicas)
  const updatedReplicas = current?.status?.replicas ?? 0
  const isAvailable = availableReplicas >= bounds.leastAvailable
  const missing = `Minimum availability requires ${bounds.leastAvailable} replicas, current ${availableReplicas} available`
  const setReady = current?.status?.conditions?.find(({ type }) => type === 'Ready')
  const conditions = summed(
    deployment.status?.conditions,
    [
      isAvailable ? well('Available') : ill('Available', 'WaitingForAvailableMachines', missing, 'Warning'),
      setReady === undefined || setReady.status === 'True'
        ? well('MachineSetReady')
        : ill('MachineSetReady', setReady.reason ?? 'NotReady', setReady.message ?? '', 'Warning'),
    ],
    now,
  )
  const isMoving = replicas !== bounds.replicas || updatedReplicas !== bounds.replicas
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    phase: isMoving ? (replicas > bounds.replicas ? 'ScalingDown' : 'ScalingUp') : 'Running',
    selector: Object.entries(deployment.spec.selector.matchLabels ?? {})
      .map(([key, value]) => `${key}=${value}`)
      .toSorted()
      .join(','),
    replicas,
    updatedReplicas,
    readyReplicas,
    availableReplicas,
    unavailableReplicas: Math.max(0, bounds.replicas - availableReplicas),
    conditions,
    v1beta2: { readyReplicas, availableReplicas, upToDateReplicas: updatedReplicas },
  }
}

function outdated({ old }: Revisions): readonly Action[] {
  const empty = old.filter((set) => sizeOf(set) === 0 && (set.status?.replicas ?? 0) === 0 && set.metadata.deletionTimestamp === undefined)
  return empty.slice(0, Math.max(0, empty.length - history)).map((set) => remove(capi.MachineSet, set, 'it has had its time'))
}
