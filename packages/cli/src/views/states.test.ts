import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHostedCluster, aNodePool, anUpgradeConfig } from '@windlass/api/fixtures'
import { defaultSkewSource, parseTime } from '@windlass/core'
import { timelineOf } from '@windlass/upgrades'
import { type Paint, plain } from './colours.ts'
import { historyLines, historyOf } from './history/index.ts'
import { skewLines, skewOf } from './skew/index.ts'
import { stateCell } from './states.ts'
import { timelineLines } from './upgrade/index.ts'

const noon = parseTime('2026-03-06T12:00:00Z') ?? 0
const paint: Paint = (text, colour) => (colour === undefined ? text : `<${colour}>${text}</>`)
const withoutColours = (lines: readonly string[]) => lines.map((line) => line.replaceAll(/<\/?\w*>/g, ''))

describe('a state', () => {
  it('has the colour of its word; one that says more has that of the word in it; any other has none', () => {
    assert.deepEqual(stateCell('Stalled'), { text: 'Stalled', colour: 'red' })
    assert.deepEqual(stateCell('Partial, superseded', 'superseded'), { text: 'Partial, superseded', colour: 'yellow' })
    assert.deepEqual(stateCell('as you like it'), { text: 'as you like it' })
  })

  it('is coloured in histories, skew and upgrades, and nothing else changes', () => {
    const cluster = aHostedCluster({ release: '4.20.6' })
    const history = historyOf(cluster, noon)
    const skew = skewOf(cluster, [aNodePool()], { policy: 'parity', source: defaultSkewSource })
    const upgrade = timelineOf(anUpgradeConfig())
    const views = [
      (chosen: Paint) => historyLines(history, noon, true, chosen),
      (chosen: Paint) => skewLines(skew, true, chosen),
      (chosen: Paint) => timelineLines(upgrade, noon, chosen),
    ]
    for (const lines of views) {
      assert.match(lines(paint).join('\n'), /<(green|blue|yellow|red|dim)>/)
      assert.deepEqual(withoutColours(lines(paint)), lines(plain))
    }
  })
})
