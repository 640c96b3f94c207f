/** Status conditions: reading them, and setting them by the one rule that decides when a transition time moves. */
export { findCondition, isFalse, isTrue, isUnknown, removeCondition, setCondition, setConditions, transitionTime } from './condition.ts'
export type { Condition, ConditionLike, ConditionStatus } from './condition.ts'
