import { signal } from '@preact/signals'
import { type Instant, parseTime, systemClock } from '@windlass/core'

/** The time of the page. Everything that is said about time is said relative to `now`. */
const clock = systemClock

/** How far the server's clock is ahead of the browser's. Ages are those that the server would tell: nobody can trust the clock of a screen on a wall. */
let ahead = 0

/** Now, as the server has it; ticks every second while the page can be seen. */
export const now = signal<Instant>(clock.now())

/** Takes the time of an answer. */
export function synchronise(time: string): void {
  const instant = parseTime(time)
  if (instant === undefined) return
  ahead = instant - clock.now()
  now.value = Math.max(instant, clock.now() + ahead)
}

function tick(): void {
  if (document.visibilityState === 'visible') now.value = clock.now() + ahead
  clock.after(1000, tick)
}
clock.after(1000, tick)

/** Runs something later; gives back what cancels it. */
export function after(milliseconds: number, run: () => void): () => void {
  return clock.after(milliseconds, run)
}

/** For lengths of time within the page. */
export function monotonic(): number {
  return clock.monotonic()
}
