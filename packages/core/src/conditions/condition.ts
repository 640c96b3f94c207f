import type { Instant } from '../clock/clock.ts'
import { formatTime, parseTime } from '../time/rfc3339.ts'

export type ConditionStatus = 'True' | 'False' | 'Unknown'

/**
 * One observation about an object, as Kubernetes writes it. Kinds differ in what they require: the standard condition always has
 * a reason and a message, older kinds leave them out when there is nothing to say, so readers must expect both.
 */
export interface Condition {
  readonly type: string
  readonly status: ConditionStatus
  readonly reason?: string
  readonly message?: string
  /** When `status` changed last; not when the reason or the message did. */
  readonly lastTransitionTime: string
  /** The generation of the object that the condition was judged from. */
  readonly observedGeneration?: number
}

/**
 * What the functions here need of a condition. Upstream's older kinds declare `status` as any text and leave the transition time
 * out, hence the looser types.
 */
export interface ConditionLike {
  readonly type?: string
  readonly status?: string
  readonly lastTransitionTime?: string | null
}

type Conditions<C> = readonly C[] | undefined

export function findCondition<C extends ConditionLike>(conditions: Conditions<C>, type: string): C | undefined {
  return conditions?.find((condition) => condition.type === type)
}

/** Evidence only: an absent condition is neither true nor false nor unknown. */
export function isTrue(conditions: Conditions<ConditionLike>, type: string): boolean {
  return findCondition(conditions, type)?.status === 'True'
}

/** True only when the condition is there and says False. */
export function isFalse(conditions: Conditions<ConditionLike>, type: string): boolean {
  return findCondition(conditions, type)?.status === 'False'
}

/** True only when the condition is there and says Unknown. */
export function isUnknown(conditions: Conditions<ConditionLike>, type: string): boolean {
  return findCondition(conditions, type)?.status === 'Unknown'
}

/** When the status of the condition changed last; undefined when there is no such condition or no readable time. */
export function transitionTime(conditions: Conditions<ConditionLike>, type: string): Instant | undefined {
  return parseTime(findCondition(conditions, type)?.lastTransitionTime)
}

/**
 * Sets one condition and leaves the others alone.
 *
 * `lastTransitionTime` moves to `now` only when the status differs or the condition is new; reason, message and everything else
 * are taken from `next`. An existing condition keeps its place, a new one goes to the end.
 *
 * Returns the list it was given when nothing changed, so that a caller sees by `===` that there is nothing to write.
 */
export function setCondition<C extends ConditionLike>(
  conditions: Conditions<C>,
  next: Omit<C, 'lastTransitionTime'> & { readonly type: string },
  now: Instant,
): readonly C[] {
  const current = conditions ?? []
  const index = current.findIndex((condition) => condition.type === next.type)
  const existing = current[index]
  const keptTime = existing !== undefined && existing.status === next.status ? existing.lastTransitionTime : undefined
  // An Omit of a generic type cannot be put together again in the type system.
  const condition = { ...next, lastTransitionTime: keptTime ?? formatTime(now) } as unknown as C
  if (existing === undefined) return [...current, condition]
  return isSame(existing, condition) ? current : current.with(index, condition)
}

/** Sets several conditions in turn, by the rule of `setCondition`. */
export function setConditions<C extends ConditionLike>(
  conditions: Conditions<C>,
  next: Iterable<Omit<C, 'lastTransitionTime'> & { readonly type: string }>,
  now: Instant,
): readonly C[] {
  let result: readonly C[] = conditions ?? []
  for (const condition of next) result = setCondition(result, condition, now)
  return result
}

/** Without the condition of that type; the same list when there was none. */
export function removeCondition<C extends ConditionLike>(conditions: readonly C[], type: string): readonly C[] {
  return conditions.some((condition) => condition.type === type) ? conditions.filter((condition) => condition.type !== type) : conditions
}

/** Conditions are flat: comparing their fields is enough. A field that is undefined counts as absent. */
function isSame(a: object, b: object): boolean {
  const left = new Map(Object.entries(a).filter(([, value]) => value !== undefined))
  const right = Object.entries(b).filter(([, value]) => value !== undefined)
  return left.size === right.length && right.every(([key, value]) => left.get(key) === value)
}
