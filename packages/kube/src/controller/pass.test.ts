import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { createDeadlines } from './deadline.ts'
import { Pass, ReconcileTimeout } from './pass.ts'

function aPass(clock = new VirtualClock()) {
  const deadlines = createDeadlines(clock)
  const ref = { namespace: 'default', name: 'a' }
  const info = { controller: 'widgets', reconcileID: '1', ...ref }
  return { clock, deadlines, pass: new Pass({ key: 'default/a', ref, info, clock, timeout: 30_000, deadlines }) }
}

describe('a pass', () => {
  it('N12 has a limit from when it began, though its signal was asked for later', async () => {
    const { clock, pass } = aPass()
    await clock.advance(20_000)
    const { signal } = pass
    await clock.advance(9_999)
    assert.equal(pass.cutShortBy, undefined)
    await clock.advance(1)
    assert.equal(pass.cutShortBy, 'timeout')
    assert.ok(signal.aborted && signal.reason instanceof ReconcileTimeout)
  })

  it('N12 that nobody could abort, or that is over, costs no timer and leaves nothing behind', () => {
    const { clock, deadlines, pass } = aPass()
    assert.equal(clock.pending, 0)
    assert.ok(!pass.signal.aborted)
    assert.equal(deadlines.size, 1)
    pass.end()
    assert.equal(deadlines.size, 0)
  })

  it('N14 a stop and a time-out are the same signal with another reason; the first counts', async () => {
    const { clock, pass } = aPass()
    const reason = new Error('leadership was lost')
    pass.stop(reason)
    assert.equal(pass.signal.reason, reason, 'the signal was asked for afterwards')
    await clock.advance(60_000)
    assert.equal(pass.cutShortBy, 'stop')
  })
})
