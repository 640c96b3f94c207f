import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { amountOf, counted } from './counts.ts'

describe('amounts', () => {
  it('in percent are rounded as they are told', () => {
    assert.deepEqual(
      [amountOf('25%', 3, 'up'), amountOf('25%', 3, 'down'), amountOf('25%', 4, 'up'), amountOf('100%', 7, 'down')],
      [1, 0, 1, 7],
    )
    assert.deepEqual([amountOf('29%', 100, 'up'), amountOf('29%', 100, 'down')], [29, 29], 'and are exact where they can be')
  })

  it('in numbers are what they say, and what is none is nothing', () => {
    assert.deepEqual([amountOf(2, 100, 'up'), amountOf(undefined, 100, 'up'), amountOf('some', 100, 'up')], [2, 0, 0])
  })

  it('that are zero are left out of a status', () => assert.deepEqual([counted(0), counted(3)], [undefined, 3]))
})
