/**
 * Plans: what a controller wants done, as values, and the part that does it.
 *
 * - `action.ts`: what can be asked for. `actions.ts`: the words to ask with: `plan(ensure(…), status(…), requeueAfter(…))`.
 * - `executor.ts`: carries a plan out. `step.ts`: what each action comes to, held against what is known already (`known-objects.ts`, `applied.ts`).
 * - `stale-view.ts`: a plan that rests on what is no more. `overtaken.ts`: whether what went wrong is only that.
 * - `history.ts`: the last passes over each object, for people. `recent.ts`: a map that forgets.
 */
export type * from './action.ts'
export {
  afterConflict,
  apply,
  branch,
  create,
  done,
  ensure,
  event,
  patch,
  plan,
  remove,
  requeue,
  requeueAfter,
  status,
  subjectOf,
  wait,
} from './actions.ts'
export { type ActionResult, type Execution, PlanExecutor, type PlanExecutorOptions } from './executor.ts'
export { isOvertaken } from './overtaken.ts'
export { StaleView } from './stale-view.ts'
export { type ActionView, type FinishedPass, History, type HistoryOptions, type PassView } from './history.ts'
