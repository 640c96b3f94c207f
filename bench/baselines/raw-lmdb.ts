import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'

export interface RawPuts {
  readonly perSecond: number
  /** Milliseconds until one put is on the disk. */
  readonly alone: number
}

/**
 * Puts of one value of the size of an object and one of the size of its log entry, `together` in each flush: the least that durable writes
 * of these objects can cost on this disk.
 */
export async function rawPuts(directory: string, bytes: number, together: number, seconds: number): Promise<RawPuts> {
  const folder = join(directory, 'raw-lmdb')
  mkdirSync(folder, { recursive: true })
  const store = open<Buffer, string>(join(folder, 'data.mdb'), { encoding: 'binary', overlappingSync: false, noMemInit: true })
  const log = store.openDB<Buffer, string>('log', { encoding: 'binary' })
  const value = Buffer.alloc(bytes, 'x')
  let count = 0
  const flush = (size: number): Promise<unknown> =>
    store.batch(() => {
      for (let index = 0; index < size; index++) {
        const key = String(count++).padStart(16, '0')
        void store.put(key, value)
        void log.put(key, value)
      }
    })
  const started = performance.now()
  while (performance.now() - started < seconds * 1000) await flush(together)
  const perSecond = (count * 1000) / (performance.now() - started)
  const alone: number[] = []
  while (alone.length < 200) {
    const from = performance.now()
    await flush(1)
    alone.push(performance.now() - from)
  }
  await store.close()
  rmSync(folder, { recursive: true })
  return { perSecond, alone: alone.sort((a, b) => a - b)[alone.length / 2] ?? Number.NaN }
}
