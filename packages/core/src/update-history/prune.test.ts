import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { component, moment, release, update } from '../testing/notation.ts'
import { type HistoryEntry, longestHistory, nextControlPlaneVersion, pruneHistory, type UpdateState } from './index.ts'

/** One entry per letter, newest first; the number of each is its patch. */
const entries = (states: readonly UpdateState[]): readonly HistoryEntry[] =>
  states.map((state, index) => ({ ...update(`P 4.19.${states.length - index} 10:00-10:00`), state }))
const many = (count: number, state: UpdateState): UpdateState[] => Array.from({ length: count }, () => state)
const patches = (history: readonly HistoryEntry[]): readonly number[] => history.map(({ version }) => Number(version.split('.')[2]))

function afterAnother(states: readonly UpdateState[]): readonly HistoryEntry[] {
  const history = entries(states)
  const desired = release('4.20.0')
  const current = { desired: release(`4.19.${states.length}`), history }
  const seen = { desired, generation: 1, components: [component('kube-apiserver@4.19.1+')] }
  return nextControlPlaneVersion(current, seen, moment('12:00'))?.history ?? []
}

/** The rule, word by word. */
function prunedByTheWord(history: readonly HistoryEntry[]): readonly HistoryEntry[] {
  const rest = [...history]
  while (rest.length > longestHistory) {
    const isNewestCompletedLast = rest.findIndex(({ state }) => state === 'Completed') === rest.length - 1
    rest.splice(isNewestCompletedLast ? -2 : -1, 1)
  }
  return rest
}

describe('a history of more than 100 entries', () => {
  it('V34 loses its oldest one', () => {
    const result = afterAnother(many(100, 'Completed'))
    assert.equal(result.length, 100)
    assert.equal(result[0]?.version, '4.20.0')
    assert.deepEqual(patches(result).at(-1), 2)
  })

  it('V35 keeps the only Completed one, and loses the second oldest', () => {
    const result = afterAnother([...many(99, 'Partial'), 'Completed'])
    assert.equal(result.length, 100)
    assert.equal(result.at(-1)?.state, 'Completed')
    assert.deepEqual(patches(result).slice(-2), [3, 1])
  })

  it('V36 that somebody else has written is cut in one pass', () => {
    const history = entries(many(130, 'Completed'))
    const current = { desired: release('4.19.130'), history }
    const seen = { desired: current.desired, generation: 1, components: [component('kube-apiserver@4.19.130+')] }
    const result = nextControlPlaneVersion(current, seen, moment('12:00'))
    assert.deepEqual(result?.history, history.slice(0, 100))
  })

  it('is cut as the rule says, whatever is in it', () => {
    const states = fc.tuple(fc.nat(220), fc.array(fc.nat(220), { maxLength: 4 })).map(([length, completed]) => {
      const list = many(length, 'Partial')
      return list.map((state, index): UpdateState => (completed.includes(index) ? 'Completed' : state))
    })
    fc.assert(
      fc.property(states.map(entries), (history) => {
        const result = pruneHistory(history)
        assert.deepEqual(result, prunedByTheWord(history))
        assert.equal(result[0], history[0])
        assert.equal(
          result.find(({ state }) => state === 'Completed'),
          history.find(({ state }) => state === 'Completed'),
        )
        if (history.length <= longestHistory) assert.equal(result, history)
      }),
    )
  })
})
