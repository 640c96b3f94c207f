import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

type Collect = (options: { readonly type: 'major'; readonly execution: 'sync'; readonly flavor: 'last-resort' }) => void

/** Collects all garbage, moves what is left together, and gives the rest back to the system. */
export function collectEverything(): void {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as Collect
  collect({ type: 'major', execution: 'sync', flavor: 'last-resort' })
}

/**
 * V8 looks through the whole heap whenever 64 MB of buffers have come, however large the heap is: twice a second in a server that does nothing but write, which
 * the slowest of its answers show. Beside controllers that keep a fleet in memory it was most of what the upgrade of 250 clusters did. Counted with the
 * heap, buffers may grow in proportion to it.
 */
export function countBuffersAsHeap(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit')
}

/** Bytes of the space for new objects. */
export function nurserySize(): number {
  return getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')?.space_size ?? 0
}

export function letNurseryGrow(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`)
}
