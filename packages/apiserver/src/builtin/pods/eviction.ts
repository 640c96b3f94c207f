import { formatTime, type Instant } from '@windlass/core'
import { ApiError } from '../../errors/api-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import { labelSelectorFromObject } from '../../selectors/index.ts'
import { conditionIsTrue } from '../checks.ts'
import { isAbsent, itemsIn, metadataOf, numberIn, objectIn, objectsIn, specOf, statusOf, textIn } from '../tree.ts'

/**
 * Whether a Pod may be evicted, as its PodDisruptionBudget sees it. The caller deletes the Pod, and in the same transaction
 * writes the budget it is given back, so that two evictions cannot spend the same allowance.
 */
export type EvictionDecision =
  | { readonly isAllowed: true; readonly budget?: JsonObject }
  /** With the answer for the client. */
  | { readonly isAllowed: false; readonly refusal: ApiError }

const allowed: EvictionDecision = { isAllowed: true }
const mostUnconfirmed = 2000
const secondsUntilProcessed = 10

/** `budgets` are all PodDisruptionBudgets of the Pod's namespace. */
export function decideEviction(pod: JsonObject, budgets: readonly JsonObject[], now: Instant): EvictionDecision {
  if (needsNoBudget(pod)) return allowed
  const { labels } = metadataOf(pod)
  const matching = budgets.filter((budget) => labelSelectorFromObject(specOf(budget).selector).matches(labels))
  const [budget, another] = matching
  if (budget === undefined) return allowed
  if (another !== undefined) {
    const text = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    return { isAllowed: false, refusal: new ApiError(500, '', text) }
  }
  if (!conditionIsTrue(statusOf(pod).conditions, 'Ready') && mayLoseUnhealthy(budget)) return allowed
  return spend(budget, textIn(metadataOf(pod).name), now)
}

/** Whoever ended, never started or is going already is not missed. */
function needsNoBudget(pod: JsonObject): boolean {
  const { phase } = statusOf(pod)
  return phase === 'Succeeded' || phase === 'Failed' || phase === 'Pending' || !isAbsent(metadataOf(pod).deletionTimestamp)
}

function mayLoseUnhealthy(budget: JsonObject): boolean {
  if (specOf(budget).unhealthyPodEvictionPolicy === 'AlwaysAllow') return true
  const { currentHealthy, desiredHealthy } = statusOf(budget)
  return numberIn(desiredHealthy) > 0 && numberIn(currentHealthy) >= numberIn(desiredHealthy)
}

function spend(budget: JsonObject, podName: string, now: Instant): EvictionDecision {
  const [metadata, status] = [metadataOf(budget), statusOf(budget)]
  const name = textIn(metadata.name)
  if (numberIn(status.observedGeneration) < numberIn(metadata.generation)) {
    return refuse(`The disruption budget ${name} is still being processed by the server.`, secondsUntilProcessed)
  }
  const left = numberIn(status.disruptionsAllowed)
  const gone = objectIn(status.disruptedPods)
  if (left < 0) return forbid(name, 'pdb disruptions allowed is negative')
  if (Object.keys(gone).length > mostUnconfirmed) {
    return forbid(name, 'DisruptedPods map too big - too many evictions not confirmed by PDB controller')
  }
  if (left === 0) {
    const { desiredHealthy, currentHealthy } = status
    return refuse(
      `The disruption budget ${name} needs ${numberIn(desiredHealthy)} healthy pods and has ${numberIn(currentHealthy)} currently`,
    )
  }
  const time = formatTime(now)
  const spent: JsonObject = { ...status, disruptionsAllowed: left - 1, disruptedPods: { ...gone, [podName]: time } }
  return { isAllowed: true, budget: { ...budget, status: left === 1 ? exhausted(spent, time) : spent } }
}

/** With nothing left the budget says so at once; its controller follows later. */
function exhausted(status: JsonObject, time: string): JsonObject {
  const type = 'DisruptionAllowed'
  const before = objectsIn(status.conditions).find((condition) => condition.type === type)
  const changed: JsonObject = {
    type,
    status: 'False',
    ...(isAbsent(status.observedGeneration) ? {} : { observedGeneration: status.observedGeneration }),
    lastTransitionTime: before?.status === 'False' ? (before.lastTransitionTime ?? time) : time,
    reason: 'InsufficientPods',
    message: '',
  }
  const conditions: readonly Json[] =
    before === undefined
      ? [...itemsIn(status.conditions), changed]
      : itemsIn(status.conditions).map((condition) => (condition === before ? changed : condition))
  return { ...status, conditions }
}

function refuse(why: string, retryAfterSeconds?: number): EvictionDecision {
  const causes = [{ reason: 'DisruptionBudget', message: why }]
  const details = retryAfterSeconds === undefined ? { causes } : { causes, retryAfterSeconds }
  const text = "Cannot evict pod as it would violate the pod's disruption budget."
  return { isAllowed: false, refusal: new ApiError(429, 'TooManyRequests', text, { details }) }
}

function forbid(name: string, why: string): EvictionDecision {
  const text = `poddisruptionbudgets.policy ${JSON.stringify(name)} is forbidden: ${why}`
  return {
    isAllowed: false,
    refusal: new ApiError(403, 'Forbidden', text, { details: { name, group: 'policy', kind: 'poddisruptionbudgets' } }),
  }
}
