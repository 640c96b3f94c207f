/**
 * How much memory a process keeps.
 *
 * - `operator-memory.ts`: an operator gives back what filling its caches took.
 * - `server-memory.ts`: a server gives back what load took when the load has ended, and keeps V8 from taking more than it gains by.
 * - `v8.ts`: the engine's own switches.
 */
export { memoryGiver } from './operator-memory.ts'
export { keepMemorySmall } from './server-memory.ts'
export { countBuffersAsHeap } from './v8.ts'
