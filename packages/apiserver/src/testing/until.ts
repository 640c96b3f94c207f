import assert from 'node:assert/strict'
import { setImmediate } from 'node:timers/promises'
import { systemClock } from '@windlass/core'

const patience = 10_000

/** Lets the event loop turn until it is so: for what waits for sockets and disks, which no virtual clock moves. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = systemClock.monotonic() + patience
  while (!(await isSo())) {
    assert.ok(systemClock.monotonic() < deadline, 'it did not become so in time')
    await setImmediate()
  }
}
