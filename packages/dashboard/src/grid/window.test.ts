import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as fc from 'fast-check'
import { moveBy, offsetShowing, visibleRows } from './index.ts'

const viewport = fc.record({
  offset: fc.integer({ min: -2000, max: 500_000 }),
  height: fc.integer({ min: 100, max: 3000 }),
  rowHeight: fc.constant(44),
  count: fc.integer({ min: 0, max: 10_000 }),
})

describe('rows in a window', () => {
  it('are all that can be seen, and hardly more', () => {
    fc.assert(
      fc.property(viewport, (view) => {
        const { first, end } = visibleRows(view)
        assert.ok(first >= 0 && end <= view.count && end - first <= view.height / 44 + 60)
        const firstSeen = Math.max(0, Math.floor(view.offset / 44))
        const lastSeen = Math.min(view.count - 1, Math.floor((view.offset + view.height - 1) / 44))
        if (firstSeen <= lastSeen) assert.ok(first <= firstSeen && end > lastSeen)
      }),
    )
  })

  it('stay the same over a short scroll', () => {
    const view = { offset: 44_000, height: 900, rowHeight: 44, count: 10_000 }
    assert.deepEqual(visibleRows({ ...view, offset: 44_000 + 43 }), visibleRows(view))
  })
})

describe('scrolling to a row', () => {
  const view = { offset: 1000, height: 900, rowHeight: 44, count: 10_000 }
  it('is not needed when it can be seen whole', () => assert.equal(offsetShowing(30, view, 88), undefined))
  it('brings it out from under the heading', () => assert.equal(offsetShowing(24, view, 88), 24 * 44 - 88))
  it('brings it up from below', () => assert.equal(offsetShowing(100, view, 88), 101 * 44 - 900))
})

describe('keys in a table', () => {
  it('move by one, by a page, to either end, and not beyond', () => {
    assert.equal(moveBy('ArrowDown', 4, 10, 5), 5)
    assert.equal(moveBy('ArrowUp', 0, 10, 5), 0)
    assert.equal(moveBy('PageDown', 7, 10, 5), 9)
    assert.equal(moveBy('PageUp', 7, 10, 5), 2)
    assert.equal(moveBy('Home', 7, 10, 5), 0)
    assert.equal(moveBy('End', 7, 10, 5), 9)
    assert.equal(moveBy('ArrowDown', -1, 10, 5), 0)
  })

  it('do nothing otherwise', () => {
    assert.equal(moveBy('a', 4, 10, 5), undefined)
    assert.equal(moveBy('toString', 4, 10, 5), undefined)
    assert.equal(moveBy('End', 0, 0, 5), undefined)
  })
})
