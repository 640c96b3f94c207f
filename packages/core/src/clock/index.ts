/**
 * Time as an argument.
 *
 * - `clock.ts`: the interface that everything takes. `sleep.ts`: the part of it that is the same for every clock.
 * - `system-clock.ts`: real time; the only file that reads the system's clocks or sets its timers.
 * - `virtual-clock.ts`: time that moves when told to, on a heap of timers (`timer-heap.ts`).
 * - `delays.ts`: any number of things that wait for their time, and one timer.
 */
export type { Cancel, Clock, Instant } from './clock.ts'
export { type Delayed, Delays } from './delays.ts'
export { systemClock } from './system-clock.ts'
export { VirtualClock } from './virtual-clock.ts'
export type { VirtualClockOptions } from './virtual-clock.ts'
