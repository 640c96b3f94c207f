import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { tableLines } from './table.ts'

describe('a table', () => {
  it('has columns as wide as their widest cell, three spaces between them and none at the end', () => {
    assert.deepEqual(
      tableLines(
        ['NAME', 'A', 'MESSAGE'],
        [
          ['x', 'longer', ''],
          ['much-longer', '1', 'two words'],
        ],
      ),
      ['NAME          A        MESSAGE', 'x             longer', 'much-longer   1        two words'],
    )
  })
})
