import type { KubernetesObject, Resource } from '@windlass/api'
import type { CacheHandle, SharedCache, WriteMark } from '../cache/cache.ts'
import type { Client, Patch } from '../client/client.ts'
import { isAlreadyExists, isConflict, isNamespaceEnding, isNotFound, mayHaveHappened } from '../client/errors.ts'
import type { EventRecorder } from '../events/recorder.ts'
import { refOf } from '../objects/refs.ts'
import type { Action, Plan } from './action.ts'
import { subjectOf } from './actions.ts'
import { Applied } from './applied.ts'
import { KnownObjects } from './known-objects.ts'
import { isOvertaken, rememberOvertaken } from './overtaken.ts'
import { StaleView } from './stale-view.ts'
import { type Request, stepFor } from './step.ts'

export interface PlanExecutorOptions {
  readonly client: Client
  readonly cache: SharedCache
  readonly events: EventRecorder
  /** The caches to compare with. Objects that none of them covers are read from the server before they are changed. */
  readonly handles: readonly CacheHandle<KubernetesObject>[]
  /** What may be done; the rest is only said ("would do"). Everything unless told. */
  readonly allows?: (action: Action) => boolean
}

/** What became of an action. */
export interface ActionResult {
  readonly action: Action
  /** `refused`: it would have been sent, but it is not allowed here. */
  readonly outcome: 'sent' | 'skipped' | 'refused' | 'failed'
  /** Why it was skipped or what went wrong. */
  readonly detail?: string
  /** What was sent, or would have been, where it is a patch. */
  readonly patch?: Patch
  /** The object as the server returned it, where one was written and is still there. */
  readonly object?: KubernetesObject
}

/** What became of a plan. */
export interface Execution {
  /** Of the actions that were reached: up to the first that failed, in its branch or altogether. */
  readonly results: readonly ActionResult[]
  /** Our writes. The next pass over the same object must see them. */
  readonly marks: readonly WriteMark[]
  readonly failure?: {
    readonly error: unknown
    /** The object is not the one that was observed any more: look again and decide anew. */
    readonly isConflict: boolean
  }
}

type Failure = NonNullable<Execution['failure']>

/** Several branches may have failed. To look again and decide anew is enough only when that is all that any of them needs. */
function allOf(failures: readonly Failure[]): Failure | undefined {
  const [first, ...others] = failures
  if (first === undefined || others.length === 0) return first
  const errors = failures.map(({ error }) => error)
  const words = errors.map((error) => (error instanceof Error ? error.message : String(error))).join('; ')
  return {
    error: new AggregateError(errors, `${failures.length} parts of the plan failed: ${words}`),
    isConflict: failures.every(({ isConflict }) => isConflict),
  }
}

/**
 * Carries plans out, in order, sending nothing where nothing differs. Never throws: an action that fails ends the plan or its branch of it, and the writes before it
 * still count.
 */
export class PlanExecutor {
  readonly #options: PlanExecutorOptions
  readonly #known: KnownObjects
  readonly #applied = new Applied()

  constructor(options: PlanExecutorOptions) {
    this.#options = options
    this.#known = new KnownObjects(options.cache, options.handles)
  }

  /** `beforeWrite` is called before anything is sent, and ends the plan when it throws. */
  async execute({ actions }: Plan, signal?: AbortSignal, beforeWrite?: () => Promise<void>): Promise<Execution> {
    const results: ActionResult[] = []
    const marks: WriteMark[] = []
    const failures: Failure[] = []
    const failedBranches = new Set<string>()
    for (const action of actions) {
      if (action.branch !== undefined && failedBranches.has(action.branch)) continue
      try {
        signal?.throwIfAborted()
        const { mark, ...result } = await this.#do(action, signal, beforeWrite)
        results.push(result)
        if (mark !== undefined) marks.push(mark)
      } catch (error) {
        results.push({ action, outcome: 'failed', detail: error instanceof Error ? error.message : String(error) })
        const isConflict = isConflictOf(action, error)
        if (isConflict) rememberOvertaken(error)
        failures.push({ error, isConflict })
        if (action.branch === undefined || signal?.aborted === true || error instanceof StaleView) break
        failedBranches.add(action.branch)
      }
    }
    const failure = allOf(failures)
    return { results, marks, ...(failure === undefined ? {} : { failure }) }
  }

  /** The object is gone for good: what was applied to it need not be remembered. */
  forget(kind: Resource, object: KubernetesObject): void {
    this.#applied.forget(kind, object)
    this.#known.trust(kind, refOf(object))
  }

  async #do(
    action: Action,
    signal: AbortSignal | undefined,
    beforeWrite: (() => Promise<void>) | undefined,
  ): Promise<ActionResult & { readonly mark?: WriteMark }> {
    const { client, cache, events, allows } = this.#options
    const context = { client, cache, events, known: this.#known, applied: this.#applied, ...(signal === undefined ? {} : { signal }) }
    const step = await stepFor(action, context)
    if ('skip' in step) {
      this.#answered(action)
      return { action, outcome: 'skipped', detail: step.skip }
    }
    const patch = step.patch === undefined ? {} : { patch: step.patch }
    if (allows?.(action) === false) return { action, outcome: 'refused', ...patch }
    // By the time of the answer the cache may know better.
    const changesSeen = this.#changesSeen(action)
    if (action.do !== 'event') await beforeWrite?.()
    const sent = await this.#sending(action, step, changesSeen)
    return 'skip' in sent ? { action, outcome: 'skipped', detail: sent.skip } : { action, outcome: 'sent', ...patch, ...sent }
  }

  async #sending(action: Action, step: Request, changesSeen: boolean): ReturnType<Request['send']> {
    try {
      const sent = await step.send()
      this.#answered(action)
      return sent
    } catch (error) {
      // One that the cache had was deleted meanwhile; one that nobody has seen is a mistake.
      if (changesSeen && isNotFound(error)) rememberOvertaken(error)
      // The next pass may want back what the cache still shows, and would take the write that did happen for one that did not.
      const subject = mayHaveHappened(error) ? subjectOf(action) : undefined
      if (subject !== undefined) this.#known.doubt(subject.kind, subject.ref)
      throw error
    }
  }

  #answered(action: Action): void {
    const subject = subjectOf(action)
    if (subject !== undefined) this.#known.trust(subject.kind, subject.ref)
  }

  /** Whether it changes an object that the cache has. */
  #changesSeen(action: Action): boolean {
    if (action.do !== 'patch' && action.do !== 'ensure') return false
    const subject = subjectOf(action)
    return subject !== undefined && this.#known.find(subject.kind, subject.ref).is === 'cached'
  }
}

/** Whether to look again is enough. */
function isConflictOf(action: Action, error: unknown): boolean {
  if (error instanceof StaleView) return true
  // A conflict between appliers is about who owns a field: to look again does not help.
  if (isConflict(error)) return action.do !== 'apply'
  if (isAlreadyExists(error)) return action.do === 'create'
  // Whoever the object was for goes too, and the next pass sees it: nobody needs to hear of it.
  if (isNamespaceEnding(error)) return true
  return isNotFound(error) && (action.do === 'status' || isOvertaken(error))
}
