import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readExpected, runSituation, situations } from './situations.ts'

describe('what windlass status says of a whole situation', () => {
  for (const situation of situations()) {
    it(`is as expected: ${situation.name}`, async () => {
      const { status, out, err } = await runSituation(situation, 'expected.txt')
      assert.deepEqual({ out, err }, { out: readExpected(situation, 'expected.txt'), err: '' })
      assert.equal(status, situation.exitStatus)
    })

    it(`is as expected in detail: ${situation.name}`, async () => {
      const { status, out } = await runSituation(situation, 'expected-details.txt')
      assert.equal(out, readExpected(situation, 'expected-details.txt'))
      assert.equal(status, situation.exitStatus)
    })
  }

  it('has lines that end where they end, and says nothing twice', () => {
    for (const situation of situations()) {
      const text = readExpected(situation, 'expected-details.txt')
      assert.doesNotMatch(text, / \n|\n\n\n|undefined|NaN/)
    }
  })
})
