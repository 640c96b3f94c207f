import type { Cancel, Clock } from './clock.ts'
import { sleepUsing } from './sleep.ts'

/** setTimeout keeps its delay in 32 bits and fires at once when it does not fit: about 24.8 days. */
const longestTimeout = 2 ** 31 - 1

/** Real time. The only file that reads the system's clocks or sets its timers. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after,
  sleep: (milliseconds, signal) => sleepUsing(after, milliseconds, signal),
}

function after(milliseconds: number, fire: () => void): Cancel {
  const due = performance.now() + milliseconds
  let timer: NodeJS.Timeout
  const arm = (remaining: number): void => {
    timer =
      remaining <= longestTimeout
        ? setTimeout(fire, Math.max(0, remaining))
        : setTimeout(() => arm(due - performance.now()), longestTimeout)
  }
  arm(milliseconds)
  return () => clearTimeout(timer)
}
