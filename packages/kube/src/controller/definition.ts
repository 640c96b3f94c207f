import type { KubernetesObject, Resource } from '@windlass/api'
import type { Clock, Instant, Random } from '@windlass/core'
import type { CachedKind, CacheChange, CacheReader, Receives } from '../cache/cache.ts'
import type { Client, Ref } from '../client/client.ts'
import type { EventRecorder } from '../events/recorder.ts'
import type { Log } from '../log.ts'
import type { Action, Plan } from '../plan/action.ts'
import type { BackOffOptions } from '../queue/back-off.ts'

/** What a controller is: what it watches, a pure decision, and how much of it may run at once. */
export interface ControllerDefinition<T extends KubernetesObject = KubernetesObject, Observed = unknown> {
  /** Names it in metrics, logs, events and flags: `control-plane-version`. */
  readonly name: string
  /** The objects it looks after: each change of one is a reason to look at it again. */
  readonly for: CachedKind<T, string> | Resource<T>
  readonly predicate?: Predicate<T>
  /** Kinds whose objects have one of ours as their controller (`ownerReferences`). */
  readonly owns?: readonly (CachedKind<KubernetesObject, string> | Resource)[]
  /** Other kinds, and whom of ours a change of one concerns. Made with `watching(kind, map)`. */
  readonly watches?: readonly Watching[]
  /** Kinds that are read and not watched for changes. */
  readonly reads?: readonly (CachedKind<KubernetesObject, string> | Resource)[]
  /** Other reasons to look: a tick, a message from outside. */
  readonly sources?: readonly Source[]
  /** Reconciles at once; 1 unless told. */
  readonly maxConcurrent?: number
  /** A reconcile that takes longer is aborted; a minute unless told. */
  readonly timeout?: number
  /** How soon an object is tried again that has failed; after 5 ms, and twice as late each time up to 1,000 s, unless told. */
  readonly backOff?: BackOffOptions
  /** Which tenant an object belongs to: tenants take turns, so that one with many objects does not hold up the others. */
  readonly tenant?: (ref: Ref) => string
  readonly maxConcurrentPerTenant?: number
  /** Everything the decision needs, from the caches and nothing else. Undefined when there is nothing to decide: the object is gone. */
  readonly observe: (ref: Ref, cache: CacheReader) => Observed | undefined
  /** Pure: the same observation at the same time gives the same plan. */
  readonly decide: Decides<Observed>
}

/** Declared as a method for the reason that `Receives` is: controllers of several kinds stand side by side in lists. */
export type Decides<Observed> = { decide(observed: Observed, now: Instant): Plan }['decide']

/** A controller, whatever it looks after and whatever it observes. */
export type AnyController = ControllerDefinition | AsyncControllerDefinition

/** For the rare controller that must talk to something else than the API while it decides. */
export interface AsyncControllerDefinition<T extends KubernetesObject = KubernetesObject> extends Omit<
  ControllerDefinition<T>,
  'observe' | 'decide'
> {
  /** The plan it returns is carried out like any other. */
  readonly reconcile: (ref: Ref, context: ReconcileContext) => Promise<Plan>
}

export interface ReconcileContext {
  readonly client: Client
  readonly cache: CacheReader
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly events: EventRecorder
  /**
   * Carries out an action at once, for those who must know what came of it before they can decide the rest: the caches have it when this resolves. Returns
   * the object as the server returned it; undefined when nothing was sent, or when it is gone. Throws what went wrong.
   */
  readonly act: (action: Action) => Promise<KubernetesObject | undefined>
  /** Aborted when leadership is lost, the process stops, or the time for this reconcile is over. */
  readonly signal: AbortSignal
}

/** Whether a change is a reason to look at an object. */
export type Predicate<T> = Receives<CacheChange<T>, boolean>

export interface Watching<T extends KubernetesObject = KubernetesObject> {
  readonly of: CachedKind<T, string> | Resource<T>
  readonly predicate: Predicate<T>
  /** Objects of ours that a change of this one concerns. Called with the object as it is and, after a change, as it was. */
  map(object: T, cache: CacheReader): readonly Ref[]
}

/** Gives objects to look at, until the signal is aborted. */
export type Source = (context: { readonly clock: Clock; readonly cache: CacheReader; readonly signal: AbortSignal }) => AsyncIterable<Ref>

/** Thrown when trying again cannot help. It is counted and logged, and the object waits for its next change. */
export class TerminalError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'TerminalError'
  }
}
