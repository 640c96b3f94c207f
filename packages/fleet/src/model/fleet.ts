import type { Runnable } from '@windlass/kube'
import type { ClusterId, ClusterRow, ClusterView, EventView, ExposureView, FleetChange, FleetView, MemberView } from '../contract/index.ts'
import type { ClusterObjects } from './objects.ts'

/** What asks for events. */
export interface EventsQuestion {
  /** Only those whose last time is not before it. RFC 3339. */
  readonly since?: string
  /** Goes on with what happens, until it is aborted. Without it the stream ends after what is known. */
  readonly follow?: AbortSignal
  /** Events of this cluster alone. */
  readonly cluster?: ClusterId
}

/**
 * All clusters of all members, live.
 *
 * It runs as long as the process does (`run`). Answers are given from memory, but for those that return a promise or a stream: these ask the members.
 */
export interface Fleet extends Runnable {
  /** Resolves when of every member either everything is known, or why nothing is. Rejects when the signal is aborted first. */
  ready(signal?: AbortSignal): Promise<void>
  view(): FleetView
  row(id: ClusterId): ClusterRow | undefined
  /** One cluster in full; undefined when there is none by that id. Reads its events; when they cannot be read, the answer comes without them. */
  cluster(id: ClusterId): Promise<ClusterView | undefined>
  /**
   * Who is exposed, by the versions that fix it.
   *
   * # Errors
   *
   * `InvalidFixError` when a version is none, or when two are of one minor.
   */
  exposure(fixedIn: readonly string[]): ExposureView
  members(): readonly MemberView[]
  /** Calls with what has changed, at most every 50 ms. Returns how to stop that. */
  subscribe(listener: (change: FleetChange) => void): () => void
  /** Called whenever something of this one cluster has changed, at most every 50 ms; also when it is gone, or there again. */
  follow(id: ClusterId, listener: () => void): () => void
  /** For selectors. Empty when there is no such cluster. */
  labels(id: ClusterId): Readonly<Record<string, string>>
  /** The objects of one cluster as they are cached right now, for `why`. */
  evidence(id: ClusterId): ClusterObjects | undefined
  /** What controllers have told, of all members, oldest first; and what they tell from then on, if asked to follow. */
  events(question?: EventsQuestion): AsyncIterable<EventView>
}
