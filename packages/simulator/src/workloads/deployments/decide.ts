import { Deployment, type JsonObject, ReplicaSet } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { type Action, create, done, patch, type Plan, plan, refOf, remove, status, wait } from '@windlass/kube'
import { again } from '../again.ts'
import { type Bounds, boundsOf } from './bounds.ts'
import { progressing, withCondition } from './conditions.ts'
import { newReplicaSet, nextRevision, notes, revisionAnnotation, revisionOf, type Revisions, revisionsOf } from './revisions.ts'
import { newSize, rollingStep, sizeOf, type Sizes } from './rolling-update.ts'
import { isScaled, scaledSizes } from './scaling.ts'
import { judge } from './status.ts'

export interface Observed {
  readonly deployment: Deployment
  /** All that it controls. */
  readonly replicaSets: readonly ReplicaSet[]
  /** Names of those that still have Pods, be they on their way out. Only asked for where no two templates may run at the same time. */
  readonly occupied: ReadonlySet<string>
}

/**
 * Takes a Deployment one step further, or says how far it is.
 *
 * Nothing is decided, and nothing said, about ReplicaSets that nobody has looked at since they were last changed: what they say about themselves is
 * about the past. So no rollout takes Pods away because of others that are going too, and no status calls a rollout complete that has just begun.
 */
export function decide(observed: Observed, now: Instant): Plan {
  const { deployment, replicaSets } = observed
  if (deployment.metadata.deletionTimestamp !== undefined) return done
  const unseen = replicaSets.find(({ metadata, status }) => (status?.observedGeneration ?? 0) < (metadata.generation ?? 0))
  if (unseen !== undefined) return wait(`ReplicaSet ${unseen.metadata.name} to be looked at`)
  const bounds = boundsOf(deployment)
  const revisions = revisionsOf(deployment, replicaSets)
  const step = stepOf(observed, revisions, bounds, now)
  if (step.length > 0) return plan(...step)
  const { status: judged, isComplete, untilTimeout } = judge(deployment, revisions, bounds, now)
  return plan(
    status(Deployment, deployment, judged, 'its ReplicaSets have changed', { ifUnchanged: true }),
    ...(isComplete || deployment.spec.paused === true ? outdated(deployment, revisions) : []),
    again(untilTimeout, 'the rollout to progress'),
  )
}

function stepOf(observed: Observed, revisions: Revisions, bounds: Bounds, now: Instant): readonly Action[] {
  const { deployment } = observed
  const isPaused = deployment.spec.paused === true
  if (isPaused || isScaled(revisions, bounds)) {
    const actions = resize(deployment, revisions, bounds, scaledSizes(deployment, revisions, bounds))
    if (isPaused || actions.length > 0) return actions
  }
  return deployment.spec.strategy?.type === 'Recreate'
    ? recreate(observed, revisions, bounds, now)
    : roll(deployment, revisions, bounds, now)
}

function roll(deployment: Deployment, revisions: Revisions, bounds: Bounds, now: Instant): readonly Action[] {
  const { current, old } = revisions
  if (current === undefined) return begin(deployment, revisions, bounds, newSize(0, bounds, old), now)
  return resize(deployment, revisions, bounds, rollingStep({ ...revisions, current }, bounds))
}

/** Everything old goes, its last Pod included, before anything new comes. */
function recreate({ deployment, occupied }: Observed, revisions: Revisions, bounds: Bounds, now: Instant): readonly Action[] {
  const { current, old } = revisions
  const running = old.filter((each) => sizeOf(each) > 0)
  if (running.length > 0) return resize(deployment, revisions, bounds, new Map(running.map((each) => [each, 0])))
  if (old.some(({ metadata, status }) => (status?.replicas ?? 0) > 0 || occupied.has(metadata.name ?? ''))) return []
  if (current === undefined) return begin(deployment, revisions, bounds, bounds.replicas, now)
  return resize(deployment, revisions, bounds, new Map([[current, bounds.replicas]]))
}

/** The first step of a rollout. A condition about the last one must not be taken for one about this. */
function begin(deployment: Deployment, { old }: Revisions, bounds: Bounds, replicas: number, now: Instant): readonly Action[] {
  const draft = newReplicaSet(deployment, { old, replicas, bounds })
  const created = create(ReplicaSet, draft, 'there is none for the present template')
  const conditions = deployment.status?.conditions
  if (conditions === undefined || !conditions.some(({ type }) => type === 'Progressing')) return [created]
  const started = withCondition(conditions, progressing.created(draft.metadata.name ?? ''), now)
  return [created, status(Deployment, deployment, { conditions: started }, 'a rollout begins', { ifUnchanged: true })]
}

/** Brings ReplicaSets to their sizes, and up to date with what they should know. */
function resize(deployment: Deployment, { current, old, all }: Revisions, bounds: Bounds, sizes: Sizes): readonly Action[] {
  const { minReadySeconds = 0 } = deployment.spec
  return all.flatMap((replicaSet) => {
    const { metadata, spec } = replicaSet
    const size = sizes.get(replicaSet)
    const isCurrent = replicaSet === current
    const revision = isCurrent ? Math.max(revisionOf(replicaSet), nextRevision(old)) : revisionOf(replicaSet)
    const annotations = missing(metadata.annotations, {
      ...(size === undefined && !isCurrent ? {} : notes(bounds)),
      ...(isCurrent ? { [revisionAnnotation]: String(revision) } : {}),
    })
    const fields: JsonObject = {
      ...(size === undefined || size === spec.replicas ? {} : { replicas: size }),
      ...(isCurrent && (spec.minReadySeconds ?? 0) !== minReadySeconds ? { minReadySeconds } : {}),
    }
    const change: JsonObject = {
      ...(annotations === undefined ? {} : { metadata: { annotations } }),
      ...(Object.keys(fields).length === 0 ? {} : { spec: fields }),
    }
    if (Object.keys(change).length === 0) return []
    const reason = size === undefined ? 'its Deployment has changed' : `it should have ${size} replicas and has ${spec.replicas ?? 1}`
    return [patch(ReplicaSet, refOf(replicaSet), change, reason, { ifStill: replicaSet })]
  })
}

function missing(
  known: Readonly<Record<string, string>> = {},
  wanted: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(wanted).filter(([name, value]) => known[name] !== value)
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

/** ReplicaSets of former templates that nobody will go back to. Those that still have Pods, or may, stay. */
function outdated({ spec }: Deployment, { old }: Revisions): readonly Action[] {
  if (spec.revisionHistoryLimit === undefined) return []
  const kept = old.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
  const tooMany = kept.length - spec.revisionHistoryLimit
  if (tooMany <= 0) return []
  return kept
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, tooMany)
    .filter(({ spec, status }) => spec.replicas === 0 && (status?.replicas ?? 0) === 0)
    .map((each) => remove(ReplicaSet, each, `no more than ${spec.revisionHistoryLimit} old ReplicaSets are kept`))
}
