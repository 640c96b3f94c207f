import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { createProfile, durationOf, type Step, usualDurations } from './index.ts'

const steps = Object.keys(usualDurations) as Step[]
const names = Array.from({ length: 2_000 }, (_, number) => `clusters-${number % 50}/pod-${number}`)

describe('a profile', () => {
  it('gives the same duration for the same seed and the same name, in whatever order it is asked', () => {
    const profile = createProfile({ seed: 7 })
    const forwards = names.map((name) => durationOf(profile, 'ready', name))
    const backwards = names.toReversed().map((name) => durationOf(createProfile({ seed: 7 }), 'ready', name))
    assert.deepEqual(forwards, backwards.toReversed())
  })

  it('gives other durations for other seeds, other names and other steps', () => {
    const profile = createProfile({ seed: 7 })
    const one = durationOf(profile, 'ready', 'a')
    assert.notEqual(one, durationOf(createProfile({ seed: 8 }), 'ready', 'a'))
    assert.notEqual(one, durationOf(profile, 'ready', 'b'))
    assert.notEqual(one, durationOf(profile, 'work', 'a'))
  })

  it('spreads them around the median, as many below as above, and none far off', () => {
    const profile = createProfile({ seed: 7 })
    for (const step of steps) {
      const { median, spread } = usualDurations[step]
      const durations = names.map((name) => durationOf(profile, step, name))
      const below = durations.filter((duration) => duration < median).length / durations.length
      assert.ok(below > 0.45 && below < 0.55, `${step}: ${below} are below the median`)
      assert.ok(Math.min(...durations) >= Math.floor(median * Math.exp(-2 * spread)), step)
      assert.ok(Math.max(...durations) <= Math.ceil(median * Math.exp(2 * spread)), step)
      const near = durations.filter((duration) => Math.abs(Math.log(duration / median)) < spread).length / durations.length
      assert.ok(near > 0.64 && near < 0.72, `${step}: ${near} are within one spread`)
    }
  })

  it('divides them by the speed', () => {
    fc.assert(
      fc.property(fc.constantFrom(...steps), fc.string(), fc.double({ min: 0.1, max: 1_000, noNaN: true }), (step, name, speed) => {
        const usual = durationOf(createProfile({ seed: 1 }), step, name)
        assert.ok(Math.abs(durationOf(createProfile({ seed: 1, speed }), step, name) - usual / speed) <= 0.5 + 0.5 / speed)
      }),
    )
    assert.equal(durationOf(createProfile({ seed: 1, speed: Number.POSITIVE_INFINITY }), 'ready', 'a'), 0)
  })

  it('can be told otherwise', () => {
    const profile = createProfile({ seed: 1, durations: { ready: { median: 60_000, spread: 0 } } })
    assert.equal(durationOf(profile, 'ready', 'a'), 60_000)
    assert.equal(durationOf(profile, 'pull', 'a'), durationOf(createProfile({ seed: 1 }), 'pull', 'a'))
  })

  it('refuses what makes no sense', () => {
    for (const speed of [0, -1, Number.NaN])
      assert.throws(() => createProfile({ seed: 1, speed }), /the speed of the simulator is .*: it must be more than 0/)
    assert.throws(() => createProfile({ seed: 1, durations: { stop: { median: -1, spread: 0 } } }), /the duration of stop has median -1/)
  })
})
