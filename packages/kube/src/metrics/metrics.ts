/** What controllers and queues report. Called millions of times: implementations count, and leave the rest to the scrape. */
export interface RuntimeMetrics {
  /** A controller exists, with so many workers. */
  controller(name: string, maxConcurrent: number): ControllerMetrics
  queue(name: string, source: QueueGauges): QueueMetrics
  cache(name: string, source: () => { readonly objects: number; readonly lists: number; readonly watches: number }): void
  request(host: string, method: string, status: number | '<error>', seconds: number): void
  leader(lease: string, isLeader: boolean): void
}

export type ReconcileResult = 'success' | 'error' | 'requeue' | 'requeue_after'

export interface ControllerMetrics {
  started(): void
  finished(result: ReconcileResult, seconds: number): void
  terminalError(): void
  /** An error that nobody threw on purpose. */
  panicked(): void
  timedOut(): void
  /** How long a reconcile waited for the cache to show writes of the one before it. */
  waitedForCache(seconds: number): void
}

/** Read when metrics are asked for. */
export interface QueueGauges {
  depths(): ReadonlyMap<number, number>
  unfinishedSeconds(): number
  longestRunningSeconds(): number
}

export interface QueueMetrics {
  added(): void
  retried(): void
  waited(seconds: number): void
  worked(seconds: number): void
}
