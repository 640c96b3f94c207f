import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pauseOf } from './pause.ts'
import { noon } from './testing/index.ts'

describe('pausedUntil', () => {
  const rows: readonly (readonly [value: string | undefined, isPaused: boolean, until: number | undefined, said: string])[] = [
    [undefined, false, undefined, 'True AsExpected: Reconciliation active on resource'],
    ['false', false, undefined, 'True AsExpected: Reconciliation active on resource'],
    ['False', false, undefined, 'True AsExpected: Reconciliation active on resource'],
    ['true', true, undefined, 'False ReconciliationPaused: Reconciliation paused until field removed'],
    ['True', true, undefined, 'False ReconciliationPaused: Reconciliation paused until field removed'],
    ['2026-03-06T12:30:00Z', true, noon + 1_800_000, 'False ReconciliationPaused: Reconciliation paused until: 2026-03-06T12:30:00Z'],
    [
      '2026-03-06T14:30:00+02:00',
      true,
      noon + 1_800_000,
      'False ReconciliationPaused: Reconciliation paused until: 2026-03-06T14:30:00+02:00',
    ],
    ['2026-03-06T12:00:00Z', false, undefined, 'True AsExpected: Reconciliation active on resource'],
    ['2026-03-06T11:59:59Z', false, undefined, 'True AsExpected: Reconciliation active on resource'],
    ['2026-13-45T00:00:00Z', false, undefined, 'True InvalidPausedUntilValue: Invalid value provided for PausedUntil field'],
    ['tomorrow', false, undefined, 'True InvalidPausedUntilValue: Invalid value provided for PausedUntil field'],
  ]
  for (const [value, isPaused, until, said] of rows) {
    it(`${value ?? 'absent'}: ${isPaused ? 'paused' : 'not paused'}`, () => {
      const { active, ...pause } = pauseOf(value, noon)
      assert.deepEqual(pause, { isPaused, until })
      assert.equal(`${active.status} ${active.reason}: ${active.message}`, said)
    })
  }
})
