import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { LearnedEstimate } from '@windlass/core'
import { doubtsIn, learnedOf, learnedWords } from './learned.ts'
import type { LearnedView, PoolView } from './view.ts'

const now = Date.UTC(2025, 5, 27, 12)
const minute = 60_000
const said = (estimate: LearnedEstimate): string | undefined => {
  const view = learnedOf(estimate)
  return view === undefined ? undefined : learnedWords(view, now)
}
const expected = (earliest: number, latest: number, updates = 3): LearnedEstimate => ({
  state: 'expected',
  earliest: now + earliest,
  latest: now + latest,
  likely: now + (earliest + latest) / 2,
  updates,
})

describe('an estimate that was learned', () => {
  it('is a range, and says from how much it was learned', () => {
    assert.equal(said(expected(25 * minute, 38 * minute)), '25m to 38m left, by 3 finished updates')
    assert.equal(said(expected(0, 38 * minute, 1)), 'up to 38m left, by 1 finished update')
    assert.equal(said(expected(25 * minute, 25 * minute)), 'up to 25m left, by 3 finished updates')
  })

  it('is unknown when the update has stalled, and names what it waits for', () => {
    const due = now - 5 * minute
    assert.equal(
      said({ state: 'stalled', on: ['dns', 'network'], due, updates: 2 }),
      'unknown, stalled because dns, network should have been done by 2025-06-27T11:55:00Z',
    )
    assert.equal(
      said({ state: 'stalled', on: [], due, updates: 2 }),
      'unknown, stalled because it should have been done by 2025-06-27T11:55:00Z',
    )
  })

  it('is unknown when the update is slower than those that it was learned from', () => {
    assert.equal(
      said({ state: 'slower', on: ['machine-config'], due: now, updates: 1 }),
      'unknown, slower than its last update: should have been done by 2025-06-27T12:00:00Z, waits for machine-config',
    )
  })

  it('makes a warning when it is unknown, of the control plane or else of its pools', () => {
    const due = '2025-06-27T11:55:00Z'
    const stalled: LearnedView = { state: 'stalled', on: ['network'], due, updates: 2 }
    const slower: LearnedView = { state: 'slower', on: ['more nodes of pool worker'], due, updates: 1 }
    const none = { assessment: '', completionPercent: 0, total: 1, completed: 0, available: 0, progressing: 0, draining: 0 }
    const pool = (learned: LearnedView): PoolView => ({ name: 'worker', ...none, excluded: 0, degraded: 0, nodes: [], learned })
    const told = (...of: Parameters<typeof doubtsIn>) =>
      doubtsIn(...of).map(({ level, impact, since, summary }) => [level, impact, since, summary].join(' | '))
    const summary = 'Update has stopped where the last 2 updates went on: network should have been done'
    assert.deepEqual(told({ learned: stalled }, [pool(slower)]), [`Warning | Update Stalled | ${due} | ${summary}`])
    assert.deepEqual(told({}, [pool(slower)]), [`Warning | Update Speed | ${due} | Update of pool worker is slower than the last update`])
    const fine: LearnedView = { state: 'expected', updates: 1, earliest: due, latest: due, likely: due }
    assert.deepEqual(told({ learned: fine }, [pool(fine)]), [])
  })

  it('is not mentioned where there is nothing to learn from', () => {
    assert.equal(said({ state: 'unlearned' }), undefined)
    assert.equal(learnedOf(undefined), undefined)
  })
})
