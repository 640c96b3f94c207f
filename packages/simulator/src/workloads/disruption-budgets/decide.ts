import { type Pod, PodDisruptionBudget } from '@windlass/api'
import { type Instant, parseTime, setCondition } from '@windlass/core'
import { done, type Plan, plan, status } from '@windlass/kube'
import { again } from '../again.ts'
import { amountOf } from '../counts.ts'
import { isReady, isTerminating } from '../pods/index.ts'

export interface Observed {
  readonly budget: PodDisruptionBudget
  /** Those that its selector selects. */
  readonly pods: readonly Pod[]
  /** How many replicas the owners of these Pods want in all; a text when one of them cannot tell. */
  readonly expected: number | string
}

/** An eviction that was granted counts as done for so long, though the Pod is still there. */
const patience = 120_000

/** Says how many of the Pods may be evicted now. */
export function decide({ budget, pods, expected }: Observed, now: Instant): Plan {
  if (budget.metadata.deletionTimestamp !== undefined) return done
  const leaving = expectedToLeave(budget, pods, now)
  const times = Object.values(leaving).map((time) => (parseTime(time) ?? now) + patience - now)
  return plan(
    status(PodDisruptionBudget, budget, statusOf(budget, pods, expected, leaving, now), 'its Pods have changed', { ifUnchanged: true }),
    again(Math.min(Number.POSITIVE_INFINITY, ...times), 'Pods that were evicted to go'),
  )
}

/** Those of the granted evictions that nothing has come of yet. After a while nothing will. */
function expectedToLeave({ status }: PodDisruptionBudget, pods: readonly Pod[], now: Instant): Readonly<Record<string, string>> {
  const staying = new Set(pods.filter((pod) => !isTerminating(pod)).map(({ metadata }) => metadata.name))
  const entries = Object.entries(status?.disruptedPods ?? {})
  return Object.fromEntries(entries.filter(([name, time]) => staying.has(name) && (parseTime(time) ?? 0) + patience > now))
}

function statusOf(
  { metadata, spec, status: before }: PodDisruptionBudget,
  pods: readonly Pod[],
  expected: number | string,
  leaving: Readonly<Record<string, string>>,
  now: Instant,
) {
  const currentHealthy = pods.filter((pod) => !isTerminating(pod) && isReady(pod) && leaving[pod.metadata.name ?? ''] === undefined).length
  const { expectedPods, desiredHealthy } = typeof expected === 'number' ? wantedOf(spec, pods.length, expected) : (before ?? nothing)
  const allowed = typeof expected === 'number' && expectedPods > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0
  const verdict =
    typeof expected === 'string'
      ? ({ status: 'False', reason: 'SyncFailed', message: expected } as const)
      : allowed > 0
        ? ({ status: 'True', reason: 'SufficientPods', message: '' } as const)
        : ({ status: 'False', reason: 'InsufficientPods', message: '' } as const)
  const observedGeneration = metadata.generation === undefined ? {} : { observedGeneration: metadata.generation }
  return {
    ...observedGeneration,
    disruptionsAllowed: allowed,
    currentHealthy,
    desiredHealthy,
    expectedPods,
    disruptedPods: Object.keys(leaving).length === 0 ? undefined : leaving,
    conditions: setCondition(before?.conditions, { type: 'DisruptionAllowed', ...verdict, ...observedGeneration }, now),
  }
}

const nothing = { expectedPods: 0, desiredHealthy: 0 }

/** A number that must stay is about the Pods that there are; anything else is a part of those that there should be. */
function wantedOf(spec: PodDisruptionBudget['spec'], pods: number, expected: number) {
  const { minAvailable, maxUnavailable } = spec
  if (maxUnavailable !== undefined) {
    return { expectedPods: expected, desiredHealthy: Math.max(0, expected - amountOf(maxUnavailable, expected, 'up')) }
  }
  if (typeof minAvailable === 'number') return { expectedPods: pods, desiredHealthy: minAvailable }
  return minAvailable === undefined ? nothing : { expectedPods: expected, desiredHealthy: amountOf(minAvailable, expected, 'up') }
}
