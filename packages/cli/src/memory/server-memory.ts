import { cpuUsage } from 'node:process'
import type { Clock } from '@windlass/core'
import { collectEverything, letNurseryGrow, nurserySize } from './v8.ts'

/** Milliseconds between two looks. */
const period = 1_000
/** Of a core. A server that answers a few requests a second takes less. */
const busyShare = 0.1
/** Looks without load until memory is given back. */
const restBefore = 5

/**
 * Under load V8 lets the space for new objects grow to 128 MB, which is more than everything else together, and gains a few percent by it. This much it takes
 * to be fast.
 */
const largestNursery = 32 * 1024 ** 2

/** What is looked at and done; replaced in tests. */
export interface Hands {
  /** Milliseconds of CPU that the process has taken so far. */
  readonly cpu: () => number
  readonly nurserySize: () => number
  readonly letNurseryGrow: (mayGrow: boolean) => void
  readonly collect: () => void
}

const realHands: Hands = {
  cpu() {
    const { user, system } = cpuUsage()
    return (user + system) / 1000
  },
  nurserySize,
  letNurseryGrow,
  collect: collectEverything,
}

/**
 * Keeps a server small until the signal is aborted: the space for new objects stays within its limit, and once a load has ended, what it took is given back.
 *
 * Not for a process with controllers and their caches in it: there a look through everything takes seconds, and a large space for new objects pays.
 */
export async function keepMemorySmall(clock: Clock, signal: AbortSignal, hands: Hands = realHands): Promise<void> {
  let before = { at: clock.monotonic(), cpu: hands.cpu() }
  // The start is a load too.
  let hasWorked = true
  let quietLooks = 0
  for (;;) {
    try {
      await clock.sleep(period, signal)
    } catch {
      return
    }
    // Giving memory back makes it small, and then it must be able to grow again.
    hands.letNurseryGrow(hands.nurserySize() < largestNursery)
    const now = { at: clock.monotonic(), cpu: hands.cpu() }
    const isBusy = now.cpu - before.cpu > busyShare * (now.at - before.at)
    before = now
    quietLooks = isBusy ? 0 : quietLooks + 1
    if (isBusy) hasWorked = true
    else if (hasWorked && quietLooks >= restBefore) {
      hasWorked = false
      hands.collect()
    }
  }
}
