import type { Delays } from '@windlass/core'
import type { KubernetesObject } from '@windlass/api'
import { duringReconcile, type ReconcileInfo } from '../context.ts'
import { parseKey } from '../objects/refs.ts'
import type { ControllerMetrics } from '../metrics/metrics.ts'
import type { History, PlanExecutor } from '../plan/index.ts'
import type { WorkQueue } from '../queue/index.ts'
import { type Conclusion, conclude } from './conclusion.ts'
import type { Deadline } from './deadline.ts'
import type { Inherited } from './inherited.ts'
import type { OwnWrites } from './own-writes.ts'
import { Pass } from './pass.ts'
import { type Definition, reconcile, type Reconciled } from './reconciler.ts'
import type { ControllerRuntime } from './runtime.ts'
import { asError } from './verdict.ts'

const usualTimeout = 60_000

export interface PassRunnerOptions<T extends KubernetesObject, Observed> {
  readonly definition: Definition<T, Observed>
  readonly runtime: ControllerRuntime
  readonly queue: WorkQueue
  readonly executor: PlanExecutor
  readonly ownWrites: OwnWrites
  readonly inherited: Inherited<T>
  readonly history: History
  readonly deadlines: Delays<Deadline>
  readonly metrics: () => ControllerMetrics | undefined
}

/** Runs passes, and sees to what follows from them. */
export class PassRunner<T extends KubernetesObject, Observed> {
  readonly #options: PassRunnerOptions<T, Observed>
  readonly #running = new Set<Pass>()
  /** Ids are counted: a random number for each pass would make what is random elsewhere depend on how many passes there were. */
  readonly #idPrefix: string
  #count = 0

  constructor(options: PassRunnerOptions<T, Observed>) {
    this.#options = options
    this.#idPrefix = options.runtime.random.uuid().slice(0, 8)
  }

  /** Never rejects. */
  async look(key: string): Promise<void> {
    const { definition, runtime, executor, inherited, deadlines, metrics } = this.#options
    const ref = parseKey(key)
    const info: ReconcileInfo = { controller: definition.name, reconcileID: `${this.#idPrefix}-${++this.#count}`, ...ref }
    const pass = new Pass({ key, ref, info, clock: runtime.clock, timeout: definition.timeout ?? usualTimeout, deadlines })
    this.#running.add(pass)
    metrics()?.started()
    const check = inherited.check(key, ref)
    const beforeWrite = check === undefined ? undefined : () => check(pass.signal)
    const reconciled = await duringReconcile(info, () => reconcile(definition, pass, runtime, executor, beforeWrite))
    pass.end()
    this.#running.delete(pass)
    this.#finish(pass, reconciled)
  }

  /** Cuts short what runs. */
  stop(reason: unknown): void {
    for (const pass of this.#running) pass.stop(reason)
  }

  #finish(pass: Pass, reconciled: Reconciled): void {
    const { runtime, ownWrites, history, metrics } = this.#options
    const conclusion = conclude(reconciled, pass)
    const milliseconds = runtime.clock.monotonic() - pass.startedMonotonic
    ownWrites.remember(pass.key, reconciled.execution?.marks ?? [])
    this.#comeAgain(pass, reconciled, conclusion)
    metrics()?.finished(conclusion.result, milliseconds / 1_000)
    const error = reconciled.failure === undefined ? undefined : asError(reconciled.failure.error)
    if (error !== undefined) this.#report(pass, conclusion, error)
    const { plan, execution } = reconciled
    history.record(pass.key, {
      reconcileID: pass.info.reconcileID,
      startedAt: pass.startedAt,
      milliseconds,
      result: conclusion.word,
      ...(plan === undefined ? {} : { plan }),
      ...(execution === undefined ? {} : { execution }),
      ...(error === undefined ? {} : { error }),
    })
  }

  #comeAgain({ key }: Pass, { plan }: Reconciled, { again, word }: Conclusion): void {
    const { queue } = this.#options
    const why = plan?.waitingFor
    if (again === 'retry') {
      queue.retry(key, word === 'requeue' && why !== undefined ? { why } : {})
      return
    }
    queue.forget(key)
    if (again !== 'nothing') queue.add(key, { after: again, ...(why === undefined ? {} : { why }) })
  }

  #report({ info }: Pass, { word, level = 'error', again }: Conclusion, error: Error): void {
    const { runtime, metrics } = this.#options
    if (word === 'timeout') metrics()?.timedOut()
    if (word === 'terminal') metrics()?.terminalError()
    if (word === 'panic') metrics()?.panicked()
    const next = again === 'retry' ? 'it is tried again' : 'it waits for the next change'
    runtime.log[level]({ ...info, err: error, verdict: word }, `reconcile ended (${word}), ${next}: ${error.message}`)
  }
}
