import type { Instant } from '@windlass/core'
import type { CacheReader } from '../../cache/index.ts'
import type { Ref } from '../../client/index.ts'
import { currentReconcile, type ReconcileInfo } from '../../context.ts'
import type { AsyncControllerDefinition, ControllerDefinition } from '../../controller/index.ts'
import { describeRef, keyOf } from '../../objects/index.ts'
import { subjectOf } from '../../plan/actions.ts'
import type { Action, Plan } from '../../plan/index.ts'
import type { Cause } from '../actor.ts'

/** A controller, whatever it looks after and whatever it observes. */
export type AnyController = AnyDeciding | AsyncControllerDefinition

interface AnyDeciding extends Omit<ControllerDefinition, 'observe' | 'decide'> {
  observe(ref: Ref, cache: CacheReader): unknown
  decide(observed: never, now: Instant): Plan
}

/** Of the passes that ran last: more than ever run at once. */
const plans = new Map<ReconcileInfo, Plan>()
const remembered = 1000

/** The same controller, with its plans noted: whoever looks for the cause of a write finds them. */
export function traced(definition: AnyController): ControllerDefinition | AsyncControllerDefinition {
  if ('reconcile' in definition) {
    return { ...definition, reconcile: async (ref, context) => note(await definition.reconcile(ref, context)) }
  }
  return {
    ...definition,
    observe: (ref, cache) => definition.observe(ref, cache),
    // It is what its own `observe` gave.
    decide: (observed, now) => note(definition.decide(observed as never, now)),
  }
}

function note(plan: Plan): Plan {
  const reconcile = currentReconcile()
  if (reconcile === undefined) return plan
  plans.set(reconcile, plan)
  const [oldest] = plans.size > remembered ? plans.keys() : []
  if (oldest !== undefined) plans.delete(oldest)
  return plan
}

/** The pass that the calling code runs in, if it does. */
export function causeOfRequest(): Cause | undefined {
  const reconcile = currentReconcile()
  return reconcile === undefined ? undefined : { describe: () => describe(reconcile) }
}

function describe(reconcile: ReconcileInfo): string {
  const pass = `pass ${reconcile.reconcileID} of ${reconcile.controller} over ${keyOf(reconcile)}`
  const plan = plans.get(reconcile)
  return plan === undefined
    ? `${pass}, which had no plan yet`
    : [`${pass}, which planned to`, ...plan.actions.map((action) => `  ${inWords(action)}`)].join('\n')
}

function inWords(action: Action): string {
  const subject = subjectOf(action)
  return `${action.do}${subject === undefined ? '' : ` ${describeRef(subject.kind, subject.ref)}`}, because ${action.reason}`
}
