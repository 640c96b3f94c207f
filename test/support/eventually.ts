import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Asks again and again until it is so. For what happens by itself and can be seen but not awaited; what can be watched is better watched.
 */
export async function eventually(what: string, isSo: () => Promise<boolean>, patience = 20_000): Promise<void> {
  const end = performance.now() + patience
  while (!(await isSo())) {
    if (performance.now() > end) throw new Error(`${what}: not so after ${patience / 1000} s`)
    await sleep(50)
  }
}
