import { deepEqual } from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conditionsOf } from './conditions.ts'

describe('conditions as they are shown', () => {
  const expected = { Available: 'True', Degraded: 'False', DataPlaneConnectionAvailable: 'True' }
  const shown = (...conditions: Parameters<typeof conditionsOf>[0] & object) =>
    conditionsOf(conditions, expected).map(({ type, isExpected }) => [type, isExpected])

  it('begin with those that are not as they should be', () => {
    deepEqual(shown({ type: 'Available', status: 'True' }, { type: 'Degraded', status: 'True' }), [
      ['Degraded', false],
      ['Available', true],
    ])
  })

  it('are neither good nor bad when nobody reports them, or nobody knows what they should be', () => {
    const type = 'DataPlaneConnectionAvailable'
    deepEqual(shown({ type, status: 'Unknown', message: 'Condition not found in the HCP' }), [[type, undefined]])
    deepEqual(shown({ type, status: 'Unknown', message: 'It cannot be reached' }), [[type, false]])
    deepEqual(shown({ type: 'OfSomebodyElse', status: 'False' }), [['OfSomebodyElse', undefined]])
  })
})
