import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Turns } from './turns.ts'

describe('turns', () => {
  it('lets as many go on at once as a turn takes, and the others in later turns, first come first served', async () => {
    const turns = new Turns(2)
    const through: number[] = []
    const enter = async (id: number): Promise<void> => {
      const turn = turns.take()
      if (turn !== undefined) await turn
      through.push(id)
    }
    const all = Promise.all([0, 1, 2, 3, 4].map(enter))
    assert.deepEqual(through, [0, 1])
    await nextTurn()
    assert.deepEqual(through, [0, 1, 2, 3])
    await nextTurn()
    assert.deepEqual(through, [0, 1, 2, 3, 4])
    await all
  })

  it('lets nobody pass who came later than those who wait', async () => {
    const turns = new Turns(1)
    assert.equal(turns.take(), undefined)
    const first = turns.take()
    await nextTurn()
    await (first ?? assert.fail())
    assert.notEqual(turns.take(), undefined, 'the one who waited has taken this turn')
  })

  it('has room again when nobody came for a turn', async () => {
    const turns = new Turns(1)
    assert.equal(turns.take(), undefined)
    await nextTurn()
    assert.equal(turns.take(), undefined)
  })
})
