import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  aClusterOperatorProgressInsight,
  aClusterVersionProgressInsight,
  aMachineConfigPoolProgressInsight,
  aNodeProgressInsight,
  anUpdateHealthInsight,
} from '@windlass/api/fixtures'
import { type ClusterInsights, filled, gapsIn } from './index.ts'

const health = (...names: readonly string[]) => names.map((name) => anUpdateHealthInsight({ name }))
const operators = [aClusterOperatorProgressInsight({ name: 'etcd' })]
const kept: ClusterInsights = {
  clusterVersion: aClusterVersionProgressInsight(),
  operators,
  pools: [],
  nodes: [],
  health: health('cv-kept', 'node-both'),
}
const workedOut: ClusterInsights = {
  clusterVersion: undefined,
  operators: [],
  pools: [aMachineConfigPoolProgressInsight({ name: 'worker' })],
  nodes: [aNodeProgressInsight({ name: 'worker-a' })],
  health: health('cv-worked-out', 'co-worked-out', 'mcp-worked-out', 'node-both', 'node-worked-out'),
}

describe('insights of which only some are kept', () => {
  it('have gaps where there are none of a kind, or none that says anything', () => {
    assert.deepEqual(gapsIn(kept), ['pools', 'nodes'])
    const { status: _, ...silent } = aNodeProgressInsight({ name: 'worker-a' })
    assert.deepEqual(gapsIn({ ...kept, pools: workedOut.pools, nodes: [silent] }), ['nodes'])
    assert.deepEqual(gapsIn({ ...kept, pools: workedOut.pools, nodes: workedOut.nodes }), [])
  })

  it('are filled with what was worked out about those kinds, and what is wrong with them', () => {
    const whole = filled(kept, ['pools', 'nodes'], workedOut)
    assert.equal(whole.clusterVersion, kept.clusterVersion)
    assert.equal(whole.operators, operators)
    assert.equal(whole.pools, workedOut.pools)
    assert.equal(whole.nodes, workedOut.nodes)
    assert.deepEqual(
      whole.health.map(({ metadata }) => metadata.name),
      ['cv-kept', 'node-both', 'mcp-worked-out', 'node-worked-out'],
    )
  })
})
