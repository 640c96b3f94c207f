import type { KubernetesObject } from '@windlass/api'
import type { WriteMark } from '../cache/cache.ts'
import { type Action, type ActionResult, done, type Execution, isOvertaken, type Plan, type PlanExecutor } from '../plan/index.ts'
import type { AsyncControllerDefinition, ControllerDefinition } from './definition.ts'
import type { Pass } from './pass.ts'
import type { ControllerRuntime } from './runtime.ts'

export type Definition<T extends KubernetesObject, Observed> = ControllerDefinition<T, Observed> | AsyncControllerDefinition<T>

/** What a pass has come to. */
export interface Reconciled {
  /** With everything that was carried out before it was decided. Undefined when there is nothing of either. */
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
  beforeWrite?: () => Promise<void>,
): Promise<Reconciled> {
  const hands = new Hands(executor, pass, beforeWrite)
  let plan: Plan
  try {
    plan = 'reconcile' in definition ? await decideWithHelp(definition, pass, runtime, hands) : decideAlone(definition, pass, runtime)
  } catch (error) {
    const failure = { error, isConflict: isOvertaken(error) }
    return hands.isUnused ? { failure } : { plan: hands.before(done), execution: hands.and(nothing), failure }
  }
  if (plan.actions.length === 0) return hands.isUnused ? { plan } : { plan: hands.before(plan), execution: hands.and(nothing) }
  const execution = hands.and(await executor.execute(plan, pass.signal, beforeWrite))
  return { plan: hands.before(plan), execution, ...(execution.failure === undefined ? {} : { failure: execution.failure }) }
}

const nothing: Execution = { results: [], marks: [] }

/** What a pass does while it still decides. */
class Hands {
  readonly #executor: PlanExecutor
  readonly #pass: Pass
  readonly #beforeWrite: (() => Promise<void>) | undefined
  readonly #results: ActionResult[] = []
  readonly #marks: WriteMark[] = []

  constructor(executor: PlanExecutor, pass: Pass, beforeWrite: (() => Promise<void>) | undefined) {
    this.#executor = executor
    this.#pass = pass
    this.#beforeWrite = beforeWrite
  }

  readonly act = async (action: Action): Promise<KubernetesObject | undefined> => {
    const { results, marks, failure } = await this.#executor.execute({ actions: [action] }, this.#pass.signal, this.#beforeWrite)
    this.#results.push(...results)
    this.#marks.push(...marks)
    if (failure === undefined) return results[0]?.object
    throw failure.error
  }

  get isUnused(): boolean {
    return this.#results.length === 0
  }

  before(plan: Plan): Plan {
    return this.isUnused ? plan : { ...plan, actions: [...this.#results.map(({ action }) => action), ...plan.actions] }
  }

  and(execution: Execution): Execution {
    if (this.isUnused) return execution
    return { ...execution, results: [...this.#results, ...execution.results], marks: [...this.#marks, ...execution.marks] }
  }
}

function decideAlone<T extends KubernetesObject, Observed>(
  { observe, decide }: ControllerDefinition<T, Observed>,
  { ref, startedAt }: Pass,
  { cache }: ControllerRuntime,
): Plan {
  const observed = observe(ref, cache)
  return observed === undefined ? done : decide(observed, startedAt)
}

function decideWithHelp<T extends KubernetesObject>(
  { reconcile }: AsyncControllerDefinition<T>,
  { ref, info, signal }: Pass,
  { client, cache, clock, random, log, events }: ControllerRuntime,
  { act }: Hands,
): Promise<Plan> {
  return reconcile(ref, { client, cache, clock, random, log: log.child({ ...info }), events, act, signal })
}
