import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { selects } from './label-selector.ts'

const labels = { app: 'web', tier: 'front' }

describe('a selector of labels', () => {
  for (const [expression, expected] of [
    [{ key: 'app', operator: 'In', values: ['web', 'db'] }, true],
    [{ key: 'app', operator: 'In', values: ['db'] }, false],
    [{ key: 'zone', operator: 'In', values: ['a'] }, false],
    [{ key: 'app', operator: 'NotIn', values: ['db'] }, true],
    [{ key: 'app', operator: 'NotIn', values: ['web'] }, false],
    [{ key: 'zone', operator: 'NotIn', values: ['a'] }, true],
    [{ key: 'app', operator: 'Exists' }, true],
    [{ key: 'zone', operator: 'Exists' }, false],
    [{ key: 'app', operator: 'DoesNotExist' }, false],
    [{ key: 'zone', operator: 'DoesNotExist' }, true],
    [{ key: 'constructor', operator: 'Exists' }, false],
    // None of these makes sense.
    [{ key: 'app', operator: 'In', values: [] }, false],
    [{ key: 'app', operator: 'NotIn', values: [] }, false],
    [{ key: 'app', operator: 'Exists', values: ['web'] }, false],
    [{ key: 'zone', operator: 'DoesNotExist', values: ['a'] }, false],
    [{ key: 'app', operator: 'Gt', values: ['1'] }, false],
    [{ key: 'app', operator: 'Sometimes' }, false],
  ] as const) {
    it(`${JSON.stringify(expression)} ${expected ? 'fits' : 'does not fit'} ${JSON.stringify(labels)}`, () => {
      assert.equal(selects({ matchExpressions: [expression] }, labels), expected)
    })
  }

  it('fits when all of its labels and requirements do', () => {
    assert.ok(selects({ matchLabels: { app: 'web' } }, labels))
    assert.ok(!selects({ matchLabels: { app: 'web', tier: 'back' } }, labels))
    assert.ok(!selects({ matchLabels: { app: 'web' }, matchExpressions: [{ key: 'zone', operator: 'Exists' }] }, labels))
  })

  it('that is empty fits everything; one that is absent nothing', () => {
    assert.ok(selects({}, labels) && selects({}, undefined))
    assert.ok(!selects(undefined, labels))
  })
})
