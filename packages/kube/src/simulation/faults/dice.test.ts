import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VirtualClock } from '@windlass/core'
import { Dice, noFaults } from './dice.ts'
import { chosenFaults, type Faults, faultKinds } from './faults.ts'

const clock = new VirtualClock()
const later = clock.now() + 3_600_000

function dice(faults: Faults, { seed = '1', calmAt = later, counts = noFaults() } = {}): Dice {
  return new Dice({ seed, faults, clock, calmAt, counts })
}

const draws = (of: Dice, kind: 'lostAnswers' | 'conflicts', times: number): readonly boolean[] =>
  Array.from({ length: times }, () => of.happens(kind))

describe('dice', () => {
  it('strike about as often as their chance says, and count it', () => {
    const counts = noFaults()
    const struck = draws(dice({ lostAnswers: 0.1 }, { counts }), 'lostAnswers', 10_000).filter(Boolean).length
    assert.ok(struck > 900 && struck < 1100)
    assert.equal(counts.lostAnswers, struck)
  })

  it('fall the same way for the same seed and another for another', () => {
    const of = (seed: string): readonly boolean[] => draws(dice({ lostAnswers: 0.5 }, { seed }), 'lostAnswers', 100)
    assert.deepEqual(of('7'), of('7'))
    assert.notDeepEqual(of('7'), of('8'))
  })

  it('of one kind do not depend on how often those of another fall', () => {
    const alone = draws(dice({ conflicts: 0.5 }), 'conflicts', 100)
    const besides = dice({ conflicts: 0.5, lostAnswers: 0.5 })
    draws(besides, 'lostAnswers', 77)
    assert.deepEqual(draws(besides, 'conflicts', 100), alone)
  })

  it('rest when calm has come', () => {
    const calm = dice(chosenFaults('all'), { calmAt: clock.now() })
    assert.ok(!draws(calm, 'lostAnswers', 1000).includes(true))
    assert.equal(calm.untilNext('crashes'), undefined)
  })

  it('spread recurring faults around their mean', () => {
    const crashes = dice({ crashes: '1m' }, { calmAt: Infinity })
    const waits = Array.from({ length: 5000 }, () => crashes.untilNext('crashes') ?? 0)
    const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length
    assert.ok(mean > 55_000 && mean < 65_000)
    assert.ok(Math.max(...waits) > 200_000 && Math.min(...waits) < 1000)
  })

  it('share latency between the way there and the way back', () => {
    const network = dice({ latency: { patch: [10, 20] } })
    for (let request = 0; request < 100; request++) {
      const [there, back] = network.latency('patch')
      assert.ok(there >= 0 && back >= 0 && there + back >= 10 && there + back <= 20)
    }
    assert.deepEqual(network.latency('get'), [20, 0])
  })
})

describe('a choice of faults', () => {
  it('of all has every kind, and of none has none', () => {
    assert.deepEqual(Object.keys(chosenFaults('all')).sort(), [...faultKinds].sort())
    assert.deepEqual(chosenFaults('none'), {})
  })

  it('leaves out what is switched off', () => {
    assert.deepEqual(chosenFaults({ conflicts: 0.1, crashes: '1m' }, new Set(['crashes'])), { conflicts: 0.1 })
  })

  it('that makes no sense is refused with what would', () => {
    assert.throws(() => chosenFaults({ conflicts: 2 }), { message: 'faults.conflicts is 2: a chance lies between 0 and 1' })
    assert.throws(() => chosenFaults({ crashes: '0s' }), /faults\.crashes is 0s: .* leave it out to have none/)
  })
})
