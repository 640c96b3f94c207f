import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Clock } from '@windlass/core'
import type { Runnable } from '@windlass/kube'

const period = 5_000

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

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

function collectEverything(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}
