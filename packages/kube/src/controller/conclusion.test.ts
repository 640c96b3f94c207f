import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { afterConflict, plan, requeueAfter } from '../plan/index.ts'
import { conclude } from './conclusion.ts'

const whole = { cutShortBy: undefined } as const
const conflict = { error: new Error('the object has been modified'), isConflict: true }

describe('what follows from a conflict', () => {
  it('N12 is to look again soon, and later each time in a row', () => {
    assert.equal(conclude({ plan: plan(requeueAfter(60_000)), failure: conflict }, whole).again, 'retry')
  })

  it('N12 is to look again at the time that the plan names for it, which is no error', () => {
    const { again, result, level } = conclude({ plan: plan(afterConflict(1_000), requeueAfter(60_000)), failure: conflict }, whole)
    assert.deepEqual([again, result, level], [1_000, 'requeue', 'debug'])
  })

  it('N12 is no concern of other failures', () => {
    const failure = { error: new Error('the server is busy'), isConflict: false }
    assert.equal(conclude({ plan: afterConflict(1_000), failure }, whole).again, 'retry')
  })
})
