import type { Resource } from '@windlass/api'
import type { Clock, Random } from '@windlass/core'
import type { SharedCache } from '../cache/cache.ts'
import type { Client, Ref } from '../client/client.ts'
import type { EventRecorder } from '../events/recorder.ts'
import type { Log } from '../log.ts'
import type { Runnable } from '../manager/runnable.ts'
import type { RuntimeMetrics } from '../metrics/metrics.ts'
import type { Action, History } from '../plan/index.ts'
import type { QueueView } from '../queue/index.ts'

/** What a controller runs on. All of it is passed in; controllers cannot tell a real cluster from a simulated one. */
export interface ControllerRuntime {
  readonly client: Client
  readonly cache: SharedCache
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly events: EventRecorder
  readonly metrics?: RuntimeMetrics
  /** What may be done to the cluster; the rest is only recorded as what would be done. Everything unless told. */
  readonly allows?: (action: Action) => boolean
  /** Whether another process may have looked after the objects until this one runs: with leader election. */
  readonly isSuccessor?: boolean
}

/**
 * A controller, ready to be run by a manager. It listens to its caches from the moment it is made, so that a replica which takes over knows what to
 * look at; it looks only while it runs.
 */
export interface ControllerRunner extends Runnable {
  /** What it looks after. */
  readonly kind: Resource
  /** What it did to each object, and why. */
  readonly history: History
  /** What it has before it: for `/debug/queue`. */
  queue(limit?: number): QueueView
  /** Looks at an object though nothing has changed. */
  trigger(ref: Ref): void
  /** How many objects are looked at at once, from now on. Those that are being looked at are not interrupted. */
  setMaxConcurrent(most: number): void
}
