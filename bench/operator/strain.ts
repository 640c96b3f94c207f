import { monitorEventLoopDelay, PerformanceObserver } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'

/** What something was like for the process that did it. All in milliseconds. */
export interface Strain {
  readonly took: number
  /** Of all threads. */
  readonly cpu: number
  /** Of the thread that JavaScript runs on. */
  readonly mainCpu: number
  /** Spent in pauses for garbage collection, and the longest of them. */
  readonly collecting: number
  readonly longestCollection: number
  /** The longest time in which the event loop did not turn: by the clock, which counts neighbours too, and in CPU time. */
  readonly stall: number
  readonly cpuStall: number
}

const resolution = 5

/** Begins to look; the function that it returns ends it. */
export function observeStrain(): () => Promise<Strain> {
  const collections = observeCollections()
  const stalls = observeStalls()
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  const from = performance.now()
  const cpu = process.cpuUsage()
  const main = process.threadCpuUsage()
  return async () => {
    const took = performance.now() - from
    const used = total(process.cpuUsage(cpu))
    const mainUsed = total(process.threadCpuUsage(main))
    delays.disable()
    return {
      took,
      cpu: used,
      mainCpu: mainUsed,
      ...(await collections()),
      stall: Math.max(0, delays.max / 1e6 - resolution),
      cpuStall: stalls(),
    }
  }
}

function observeCollections(): () => Promise<Pick<Strain, 'collecting' | 'longestCollection'>> {
  let collecting = 0
  let longestCollection = 0
  const count = (entries: readonly { readonly duration: number }[]): void => {
    for (const { duration } of entries) {
      collecting += duration
      longestCollection = Math.max(longestCollection, duration)
    }
  }
  const observer = new PerformanceObserver((list) => count(list.getEntries()))
  observer.observe({ entryTypes: ['gc'] })
  return async () => {
    // The last ones are told when the event loop has turned.
    await turn()
    await turn()
    count(observer.takeRecords())
    observer.disconnect()
    return { collecting, longestCollection }
  }
}

/**
 * CPU time between one look and the next is at most what the event loop did in one turn, and what fits before the next look is due.
 */
function observeStalls(): () => number {
  let longest = 0
  let before = process.threadCpuUsage()
  const look = (): void => {
    const now = process.threadCpuUsage()
    longest = Math.max(longest, total(now) - total(before))
    before = now
  }
  const timer = setInterval(look, resolution)
  return () => {
    clearInterval(timer)
    look()
    return longest
  }
}

function total({ user, system }: { readonly user: number; readonly system: number }): number {
  return (user + system) / 1000
}
