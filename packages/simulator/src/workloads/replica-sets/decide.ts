import { Pod, ReplicaSet } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { create, type Plan, plan, remove, status } from '@windlass/kube'
import { again } from '../again.ts'
import { counted } from '../counts.ts'
import { isActive, isAvailable, isReady, podFrom, untilAvailable } from '../pods/index.ts'
import { inOrderOfDeletion } from './preference.ts'

export interface Observed {
  readonly replicaSet: ReplicaSet
  /** All that it controls. */
  readonly pods: readonly Pod[]
  /** Names for as many Pods as it lacks. */
  readonly names: readonly string[]
  /** Where new Pods run, if that need not be decided. */
  readonly node: string | undefined
  /** How many Pods of the same application run on which node; asked for when there are too many. */
  readonly relatedOn: ReadonlyMap<string, number>
}

/** How many Pods there are more than there should be; less than zero when some are missing. */
export function surplus({ spec, metadata }: ReplicaSet, pods: readonly Pod[]): number {
  if (metadata.deletionTimestamp !== undefined) return 0
  return pods.filter(isActive).length - (spec.replicas ?? 1)
}

/** Keeps as many Pods as were asked for. */
export function decide(observed: Observed, now: Instant): Plan {
  const { replicaSet, pods, names, relatedOn } = observed
  const excess = surplus(replicaSet, pods)
  const active = pods.filter(isActive)
  const leaving = excess > 0 ? inOrderOfDeletion(active, relatedOn).slice(0, excess) : []
  const staying = excess > 0 ? active.filter((pod) => !leaving.includes(pod)) : active
  const wanted = replicaSet.spec.replicas ?? 1
  return plan(
    ...names.map((name) => create(Pod, draft(observed, name), `${wanted} replicas are wanted and there are ${active.length}`)),
    ...leaving.map((pod) => remove(Pod, pod, `${wanted} replicas are wanted and there are ${active.length}`)),
    // What was made and removed above is counted already: one write says it all.
    status(ReplicaSet, replicaSet, statusOf(replicaSet, staying, names.length, now), 'its Pods have changed', { ifUnchanged: true }),
    again(untilAvailable(staying, replicaSet.spec.minReadySeconds, now), 'Pods to have been ready for long enough'),
  )
}

function draft({ replicaSet, node }: Observed, name: string) {
  const template = replicaSet.spec.template ?? { spec: { containers: [] } }
  return podFrom({ owner: replicaSet, template, name, node })
}

function statusOf({ metadata, spec }: ReplicaSet, pods: readonly Pod[], made: number, now: Instant) {
  const wanted = spec.template?.metadata?.labels ?? {}
  const isFullyLabeled = ({ metadata: { labels = {} } }: Pod): boolean =>
    Object.entries(wanted).every(([key, value]) => labels[key] === value)
  return {
    observedGeneration: metadata.generation,
    replicas: pods.length + made,
    fullyLabeledReplicas: counted(pods.filter(isFullyLabeled).length + made),
    readyReplicas: counted(pods.filter(isReady).length),
    availableReplicas: counted(pods.filter((pod) => isAvailable(pod, spec.minReadySeconds, now)).length),
  }
}
