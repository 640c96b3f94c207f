import type { KubernetesObject } from '@windlass/api'
import type { Instant } from '@windlass/core'
import type { Action } from '@windlass/kube'
import type { Component } from './component.ts'
import { concludeComponent } from './conclude.ts'
import type { Outcome } from './conclude.ts'
import { asError } from './errors.ts'
import type { ComponentPlan, KubeconfigRequest, WorkloadStep } from './plan.ts'
import { decideComponent } from './reconcile.ts'
import type { Observed } from './observed.ts'
import { isWorkload } from './workload.ts'
import type { Workload } from './workload.ts'

/** How plans are carried out. Both throw what went wrong. */
export interface Hands {
  /** Returns the object as the API server returned it; undefined when it is gone. */
  act(action: Action): Promise<KubernetesObject | undefined>
  sign(request: KubeconfigRequest): Promise<void>
}

/** What a pass over all components came to. */
export interface Pass {
  /** Components that run, or of which it cannot be told: the control plane is complete only with all of them. */
  readonly expected: readonly string[]
  /** What waits, and for what. */
  readonly waiting: readonly { readonly component: string; readonly unavailable: readonly string[] }[]
  /** Images that components want and the payload does not have, sorted. */
  readonly missingImages: readonly string[]
  /** All that went wrong. */
  readonly error: AggregateError | undefined
}

/**
 * Looks after all components in order. One that fails does not stop the others. Each sees the world as it is when its turn comes: what one has
 * finished meanwhile, the next need not wait for.
 */
export async function reconcileComponents(
  components: readonly Component[],
  observe: () => Observed,
  hands: Hands,
  now: () => Instant,
): Promise<Pass> {
  const plans: ComponentPlan[] = []
  const errors: Error[] = []
  for (const component of components) {
    const observed = observe()
    const plan = decideComponent(component, observed)
    plans.push(plan)
    // Nearly every pass has nothing to do for nearly every component: it does not wait for nothing.
    const outcome = hasNothingToDo(plan) ? {} : await carryOut(plan, hands)
    const conclusion = concludeComponent(plan, outcome, observed, now())
    const unwritten = conclusion.actions.length === 0 ? undefined : await failureOf(() => actInOrder(conclusion.actions, hands))
    for (const problem of [conclusion.error, unwritten])
      if (problem !== undefined) errors.push(new Error(`component ${component.name}: ${problem.message}`, { cause: problem }))
  }
  return {
    expected: plans.filter(({ step }) => step !== 'remove').map(({ component }) => component.name),
    waiting: plans.flatMap((plan) => (plan.step === 'wait' ? [{ component: plan.component.name, unavailable: plan.unavailable }] : [])),
    missingImages: [...new Set(plans.flatMap((plan) => (plan.step === 'apply' ? plan.missingImages : [])))].toSorted(),
    error: aggregate(errors, components.length),
  }
}

function hasNothingToDo(plan: ComponentPlan): boolean {
  if (plan.step === 'remove') return plan.actions.length === 0
  if (plan.step !== 'apply') return true
  return plan.manifests.length === 0 && plan.kubeconfigs.length === 0 && actionsOf(plan.workload).length === 0
}

function actionsOf(step: WorkloadStep | undefined): readonly Action[] {
  return step !== undefined && 'actions' in step ? step.actions : []
}

async function carryOut(plan: ComponentPlan, hands: Hands): Promise<Outcome> {
  if (plan.step === 'fail' || plan.step === 'wait') return {}
  if (plan.step === 'remove') {
    const error = await failureOf(() => actInOrder(plan.actions, hands))
    return error === undefined ? {} : { error }
  }
  let workload: Workload | undefined
  const error = await failureOf(async () => {
    await actInOrder(plan.manifests, hands)
    for (const request of plan.kubeconfigs) await hands.sign(request)
    for (const action of actionsOf(plan.workload)) {
      const returned = await hands.act(action)
      if (action.do !== 'delete' && isWorkload(returned)) workload = returned
    }
  })
  return { ...(workload === undefined ? {} : { workload }), ...(error === undefined ? {} : { error }) }
}

async function actInOrder(actions: readonly Action[], hands: Hands): Promise<void> {
  for (const action of actions) await hands.act(action)
}

async function failureOf(work: () => Promise<void>): Promise<Error | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return asError(error)
  }
}

function aggregate(errors: readonly Error[], of: number): AggregateError | undefined {
  if (errors.length === 0) return undefined
  return new AggregateError(errors, `${errors.length} of ${of} components failed: ${errors.map(({ message }) => message).join('; ')}`)
}
