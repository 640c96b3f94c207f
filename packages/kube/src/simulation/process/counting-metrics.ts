import type { RuntimeMetrics } from '../../metrics/metrics.ts'

export interface ReconcileCounter {
  count: number
}

/** Counts passes; nobody looks at anything else in a simulation. */
export function countingMetrics(reconciles: ReconcileCounter): RuntimeMetrics {
  const nothing = (): void => {}
  const controller = {
    started: () => void reconciles.count++,
    finished: nothing,
    terminalError: nothing,
    panicked: nothing,
    timedOut: nothing,
    waitedForCache: nothing,
  }
  const queue = { added: nothing, retried: nothing, waited: nothing, worked: nothing }
  return { controller: () => controller, queue: () => queue, cache: nothing, request: nothing, leader: nothing }
}
