import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type FleetQuery, wholeFleet } from '../address/index.ts'
import { aRow, manyRows, sampleRows } from '../testing/index.ts'
import { arrange, comparisonOf, movesIn } from './index.ts'

const namesOf = (query: Partial<FleetQuery>): readonly string[] => arrange(sampleRows, { ...wholeFleet, ...query }).map(({ name }) => name)

describe('the rows that were asked for', () => {
  it('are all of them, worst first, then by name as people count', () => {
    const names = namesOf({})
    assert.equal(names.length, sampleRows.length)
    assert.deepEqual(names.slice(0, 3), ['prod-ap-1', 'prod-us-2', 'prod-eu-7'])
    assert.ok(names.indexOf('prod-eu-1') < names.indexOf('prod-eu-10'))
    assert.ok(names.indexOf('prod-ap-3') < names.indexOf('prod-eu-10'))
  })

  it('have one of the states, members and verdicts', () => {
    assert.deepEqual(namesOf({ attention: ['Failing', 'Paused'] }), ['prod-eu-7', 'dev-us-4'])
    assert.deepEqual(namesOf({ members: ['classic-eu-1'] }), ['classic-eu-1'])
    assert.deepEqual(namesOf({ skew: ['Violated'] }), ['prod-ap-4'])
    assert.deepEqual(namesOf({ attention: ['Stalled'], members: ['us-east'] }), ['prod-us-2'])
  })

  it('run a version or a minor, on the side that was asked for', () => {
    assert.deepEqual(namesOf({ version: { side: 'control-plane', version: '4.21.3' } }), ['dev-eu-1'])
    assert.deepEqual(namesOf({ version: { side: 'nodes', version: '4.17' } }), ['prod-ap-4'])
    assert.deepEqual(namesOf({ version: { side: 'control-plane', version: '' } }), ['stage-eu-3'])
    assert.deepEqual(namesOf({ version: { side: 'data-plane', version: '' } }), ['edge-us-1', 'stage-eu-3'])
    assert.ok(!namesOf({ version: { side: 'control-plane', version: '4.2' } }).includes('prod-eu-10'), '4.2 is not the beginning of 4.20')
  })

  it('contain every word of a search, wherever it stands', () => {
    assert.deepEqual(namesOf({ search: 'IMAGE pulled' }), ['prod-us-2'])
    assert.deepEqual(namesOf({ search: 'azure prod-ap-2' }), ['prod-ap-2'])
    assert.deepEqual(namesOf({ search: 'no-such-cluster' }), [])
  })

  it('may be only those that are not current', () => {
    const rows = [aRow({ name: 'here' }), aRow({ name: 'lost', isCurrent: false })]
    assert.deepEqual(
      arrange(rows, { ...wholeFleet, lastKnownOnly: true }).map(({ name }) => name),
      ['lost'],
    )
  })
})

describe('the order of rows', () => {
  it('is by version and not by text: 4.20.10 is after 4.20.8', () => {
    const names = namesOf({ sort: 'control-plane' })
    assert.equal(names[0], 'stage-eu-3', 'an unknown version is before all')
    assert.ok(names.indexOf('prod-eu-10') < names.indexOf('stage-eu-1'))
    assert.equal(namesOf({ sort: 'control-plane', isDescending: true })[0], 'dev-eu-1')
  })

  it('has what ends first first, and what has no end in sight last', () => {
    assert.deepEqual(namesOf({ sort: 'progress' }).slice(0, 4), ['prod-eu-2', 'classic-eu-1', 'prod-us-2', 'stage-eu-3'])
  })

  it('is the same for the same rows in any order', () => {
    const rows = manyRows(300)
    for (const sort of ['attention', 'nodes', 'skew', 'member', 'data-plane'] as const) {
      const query = { ...wholeFleet, sort }
      assert.deepEqual(arrange(rows.toReversed(), query), arrange(rows, query))
    }
  })

  it('by a column leaves rows that are alike by name in both directions', () => {
    const rows = [aRow({ name: 'b' }), aRow({ name: 'a' })]
    for (const isDescending of [false, true]) {
      assert.deepEqual(
        rows.toSorted(comparisonOf({ sort: 'nodes', isDescending })).map(({ name }) => name),
        ['a', 'b'],
      )
    }
  })
})

describe('a change', () => {
  const steady = aRow({ name: 'prod' })
  it('moves a row when what it is sorted by has changed', () => {
    const moves = movesIn(wholeFleet)
    assert.equal(moves(steady, aRow({ name: 'prod', attention: 'Stalled' })), true)
    assert.equal(moves(steady, aRow({ name: 'prod', nodes: [2, 3] })), false)
  })

  it('moves a row that comes or goes, if it is asked for at all', () => {
    const moves = movesIn({ ...wholeFleet, attention: ['Stalled'] })
    assert.equal(moves(undefined, steady), false)
    assert.equal(moves(undefined, aRow({ name: 'new', attention: 'Stalled' })), true)
    assert.equal(moves(aRow({ name: 'old', attention: 'Stalled' }), undefined), true)
  })
})
