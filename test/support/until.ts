import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when the condition holds; rejects with `what` was waited for when it does not in time. */
export async function until(what: string, condition: () => boolean | Promise<boolean>, milliseconds = 30_000): Promise<void> {
  const end = performance.now() + milliseconds
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${milliseconds} ms in vain for ${what}`)
    await sleep(10)
  }
}
