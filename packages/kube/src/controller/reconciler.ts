import type { KubernetesObject } from '@windlass/api'
import { isConflict } from '../client/errors.ts'
import { done, type Execution, type Plan, type PlanExecutor } from '../plan/index.ts'
import type { AsyncControllerDefinition, ControllerDefinition } from './definition.ts'
import type { Pass } from './pass.ts'
import type { ControllerRuntime } from './runtime.ts'

export type Definition<T extends KubernetesObject, Observed> = ControllerDefinition<T, Observed> | AsyncControllerDefinition<T>

/** What a pass has come to. */
export interface Reconciled {
  /** Undefined when nothing was decided. */
  readonly plan?: Plan
  readonly execution?: Execution
  readonly failure?: Execution['failure']
}

/** One pass over one object: observe, decide, act. Never throws. */
export async function reconcile<T extends KubernetesObject, Observed>(
  definition: Definition<T, Observed>,
  pass: Pass,
  runtime: ControllerRuntime,
  executor: PlanExecutor,
): Promise<Reconciled> {
  let plan: Plan
  try {
    plan = 'reconcile' in definition ? await decideWithHelp(definition, pass, runtime) : decideAlone(definition, pass, runtime)
    if (plan.actions.length === 0) return { plan }
  } catch (error) {
    return { failure: { error, isConflict: isConflict(error) } }
  }
  const execution = await executor.execute(plan, pass.signal)
  return { plan, execution, ...(execution.failure === undefined ? {} : { failure: execution.failure }) }
}

function decideAlone<T extends KubernetesObject, Observed>(
  { observe, decide }: ControllerDefinition<T, Observed>,
  { ref }: Pass,
  { cache, clock }: ControllerRuntime,
): Plan {
  const observed = observe(ref, cache)
  return observed === undefined ? done : decide(observed, clock.now())
}

function decideWithHelp<T extends KubernetesObject>(
  { reconcile }: AsyncControllerDefinition<T>,
  { ref, info, signal }: Pass,
  { client, cache, clock, random, log, events }: ControllerRuntime,
): Promise<Plan> {
  return reconcile(ref, { client, cache, clock, random, log: log.child({ ...info }), events, signal })
}
