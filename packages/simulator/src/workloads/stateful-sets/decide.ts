import { Pod, StatefulSet } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { create, done, type Plan, plan, remove, status, wait } from '@windlass/kube'
import { again } from '../again.ts'
import { counted } from '../counts.ts'
import { isAvailable, isTerminating, podFrom, untilAvailable } from '../pods/index.ts'
import { revisionLabel, templateHash } from '../revision.ts'
import { withClaims } from './claims.ts'
import { isRunningAndReady, replicasOf, revisionOf } from './replicas.ts'
import { type Step, stepOf } from './step.ts'

export interface Observed {
  readonly set: StatefulSet
  /** All that it controls. */
  readonly pods: readonly Pod[]
  /** Names that it needs and that Pods of somebody else have. */
  readonly taken: ReadonlySet<string>
  /** Where new Pods run, if that need not be decided. */
  readonly node: string | undefined
}

/** Keeps a numbered Pod for each replica, and brings them to the present template one by one. */
export function decide(observed: Observed, now: Instant): Plan {
  const { set, pods, taken, node } = observed
  if (set.metadata.deletionTimestamp !== undefined) return done
  const revision = `${set.metadata.name}-${templateHash(set.spec.template)}`
  const step = stepOf(set, replicasOf(set, pods), revision, now)
  const [free, blocked] = [step.create.filter(({ name }) => !taken.has(name)), step.create.filter(({ name }) => taken.has(name))]
  return plan(
    ...free.map(({ name, ordinal }) =>
      create(
        Pod,
        podFrom({ owner: set, template: withClaims(set, name), name, node, labels: labelsOf(name, ordinal, revision) }),
        'it is missing',
      ),
    ),
    ...step.remove.map(({ pod, because }) => remove(Pod, pod, because)),
    status(StatefulSet, set, statusOf(set, pods, { ...step, create: free }, revision, now), 'its Pods have changed', { ifUnchanged: true }),
    again(untilAvailable(pods, set.spec.minReadySeconds, now), 'Pods to have been ready for long enough'),
    ...blocked.map(({ name }) => wait(`Pod ${name} of somebody else to be gone`)),
    step.waitingFor === undefined ? undefined : wait(step.waitingFor),
  )
}

function labelsOf(name: string, ordinal: number, revision: string): Readonly<Record<string, string>> {
  return {
    'statefulset.kubernetes.io/pod-name': name,
    'apps.kubernetes.io/pod-index': String(ordinal),
    [revisionLabel]: revision,
  }
}

/** What the step has made is counted already, as the next look will find it; what it has removed is still there, on its way out. */
function statusOf(
  { metadata, spec, status: before }: StatefulSet,
  pods: readonly Pod[],
  { create: made, remove: removed }: Step,
  revision: string,
  now: Instant,
) {
  const leaving = new Set(removed.map(({ pod }) => pod))
  const staying = pods.filter((pod) => !isTerminating(pod) && !leaving.has(pod))
  const ready = pods.filter(isRunningAndReady)
  const updated = staying.filter((pod) => revisionOf(pod) === revision).length + made.length
  const replicas = pods.length + made.length
  const wanted = spec.replicas ?? 1
  const isThrough = updated === wanted && ready.length === wanted && replicas === wanted && leaving.size === 0
  const isRolling = spec.updateStrategy?.type !== 'OnDelete'
  const known = before?.currentRevision ?? ''
  const currentRevision = known === '' || (isRolling && isThrough) ? revision : known
  const current = staying.filter((pod) => revisionOf(pod) === currentRevision).length + (currentRevision === revision ? made.length : 0)
  return {
    observedGeneration: metadata.generation,
    replicas,
    readyReplicas: counted(ready.length),
    availableReplicas: ready.filter((pod) => isAvailable(pod, spec.minReadySeconds, now)).length,
    currentReplicas: counted(current),
    updatedReplicas: counted(updated),
    currentRevision,
    updateRevision: revision,
  }
}
