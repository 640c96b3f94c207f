import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { releasesOf } from './streams.ts'

const streams = [
  { minor: '4.19', patches: 4, candidates: 0, beganAtPatch: undefined },
  { minor: '4.20', patches: 2, candidates: 1, beganAtPatch: 1 },
]
const releases = new Map(releasesOf(streams).map((release) => [release.version, release]))

describe('streams', () => {
  it('have candidates, then patches', () => {
    assert.deepEqual([...releases.keys()], ['4.19.0', '4.19.1', '4.19.2', '4.19.3', '4.20.0-rc.0', '4.20.0', '4.20.1'])
  })

  it('lead from every release to every later one of the minor', () => {
    assert.deepEqual(releases.get('4.19.2')?.previous, ['4.19.0', '4.19.1'])
  })

  it('lead from those releases of the minor before that were out', () => {
    assert.deepEqual(releases.get('4.20.0-rc.0')?.previous, ['4.19.0', '4.19.1'])
    assert.deepEqual(releases.get('4.20.0')?.previous, ['4.19.0', '4.19.1', '4.20.0-rc.0'])
    assert.deepEqual(releases.get('4.20.1')?.previous, ['4.19.0', '4.19.1', '4.19.2', '4.20.0-rc.0', '4.20.0'])
  })

  it('are in the channels of their minor, and of the next one where they lead', () => {
    const next = ['candidate-4.20', 'fast-4.20', 'stable-4.20', 'eus-4.20']
    assert.deepEqual(releases.get('4.19.2')?.channels, ['candidate-4.19', 'fast-4.19', 'stable-4.19', ...next])
    assert.deepEqual(releases.get('4.19.3')?.channels, ['candidate-4.19', 'fast-4.19', 'stable-4.19'])
    assert.deepEqual(releases.get('4.20.1')?.channels, next)
    assert.deepEqual(releases.get('4.20.0-rc.0')?.channels, ['candidate-4.20'])
  })

  it('know that 5.0 comes after 4.22', () => {
    const around = releasesOf([
      { minor: '4.22', patches: 1, candidates: 0, beganAtPatch: undefined },
      { minor: '5.0', patches: 1, candidates: 0, beganAtPatch: 0 },
    ])
    assert.deepEqual(around.at(-1)?.previous, ['4.22.0'])
    assert.ok(around[0]?.channels.includes('stable-5.0'))
  })
})
