import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { figuresOf } from '../testing/figures.ts'
import { manyRows, sampleRows } from '../testing/index.ts'
import { compareVersionTexts, minorOf, minorsOf, versionBars } from './index.ts'

describe('bars of versions', () => {
  it('go from old to new, the unknown before all', () => {
    const [controlPlanes] = versionBars(figuresOf(sampleRows))
    assert.deepEqual(
      controlPlanes?.minors.map(({ minor }) => minor),
      ['', '4.18', '4.19', '4.20', '4.21'],
    )
    const patches = controlPlanes?.minors.find(({ minor }) => minor === '4.20')?.patches.map(({ version }) => version)
    assert.deepEqual(patches, ['4.20.3', '4.20.6', '4.20.8', '4.20.10'])
  })

  it('are divided without a gap, and count everybody', () => {
    for (const bar of versionBars(figuresOf(manyRows(500)))) {
      let passed = 0
      for (const patch of bar.minors.flatMap(({ patches }) => patches)) {
        assert.ok(Math.abs(patch.start - passed) < 1e-9)
        passed += patch.share
      }
      assert.ok(Math.abs(passed - 1) < 1e-9)
    }
  })

  it('show the same minor in the same way on each side', () => {
    const bars = versionBars(figuresOf(sampleRows))
    const ranks = new Map<string, number>()
    for (const { minor, rank } of bars.flatMap(({ minors }) => minors)) {
      assert.equal(ranks.get(minor) ?? rank, rank)
      ranks.set(minor, rank)
    }
  })

  it('of an empty fleet are empty', () => {
    assert.ok(versionBars(figuresOf([])).every(({ total, minors }) => total === 0 && minors.length === 0))
    assert.deepEqual(minorsOf([{ version: '4.20.1', count: 0 }]), [])
  })
})

describe('texts that may be versions', () => {
  it('are sorted as versions, and before all of them where they are none', () => {
    assert.deepEqual(['4.20.10', 'nightly', '4.20.9', '', '5.0.1'].toSorted(compareVersionTexts), [
      'nightly',
      '',
      '4.20.9',
      '4.20.10',
      '5.0.1',
    ])
    assert.equal(minorOf('4.20.10'), '4.20')
    assert.equal(minorOf('nightly'), '')
  })
})
