import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { findCondition, isFalse, isTrue, isUnknown, removeCondition, setCondition, setConditions, transitionTime } from './index.ts'
import type { Condition } from './index.ts'

const t0 = Date.UTC(2026, 1, 20, 10)
const t1 = t0 + 60_000

const available: Condition = {
  type: 'Available',
  status: 'True',
  reason: 'AsExpected',
  message: '',
  lastTransitionTime: '2026-02-20T10:00:00Z',
  observedGeneration: 1,
}
const foreign: Condition = { type: 'Foreign', status: 'Unknown', lastTransitionTime: '2025-01-01T00:00:00Z' }

describe('setting a condition', () => {
  it('that is new appends it with the time of now, in whole seconds', () => {
    const result = setCondition<Condition>([foreign], { type: 'Ready', status: 'False', reason: 'Waiting', message: 'm' }, t1 + 789)
    assert.deepEqual(result, [
      foreign,
      { type: 'Ready', status: 'False', reason: 'Waiting', message: 'm', lastTransitionTime: '2026-02-20T10:01:00Z' },
    ])
  })

  it('W6 with another status moves the transition time and keeps its place', () => {
    const result = setCondition([available, foreign], { ...available, status: 'False', reason: 'Down' }, t1)
    assert.deepEqual(result, [{ ...available, status: 'False', reason: 'Down', lastTransitionTime: '2026-02-20T10:01:00Z' }, foreign])
  })

  it('W6 with the same status refreshes reason, message and generation and keeps the transition time', () => {
    const result = setCondition(
      [available],
      { type: 'Available', status: 'True', reason: 'Other', message: 'n', observedGeneration: 2 },
      t1,
    )
    assert.deepEqual(result, [{ ...available, reason: 'Other', message: 'n', observedGeneration: 2 }])
  })

  it('L12 that is as before returns the same list', () => {
    const before = [foreign, available]
    const { lastTransitionTime: _, ...same } = available
    assert.equal(setCondition(before, same, t1), before)
    assert.equal(setConditions(before, [same], t1), before)
  })

  it('drops a reason that no longer applies', () => {
    const { reason: _, ...bare } = available
    const [result] = setCondition([available], bare, t1)
    assert.equal(result !== undefined && 'reason' in result, false)
  })

  it('leaves what it was given untouched', () => {
    const before = Object.freeze([Object.freeze({ ...available })])
    setCondition<Condition>(before, { type: 'Available', status: 'Unknown' }, t1)
    assert.deepEqual(before, [available])
  })

  it('gives a time to a condition that had none', () => {
    const [result] = setCondition<{ type: string; status: string; lastTransitionTime?: string }>(
      [{ type: 'Updated', status: 'True' }],
      { type: 'Updated', status: 'True' },
      t0,
    )
    assert.equal(result?.lastTransitionTime, '2026-02-20T10:00:00Z')
  })

  it('moves the time exactly when the status changes, for any sequence', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ status: fc.constantFrom('True', 'False', 'Unknown'), reason: fc.string() })), (steps) => {
        let conditions: readonly Condition[] = [foreign]
        let expected: { status: string; time: string } | undefined
        for (const [index, step] of steps.entries()) {
          const now = t0 + index * 1000
          conditions = setCondition(conditions, { type: 'Ready', ...step }, now)
          if (expected?.status !== step.status) expected = { status: step.status, time: new Date(now).toISOString().replace('.000', '') }
          const ready = findCondition(conditions, 'Ready')
          assert.equal(ready?.lastTransitionTime, expected.time)
          assert.equal(ready.reason, step.reason)
          assert.equal(conditions[0], foreign)
        }
      }),
    )
  })
})

describe('reading conditions', () => {
  const conditions = [available, foreign]

  it('takes an absent condition for nothing', () => {
    for (const read of [isTrue, isFalse, isUnknown]) {
      assert.equal(read(conditions, 'Missing'), false)
      assert.equal(read(undefined, 'Available'), false)
    }
    assert.equal(findCondition(undefined, 'Available'), undefined)
    assert.equal(transitionTime(conditions, 'Missing'), undefined)
  })

  it('tells the three answers apart', () => {
    assert.deepEqual(
      [isTrue, isFalse, isUnknown].map((read) => read(conditions, 'Available')),
      [true, false, false],
    )
    assert.deepEqual(
      [isTrue, isFalse, isUnknown].map((read) => read(conditions, 'Foreign')),
      [false, false, true],
    )
    assert.equal(transitionTime(conditions, 'Available'), t0)
  })

  it('removes by type, and returns the same list when there is nothing to remove', () => {
    assert.deepEqual(removeCondition(conditions, 'Available'), [foreign])
    assert.equal(removeCondition(conditions, 'Missing'), conditions)
  })
})
