import type { Clock } from '@windlass/core'
import type { Runnable } from '@windlass/kube'
import { collectEverything } from './v8.ts'

const period = 5_000

/**
 * Gives memory back to the system once, when everything that was there at the start has been looked at.
 *
 * Filling caches leaves garbage between what stays, and half-empty pages where it was. V8 tidies up when memory is short, which on a large machine is
 * never: 100,000 objects would keep twice of what they need for good. It takes some hundred milliseconds then, at a moment when nothing waits.
 */
export function memoryGiver(clock: Clock, isIdle: () => boolean, collect: () => void = collectEverything): Runnable {
  return {
    name: 'memory',
    needsLeadership: false,
    async run(signal) {
      try {
        do await clock.sleep(period, signal)
        while (!isIdle())
        collect()
      } catch (error) {
        if (!signal.aborted) throw error
      }
    },
  }
}
