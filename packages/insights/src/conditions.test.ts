import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conditionsAfter, type Judgement, reasonOr } from './conditions.ts'
import { differByMuch } from './significance.ts'
import { at, start } from './testing/index.ts'
import { isVersion, shortened } from './text.ts'

const updating: Judgement = { type: 'Updating', status: 'True', reason: 'Progressing', message: 'm' }
const healthy: Judgement = { type: 'Healthy', status: 'True', reason: 'AsExpected', message: '' }

describe('the conditions of an insight', () => {
  const stored = conditionsAfter(undefined, [updating, healthy], start)

  it('are the same list while nothing changes', () => {
    assert.equal(conditionsAfter(stored, [updating, healthy], at('13:00:00')), stored)
  })

  it('are exactly those that were judged, in that order', () => {
    assert.deepEqual(
      conditionsAfter(stored.toReversed(), [healthy], at('13:00:00')).map(({ type }) => type),
      ['Healthy'],
    )
  })

  it('begin when something else says so', () => {
    const [condition] = conditionsAfter(stored, [{ ...updating, since: at('11:00:00') }], at('13:00:00'))
    assert.equal(condition?.lastTransitionTime, '2025-06-27T11:00:00Z')
  })

  it('say no more than the API takes', () => {
    const [condition] = conditionsAfter(undefined, [{ ...updating, message: 'x'.repeat(40_000) }], start)
    assert.equal(condition?.message.length, 32_768)
  })

  it('have reasons from elsewhere only if the API takes them', () => {
    assert.equal(reasonOr('SlowClusterOperator', 'CannotDetermine'), 'SlowClusterOperator')
    for (const reason of [undefined, '', 'two words', 'dot.']) assert.equal(reasonOr(reason, 'CannotDetermine'), 'CannotDetermine')
  })
})

describe('what fits and what differs', () => {
  it('a text is cut so that it ends in dots', () => {
    assert.equal(shortened('abcdef', 6), 'abcdef')
    assert.equal(shortened('abcdefg', 6), 'abc...')
    assert.equal(shortened('😀😀😀😀😀😀', 6), '😀😀😀😀😀😀')
    assert.equal(shortened('😀😀😀😀😀😀😀', 6), '😀😀😀...')
  })

  it('a version is one that the API takes', () => {
    for (const text of ['4.18.16', '4.20.0-ec.2', '4.20.0-0.nightly-2025-06-27-120000']) assert.ok(isVersion(text), text)
    for (const text of [undefined, '', '4.18', 'v4.18.16', '4.18.16+build', '04.1.1', `4.18.16-${'x'.repeat(60)}`])
      assert.ok(!isVersion(text), text)
  })

  it('two times differ when they are half a minute apart, or when one is missing', () => {
    const time = '2025-06-27T12:00:00Z'
    assert.ok(!differByMuch(time, '2025-06-27T12:00:29.999Z'))
    assert.ok(differByMuch(time, '2025-06-27T12:00:30Z'))
    assert.ok(differByMuch(time, undefined) && differByMuch(undefined, time))
    assert.ok(!differByMuch(undefined, undefined))
  })
})
