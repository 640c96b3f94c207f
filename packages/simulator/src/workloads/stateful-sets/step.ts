import type { Pod, StatefulSet } from '@windlass/api'
import type { Instant } from '@windlass/core'
import { hasEnded, isTerminating } from '../pods/index.ts'
import { isHealthy, type Replica, type Replicas, revisionOf } from './replicas.ts'

/** What to do about Pods now. */
export interface Step {
  readonly create: readonly Replica[]
  readonly remove: readonly { readonly pod: Pod; readonly because: string }[]
  /** What holds everything up, if something does. */
  readonly waitingFor?: string
}

/**
 * The next step of a StatefulSet: first the Pods that there should be, from the first to the last; then those that there should not be, from the last to
 * the first; then those of an old template, from the last to the first, one at a time.
 *
 * `OrderedReady` waits after each until it is in service. A Pod that never gets there holds up everything, a better template included: somebody has
 * to delete it, as on real clusters.
 */
export function stepOf(set: StatefulSet, replicas: Replicas, revision: string, now: Instant): Step {
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel'
  const filled = isOrdered ? fillInOrder(set, replicas, now) : fillAtOnce(replicas)
  if (isBusy(filled)) return filled
  const shrunk = isOrdered ? shrinkInOrder(replicas) : shrinkAtOnce(replicas)
  return isBusy(shrunk) ? shrunk : update(set, replicas, revision, now)
}

const nothing: Step = { create: [], remove: [] }

function isBusy({ create, remove, waitingFor }: Step): boolean {
  return create.length > 0 || remove.length > 0 || waitingFor !== undefined
}

const ended = (pod: Pod) => ({ pod, because: 'it has ended, and another one takes its place' })
const unwanted = (pod: Pod) => ({ pod, because: 'fewer replicas are wanted' })

function fillInOrder({ spec }: StatefulSet, { wanted }: Replicas, now: Instant): Step {
  for (const replica of wanted) {
    const { pod, name } = replica
    if (pod === undefined) return { ...nothing, create: [replica] }
    if (isTerminating(pod)) return { ...nothing, waitingFor: `Pod ${name} to be gone` }
    if (hasEnded(pod)) return { ...nothing, remove: [ended(pod)] }
    if (!isHealthy(pod, spec.minReadySeconds, now)) return { ...nothing, waitingFor: `Pod ${name} to be available` }
  }
  return nothing
}

/** A name that is still taken by a Pod on its way out comes again later; nobody waits for it. */
function fillAtOnce({ wanted }: Replicas): Step {
  return {
    create: wanted.filter(({ pod }) => pod === undefined),
    remove: wanted.flatMap(({ pod }) => (pod !== undefined && hasEnded(pod) && !isTerminating(pod) ? [ended(pod)] : [])),
  }
}

function shrinkInOrder({ surplus }: Replicas): Step {
  const [last] = surplus
  if (last?.pod === undefined) return nothing
  return isTerminating(last.pod) ? { ...nothing, waitingFor: `Pod ${last.name} to be gone` } : { ...nothing, remove: [unwanted(last.pod)] }
}

function shrinkAtOnce({ surplus }: Replicas): Step {
  return { ...nothing, remove: surplus.flatMap(({ pod }) => (pod === undefined || isTerminating(pod) ? [] : [unwanted(pod)])) }
}

function update({ spec }: StatefulSet, { wanted }: Replicas, revision: string, now: Instant): Step {
  if (spec.updateStrategy?.type === 'OnDelete') return nothing
  const kept = (spec.ordinals?.start ?? 0) + (spec.updateStrategy?.rollingUpdate?.partition ?? 0)
  for (const { pod, ordinal, name } of wanted.toReversed()) {
    if (ordinal < kept) break
    if (pod !== undefined && !isTerminating(pod) && revisionOf(pod) !== revision)
      return { ...nothing, remove: [{ pod, because: 'it is of an old template' }] }
    if (!isHealthy(pod, spec.minReadySeconds, now)) return { ...nothing, waitingFor: `Pod ${name} to be available` }
  }
  return nothing
}
