import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { seededRandom, VirtualClock } from '@windlass/core'
import { RegistryFailure } from './failure.ts'
import { parseRetryAfter, retrying, usualRetries } from './retry.ts'

const never = new AbortController().signal
const busy = (retryAfter?: number): RegistryFailure => new RegistryFailure('unreachable', 'busy', { retryAfter })

/** Fails so often, then succeeds; tells when it was tried. */
async function tried(failures: number, failure: Error, signal = never): Promise<{ times: number[]; outcome: string }> {
  const clock = new VirtualClock({ start: 0 })
  const times: number[] = []
  const outcome = retrying({ clock, random: seededRandom(7), policy: usualRetries, signal }, () => {
    times.push(clock.now())
    return times.length > failures ? Promise.resolve('done') : Promise.reject(failure)
  }).catch((error: unknown) => (error instanceof Error ? error.message : String(error)))
  await clock.runUntilIdle()
  return { times, outcome: await outcome }
}

describe('retrying', () => {
  it('waits longer each time, spread by up to a half', async () => {
    const { times, outcome } = await tried(3, busy())
    assert.equal(outcome, 'done')
    const waits = times.slice(1).map((time, index) => time - (times[index] ?? 0))
    for (const [index, full] of [250, 500, 1000].entries()) {
      const wait = waits[index] ?? 0
      assert.ok(wait >= full / 2 && wait <= full, `${wait} is not between ${full / 2} and ${full}`)
    }
  })

  it('gives up after four attempts', async () => {
    const { times, outcome } = await tried(9, busy())
    assert.deepEqual([times.length, outcome], [4, 'busy'])
  })

  it('waits at least as long as the registry asks', async () => {
    const { times } = await tried(1, busy(7000))
    assert.deepEqual(times, [0, 7000])
  })

  it('does not wait when the registry asks for too much: that is for others to decide', async () => {
    assert.deepEqual(await tried(1, busy(60_000)), { times: [0], outcome: 'busy' })
  })

  it('does not try again what would fail again', async () => {
    for (const kind of ['not-found', 'unauthorized', 'corrupt', 'unusable'] as const) {
      assert.equal((await tried(1, new RegistryFailure(kind, 'no'))).times.length, 1)
    }
    assert.equal((await tried(1, new TypeError('a bug'))).times.length, 1)
  })

  it('ends with the reason of the signal', async () => {
    assert.deepEqual(await tried(9, busy(), AbortSignal.abort(new Error('enough'))), { times: [0], outcome: 'enough' })
  })

  it('reads Retry-After as seconds and as a date', () => {
    const now = Date.UTC(2026, 0, 1)
    assert.equal(parseRetryAfter('120', now), 120_000)
    assert.equal(parseRetryAfter('Thu, 01 Jan 2026 00:00:30 GMT', now), 30_000)
    assert.equal(parseRetryAfter('Wed, 31 Dec 2025 00:00:00 GMT', now), 0)
    assert.equal(parseRetryAfter('soon', now), undefined)
    assert.equal(parseRetryAfter(undefined, now), undefined)
  })
})
