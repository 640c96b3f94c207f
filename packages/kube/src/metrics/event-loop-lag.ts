import { monitorEventLoopDelay } from 'node:perf_hooks'

/** How often the system looks at the event loop, in milliseconds. What it reports contains this much even when nothing holds it up. */
const resolution = 10

/**
 * Begins to watch how late the event loop is; the function it returns gives the longest delay in seconds since it was called last. The longest
 * and not the average: one pause of two seconds is what makes a leader miss its renewals, and no average shows it.
 */
export function watchEventLoop(): () => number {
  const delays = monitorEventLoopDelay({ resolution })
  delays.enable()
  return () => {
    const longest = delays.max / 1e9 - resolution / 1000
    delays.reset()
    return Math.max(0, longest)
  }
}
