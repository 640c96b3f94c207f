import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClusterVersion, MachineConfig, Node } from '@windlass/api'
import {
  aClusterOperator,
  aClusterVersion,
  aClusterVersionProgressInsight,
  aMachineConfig,
  aMachineConfigPool,
  aNode,
  anUpdateHealthInsight,
  anUpgradeConfig,
  aReleaseImage,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { classicExposure, parseFixes } from '../exposure.ts'
import { type ClassicParts, usualYardstick } from '../parts.ts'
import { NodeTally, versionOfConfig } from './node-tally.ts'
import { classicRow } from './row.ts'
import { classicView } from './view.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 6, 12)

/** On its way from 4.20.3 to 4.20.5 since the start. */
function updating(): ClusterVersion {
  const usual = aClusterVersion()
  const release = { version: '4.20.5', image: aReleaseImage('4.20.5') }
  const { status } = usual
  assert.ok(status !== undefined)
  const entry = { state: 'Partial', startedTime: formatTime(start), completionTime: null, verified: true, ...release } as const
  return { ...usual, status: { ...status, desired: release, history: [entry, ...(status.history ?? [])] } }
}

const config = (name: string, version: string) =>
  aMachineConfig({ name, metadata: { annotations: { 'machineconfiguration.openshift.io/release-image-version': version } } })
const node = (name: string, of: string) =>
  aNode({ name, metadata: { annotations: { 'machineconfiguration.openshift.io/currentConfig': of } } })

const configs = [config('old', '4.20.3'), config('new', '4.20.5')]
const versionIn = (those: readonly MachineConfig[]) => (name: string) => {
  const found = those.find(({ metadata }) => metadata.name === name)
  return found === undefined ? '' : versionOfConfig(found)
}
const countNodes = (nodes: readonly Node[], those: readonly MachineConfig[]) => {
  const tally = new NodeTally()
  for (const each of nodes) tally.replace(undefined, each)
  return tally.count(versionIn(those))
}

function parts(more: Partial<ClassicParts> = {}): ClassicParts {
  return {
    clusterVersion: updating(),
    operators: [aClusterOperator({ name: 'dns', version: '4.20.5' }), aClusterOperator({ name: 'etcd', version: '4.20.3' })],
    machineConfigPools: [aMachineConfigPool()],
    versionOf: versionIn(configs),
    nodes: countNodes([node('a', 'old'), node('b', 'new'), node('c', 'unheard-of')], configs),
    operatorProgress: [],
    poolProgress: [],
    health: [],
    ...more,
  }
}

const question = (after: number) => ({ now: start + after * minute, yardstick: usualYardstick, member: 'prod', isCurrent: true })
const look = (more: Partial<ClassicParts> = {}, after = 10) => classicRow(parts(more), question(after)).row

describe('the row of a classic cluster', () => {
  it('counts its nodes by version, and operators that are done', () => {
    const row = look()
    assert.deepEqual([row.id, row.kind, row.attention, row.progress], ['prod', 'Classic', 'Upgrading', { done: 1, total: 2 }])
    assert.deepEqual(row.nodes.versions, [
      { version: '4.20.5', count: 1 },
      { version: '4.20.3', count: 1 },
      { version: '', count: 1 },
    ])
    assert.equal(row.skew, 'Unknown')
    assert.equal(look({ nodes: countNodes([node('a', 'old')], [config('old', '4.20.3')]) }).skew, 'Allowed')
  })

  it('stalls when it is an hour later than usual; sooner where insights say when it is expected', () => {
    assert.deepEqual([look({}, 120).attention, look({}, 121).attention], ['Upgrading', 'Stalled'])
    const { status, ...insight } = aClusterVersionProgressInsight()
    assert.ok(status !== undefined)
    const progress = { ...insight, status: { ...status, estimatedCompletedAt: formatTime(start + 30 * minute) } }
    assert.deepEqual([look({ progress }, 40).attention, look({ progress }, 41).attention], ['Upgrading', 'Stalled'])
    assert.equal(look({ progress }).estimatedEnd, formatTime(start + 30 * minute))
  })

  it('is paused while a pool of workers is', () => {
    const usual = aMachineConfigPool({ spec: { paused: true } })
    const conditions = (usual.status?.conditions ?? []).map((condition) =>
      condition.type === 'Updated' ? { ...condition, status: 'False' as const } : condition,
    )
    assert.equal(look({ machineConfigPools: [{ ...usual, status: { ...usual.status, conditions } }] }).attention, 'Paused')
  })
})

describe('a classic cluster in full', () => {
  it('has one history, operators, pools, insights and the steps of its managed upgrade', () => {
    const all = parts({ upgradeConfig: anUpgradeConfig(), health: [anUpdateHealthInsight()] })
    const view = classicView(all, classicRow(all, question(10)).row, [], question(10))
    assert.deepEqual([view.controlPlaneHistory.length, view.dataPlaneHistory.map(({ version }) => version)], [0, ['4.20.5', '4.20.3']])
    assert.deepEqual(
      view.components.map(({ name, state }) => [name, state]),
      [
        ['dns', 'Done'],
        ['etcd', 'Waiting'],
      ],
    )
    assert.deepEqual([view.pools.map(({ name }) => name), view.insights.length], [['worker'], 1])
    assert.deepEqual(
      [view.upgrade?.to, view.upgrade?.phase, view.upgrade?.steps.every(({ state }) => state === 'Waiting')],
      ['4.20.5', 'New', true],
    )
  })

  it('has pools that go from the version of one machine config to that of another', () => {
    const from = (name: string) => {
      const { spec, status, ...pool } = aMachineConfigPool()
      assert.ok(status !== undefined)
      const configured = { spec: { ...spec, configuration: { name: 'new' } }, status: { ...status, configuration: { name } } }
      const all = parts({ machineConfigPools: [{ ...pool, ...configured }] })
      const [view] = classicView(all, classicRow(all, question(10)).row, [], question(10)).pools
      return [view?.version, view?.desired, view?.skew, view?.allowed]
    }
    // Both run while the update does, and the policy allows nodes to be two minors behind the older.
    const allowed = { from: '4.18', to: '4.20.5' }
    assert.deepEqual(from('old'), ['4.20.3', '4.20.5', 'Allowed', allowed])
    assert.deepEqual(from('unheard-of'), [undefined, '4.20.5', 'Unknown', allowed])
  })
})

describe('exposure of a classic cluster', () => {
  it('rests on its history and on what its nodes run', () => {
    const fixed = parseFixes(['4.20.5'])
    const nodes = countNodes([node('a', 'old')], [config('old', '4.20.3')])
    const done = aClusterVersion({ version: '4.20.5' })
    const answer = classicExposure('prod', parts({ clusterVersion: done, nodes }), true, fixed)
    assert.deepEqual([answer.controlPlane.state, answer.dataPlane.state, answer.state], ['Fixed', 'Pending', 'Pending'])
    assert.equal(classicExposure('prod', parts(), true, fixed).dataPlane.state, 'Unknown')
  })
})
