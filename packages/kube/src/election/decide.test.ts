import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Lease } from '@windlass/api'
import { type Candidate, decideLease, type LeaseSpec, released } from './decide.ts'

const now = Date.UTC(2026, 0, 1, 12, 0, 0, 250)
const noon = '2026-01-01T12:00:00.250000Z'
const self: Candidate = { identity: 'a', isLeading: false, leaseDuration: 15_000 }
const leading = { ...self, isLeading: true }

function aLease(spec: LeaseSpec): Lease {
  return { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'windlass', namespace: 'default' }, spec }
}

/** By somebody whose clock is years off. */
const heldByB = aLease({
  holderIdentity: 'b',
  leaseDurationSeconds: 15,
  acquireTime: '2001-01-01T00:00:00.000000Z',
  renewTime: '2001-01-01T00:00:10.000000Z',
  leaseTransitions: 4,
})
const heldByA = aLease({ ...heldByB.spec, holderIdentity: 'a' })
const free = aLease(released(heldByB.spec ?? {}, now))

describe('what to do about a lease', () => {
  it('N14 one that was never there is acquired', () => {
    assert.deepEqual(decideLease({ lease: undefined, changedAt: 0 }, self, now, 0), {
      do: 'acquire',
      spec: { holderIdentity: 'a', leaseDurationSeconds: 15, acquireTime: noon, renewTime: noon, leaseTransitions: 0 },
    })
  })

  it('N14 one that was released is acquired at once, and counts one transition more', () => {
    assert.deepEqual(decideLease({ lease: free, changedAt: 0 }, self, now, 1), {
      do: 'acquire',
      spec: { holderIdentity: 'a', leaseDurationSeconds: 15, acquireTime: noon, renewTime: noon, leaseTransitions: 5 },
    })
  })

  it('N14 our own is renewed, and keeps the time it was acquired', () => {
    for (const candidate of [self, leading]) {
      assert.deepEqual(decideLease({ lease: heldByA, changedAt: 0 }, candidate, now, 99_000), {
        do: 'renew',
        spec: { ...heldByA.spec, renewTime: noon },
      })
    }
  })

  it('N14 somebody else’s is waited for, from when we saw it change and whatever its times say', () => {
    assert.deepEqual(decideLease({ lease: heldByB, changedAt: 1000 }, self, now, 4000), { do: 'wait', milliseconds: 12_000, holder: 'b' })
    assert.deepEqual(decideLease({ lease: heldByB, changedAt: 1000 }, self, now, 15_999), { do: 'wait', milliseconds: 1, holder: 'b' })
  })

  it('N14 somebody else’s is acquired when its whole duration has passed without a change', () => {
    assert.equal(decideLease({ lease: heldByB, changedAt: 1000 }, self, now, 16_000).do, 'acquire')
  })

  it('N14 a lease lasts as long as its holder says', () => {
    const longer = aLease({ ...heldByB.spec, leaseDurationSeconds: 60 })
    assert.deepEqual(decideLease({ lease: longer, changedAt: 0 }, self, now, 16_000), { do: 'wait', milliseconds: 44_000, holder: 'b' })
    const { leaseDurationSeconds: _, ...silent } = heldByB.spec ?? {}
    assert.deepEqual(decideLease({ lease: aLease(silent), changedAt: 0 }, self, now, 0), { do: 'wait', milliseconds: 15_000, holder: 'b' })
  })

  it('N14 a leader that sees another holder has lost, expired or not', () => {
    for (const monotonic of [0, 99_000]) {
      assert.deepEqual(decideLease({ lease: heldByB, changedAt: 0 }, leading, now, monotonic), { do: 'lost', holder: 'b' })
    }
  })

  it('N14 releasing leaves a lease that nobody holds, for one second', () => {
    assert.deepEqual(free.spec, {
      holderIdentity: '',
      leaseDurationSeconds: 1,
      acquireTime: noon,
      renewTime: noon,
      leaseTransitions: 4,
    })
  })
})
