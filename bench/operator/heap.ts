import { setTimeout as sleep } from 'node:timers/promises'

/** MB that are used of the heap, after what is not used was thrown away as when memory is short. */
export async function measureHeap(): Promise<number> {
  if (globalThis.gc === undefined) throw new Error('the process must be started with --expose-gc')
  globalThis.gc({ type: 'major', execution: 'sync', flavor: 'last-resort' })
  // The system gets its pages back a moment later.
  await sleep(200)
  return process.memoryUsage().heapUsed / 2 ** 20
}
