import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { aRelease } from '../testing/index.ts'
import { completed, type Entry, type History, isAbout, recorded } from './history.ts'
import { longestHistory, pruned } from './prune.ts'

const noon = Date.UTC(2025, 5, 27, 12)
const accepted = { verified: true, risks: '' }

function entry(state: Entry['state'], version: string, index = 0): Entry {
  const time = new Date(noon - index * 3_600_000).toISOString().replace('.000', '')
  return { state, startedTime: time, completionTime: time, image: `r:${version}`, version, verified: true }
}

describe('a history', () => {
  const running = recorded([], aRelease('4.18.15'), accepted, noon)

  it('begins with an update that runs: it has no end, and says so', () => {
    assert.deepEqual(running, [
      { state: 'Partial', startedTime: '2025-06-27T12:00:00Z', completionTime: null, ...aRelease('4.18.15'), verified: true },
    ])
  })

  it('T116 keeps an update that was overtaken as Partial, with an end', () => {
    const [newest, older] = recorded(running, aRelease('4.18.16'), accepted, noon + 60_000)
    assert.deepEqual([newest?.state, newest?.completionTime], ['Partial', null])
    assert.deepEqual([older?.state, older?.completionTime], ['Partial', '2025-06-27T12:01:00Z'])
  })

  it('is the same when nothing new is applied, completed or not', () => {
    assert.equal(recorded(running, aRelease('4.18.15'), accepted, noon + 1), running)
    const done = completed(running, noon + 60_000)
    assert.equal(recorded(done, aRelease('4.18.15'), accepted, noon + 120_000), done)
    assert.equal(completed(done, noon + 120_000), done)
  })

  it('has no entry for a release without an image', () => {
    assert.equal(recorded(running, { version: '4.18.16', image: '' }, accepted, noon), running)
  })

  it('tells releases apart by image, and fills in what is missing', () => {
    assert.ok(isAbout({ version: '4.18.15', image: 'a' }, { version: '', image: 'a' }))
    assert.ok(isAbout({ version: '', image: 'a' }, { version: '4.18.15', image: 'a' }))
    assert.ok(isAbout({ version: '4.18.15', image: '' }, { version: '4.18.15', image: 'a' }))
    assert.ok(
      !isAbout({ version: '4.18.15', image: 'a' }, { version: '4.18.15', image: 'multi' }),
      'another architecture is another release',
    )
    assert.ok(!isAbout({ version: '4.18.15', image: 'a' }, { version: '4.18.16', image: 'a' }))
    const [filled] = recorded(
      [{ ...entry('Partial', ''), image: 'a', completionTime: null }],
      { version: '4.18.15', image: 'a' },
      accepted,
      noon,
    )
    assert.equal(filled?.version, '4.18.15')
  })

  it('never goes back when the clock does', () => {
    const [newest] = recorded(running, aRelease('4.18.16'), accepted, noon - 60_000)
    assert.equal(newest?.startedTime, '2025-06-27T12:00:00Z')
    assert.equal(completed(running, noon - 60_000)[0]?.completionTime, '2025-06-27T12:00:00Z')
  })

  it('remembers risks that were accepted', () => {
    const [newest] = recorded(running, aRelease('4.18.16'), { verified: false, risks: 'it is not signed' }, noon)
    assert.deepEqual([newest?.verified, newest?.acceptedRisks], [false, 'it is not signed'])
  })
})

describe('a history that is too long', () => {
  const long = (make: (index: number) => Entry): History => Array.from({ length: longestHistory + 1 }, (_, index) => make(index))

  it('T120 loses one entry, and none of the newest five, the oldest and the newest Completed one', () => {
    const history = long((index) => entry(index === 40 ? 'Completed' : 'Partial', `4.18.${200 - index}`, index))
    const left = pruned(history)
    assert.equal(left.length, longestHistory)
    for (const index of [0, 1, 2, 3, 4, 40, longestHistory]) assert.ok(left.includes(history[index] as Entry), `${index}`)
    assert.ok(!left.includes(history[longestHistory - 1] as Entry), 'the oldest of those that tell least')
  })

  it('loses a Partial between two patches before Completed ones that are a little older', () => {
    const history = long((index) => entry(index === 85 ? 'Partial' : 'Completed', `4.18.${200 - index}`, index))
    assert.ok(!pruned(history).includes(history[85] as Entry))
  })

  it('keeps the borders of a minor longer than what is between', () => {
    const history = long((index) => entry('Completed', index < 60 ? `4.19.${200 - index}` : `4.18.${200 - index}`, index))
    const left = pruned(history)
    assert.ok(left.includes(history[59] as Entry) && left.includes(history[60] as Entry))
  })

  it('always loses exactly one', () => {
    const made = fc.record({
      state: fc.constantFrom('Partial' as const, 'Completed' as const),
      version: fc.constantFrom('4.18.1', '4.18.2', '4.19.0', 'odd'),
    })
    fc.assert(
      fc.property(fc.array(made, { minLength: 90, maxLength: 110 }), (entries) => {
        const history = entries.map(({ state, version }, index) => entry(state, version, index))
        const left = pruned(history)
        assert.equal(left.length, history.length > longestHistory ? history.length - 1 : history.length)
        assert.equal(left[0], history[0])
        assert.equal(left.at(-1), history.at(-1))
      }),
    )
  })
})
