import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ControlPlaneComponent, HostedCluster, NodePool } from '@windlass/api'
import {
  aCondition,
  aControlPlaneComponent,
  aControlPlaneVersion,
  aHostedCluster,
  aNodePool,
  aReleaseImage,
  aVersionStatus,
} from '@windlass/api/fixtures'
import { formatTime } from '@windlass/core'
import { usualYardstick } from '../parts.ts'
import { hostedRow } from './row.ts'
import { hostedView } from './view.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 6, 12)
const at = (minutes: number): string => formatTime(start + minutes * minute)

type Conditions = NonNullable<NonNullable<HostedCluster['status']>['conditions']>
const said = (type: string, status: 'True' | 'False', since = 0, reason = 'AsExpected') => ({
  ...aCondition(type, status, reason, `${type} says ${status}`),
  lastTransitionTime: at(since),
})

/** On its way from 4.19.6 to 4.20.1 since the start. */
function updating(conditions: Conditions = []): HostedCluster {
  const { history = [], ...rest } = aControlPlaneVersion('4.19.6')
  const image = aReleaseImage('4.20.1')
  const entry = { state: 'Partial', startedTime: at(0), version: '4.20.1', image } as const
  const status = {
    controlPlaneVersion: { ...rest, desired: { version: '4.20.1', image }, history: [entry, ...history] },
    version: aVersionStatus('4.19.6'),
    conditions,
  }
  return aHostedCluster({ release: '4.20.1', status })
}

/** Its control plane has 4.19.6; the guest is on its way there since the start. */
function installing(): HostedCluster {
  const cluster = aHostedCluster({ release: '4.19.6' })
  const { history = [], ...rest } = aVersionStatus('4.19.6')
  const version = {
    ...rest,
    history: history.map((entry) => ({ ...entry, state: 'Partial' as const, startedTime: at(0), completionTime: null })),
  }
  return aHostedCluster({ release: '4.19.6', status: { ...cluster.status, version } })
}

function look(
  hostedCluster: HostedCluster,
  {
    pools = [],
    components = [],
    after = 10,
  }: { pools?: readonly NodePool[]; components?: readonly ControlPlaneComponent[]; after?: number } = {},
) {
  const question = { now: start + after * minute, yardstick: usualYardstick, member: 'east', isCurrent: true }
  return hostedRow({ hostedCluster, components, pools }, question)
}

describe('the row of a hosted cluster', () => {
  it('is steady when both sides are where they should be', () => {
    const { row, changesAt } = look(aHostedCluster({ release: '4.20.1' }))
    assert.deepEqual(
      [row.attention, row.summary, row.controlPlane.version, row.dataPlane.state],
      ['Steady', undefined, '4.20.1', 'Completed'],
    )
    assert.equal(changesAt, undefined)
  })

  it('N14 says when it will have stalled', () => {
    const { row, changesAt } = look(updating(), { after: 60 })
    assert.deepEqual([row.attention, row.controlPlane.state], ['Upgrading', 'Progressing'])
    assert.equal(changesAt, start + 60 * minute + 1)
    assert.equal(look(updating(), { after: 61 }).row.attention, 'Stalled')
  })

  it('N15 is paused, and does not stall', () => {
    const { row, changesAt } = look(updating([said('ReconciliationActive', 'False')]), { after: 180 })
    assert.deepEqual([row.attention, row.controlPlane.state, changesAt], ['Paused', 'Paused', undefined])
  })

  it('does not rest while the guest has still to take up what it is asked for', () => {
    const cluster = aHostedCluster({ release: '4.19.6' })
    const { attention, summary } = look({ ...cluster, status: { ...cluster.status, conditions: [said('Progressing', 'True')] } }).row
    assert.deepEqual([attention, summary], ['Upgrading', 'The guest has not taken up yet what it is asked for.'])
    assert.equal(look(cluster).row.attention, 'Steady')
  })

  it('is paused, and does not fail, though nothing progresses; what else blocks it is a failure', () => {
    const blockedBy = (type: string) => aCondition('Progressing', 'False', 'Blocked', `${type} condition is false: it is so`)
    const paused = (conditions: Conditions) => updating([said('ReconciliationActive', 'False'), ...conditions])
    assert.equal(look(paused([blockedBy('ReconciliationActive')])).row.attention, 'Paused')
    const { attention, summary } = look(paused([blockedBy('ValidReleaseImage')])).row
    assert.deepEqual([attention, summary], ['Failing', 'Progressing is False: ValidReleaseImage condition is false: it is so.'])
  })

  it('N16 names the component at the root of what it waits for', () => {
    const component = (name: string, reason: string) =>
      aControlPlaneComponent({ name, status: { version: '4.19.6', conditions: [said('RolloutComplete', 'False', 0, reason)] } })
    const components = [component('kube-apiserver', 'WaitingForDependencies'), component('etcd', 'WaitingForRolloutComplete')]
    const { row } = look(updating(), { components, after: 61 })
    assert.match(row.summary ?? '', /^The control plane goes to 4\.20\.1 since 2026-03-06T12:00:00Z and waits for etcd: /)
    assert.deepEqual(row.progress, { done: 0, total: 2 })
  })

  it('N09 is new at first, and unknown when nothing has been reported for long', () => {
    const silent = aHostedCluster({ metadata: { creationTimestamp: at(0) }, status: {} })
    assert.deepEqual([look(silent).row.attention, look(silent).changesAt], ['Installing', start + 60 * minute + 1])
    assert.equal(look(silent, { after: 61 }).row.attention, 'Unknown')
  })

  it('is being installed until both sides have been completed once', () => {
    const { row } = look(installing(), { pools: [aNodePool()] })
    assert.deepEqual([row.attention, row.controlPlane.state, row.dataPlane.state], ['Installing', 'Completed', 'Progressing'])
  })

  it('does not stall for want of nodes that nobody has asked for', () => {
    const { row, changesAt } = look(installing(), { after: 600 })
    assert.deepEqual([row.attention, row.controlPlane.state, row.dataPlane.state], ['Installing', 'Completed', 'Progressing'])
    assert.equal(row.summary, 'The guest goes to 4.19.6 when there are nodes: none are asked for.')
    assert.equal(changesAt, undefined)
    assert.equal(look(installing(), { after: 600, pools: [aNodePool()] }).row.attention, 'Stalled')
  })

  it('fails when a condition has been bad for too long, and not before', () => {
    const away = aHostedCluster({ status: { ...aHostedCluster().status, conditions: [said('Available', 'False')] } })
    assert.deepEqual([look(away, { after: 5 }).row.attention, look(away, { after: 5 }).changesAt], ['Steady', start + 5 * minute + 1])
    assert.deepEqual(
      [look(away, { after: 6 }).row.attention, look(away, { after: 6 }).row.summary],
      ['Failing', 'Available is False: Available says False.'],
    )
  })

  it('is being deleted, whatever else', () => {
    const gone = { ...updating(), metadata: { ...updating().metadata, deletionTimestamp: at(0) } }
    assert.equal(look(gone, { after: 120 }).row.attention, 'Deleting')
  })

  it('has the worst verdict of its pools, and names versions that its nodes run', () => {
    const pools = [aNodePool({ name: 'a', release: '4.20.1' }), aNodePool({ name: 'b', release: '4.18.3' })]
    const { row } = look(aHostedCluster({ release: '4.20.1' }), { pools })
    // 4.21 is odd, and takes nodes of 4.20 alone.
    assert.equal(row.skew, 'AtLimit')
    assert.deepEqual(row.dataPlane.activeVersions, ['4.20.1', '4.18.3'])
    assert.deepEqual(row.nodes, {
      wanted: 6,
      ready: 6,
      versions: [
        { version: '4.20.1', count: 3 },
        { version: '4.18.3', count: 3 },
      ],
    })
    assert.equal(look(aHostedCluster({ release: '4.20.1' }), { pools: [aNodePool({ release: '4.17.9' })] }).row.skew, 'Violated')
    assert.equal(look(aHostedCluster({ release: '4.19.6' }), { pools: [aNodePool({ release: '4.18.3' })] }).row.skew, 'Allowed')
  })

  it('gives a large pool more time than a small one', () => {
    const pool = (replicas: number): NodePool => {
      const usual = aNodePool({ release: '4.19.6', spec: { replicas } })
      return { ...usual, status: { ...usual.status, conditions: [said('UpdatingVersion', 'True')] } }
    }
    const stalled = (replicas: number, after: number): boolean =>
      look(aHostedCluster(), { pools: [pool(replicas)], after }).row.attention === 'Stalled'
    assert.deepEqual([stalled(3, 90), stalled(3, 91), stalled(60, 91), stalled(60, 661)], [false, true, false, true])
  })

  it('says when it should be done, by what its last update took', () => {
    const cluster = updating()
    const { controlPlaneVersion } = cluster.status ?? {}
    const [newest, oldest] = controlPlaneVersion?.history ?? []
    assert.ok(controlPlaneVersion !== undefined && newest !== undefined && oldest !== undefined)
    const before = { ...oldest, startedTime: at(-300), completionTime: at(-255) }
    const history = [newest, before, oldest]
    const { row } = look({ ...cluster, status: { ...cluster.status, controlPlaneVersion: { ...controlPlaneVersion, history } } })
    assert.equal(row.estimatedEnd, at(45))
    assert.equal(look(cluster).row.estimatedEnd, undefined)
  })
})

describe('a hosted cluster in full', () => {
  it('has both histories, components with edges, pools with their range, and conditions that are wrong first', () => {
    const cluster = updating([said('Available', 'True'), said('Degraded', 'True')])
    const names = ['etcd', 'featuregate-generator', 'kube-apiserver', 'router']
    const components = names.map((name) => aControlPlaneComponent({ name, version: name === 'etcd' ? '4.20.1' : '4.19.6' }))
    const parts = { hostedCluster: cluster, components, pools: [aNodePool({ release: '4.19.6' })] }
    const question = { now: start + 10 * minute, yardstick: usualYardstick, member: 'east', isCurrent: true }
    const view = hostedView(parts, hostedRow(parts, question).row, [], question)
    assert.deepEqual(
      view.controlPlaneHistory.map(({ version, state }) => [version, state]),
      [
        ['4.20.1', 'Partial'],
        ['4.19.6', 'Completed'],
      ],
    )
    assert.deepEqual(
      view.components.map(({ name, state, dependencies }) => [name, state, dependencies]),
      [
        ['etcd', 'Done', []],
        ['featuregate-generator', 'Behind', []],
        ['kube-apiserver', 'Behind', ['etcd', 'featuregate-generator']],
        ['router', 'Behind', []],
      ],
    )
    assert.deepEqual(view.pools[0]?.allowed, { from: '4.18', to: '4.20.1' })
    assert.deepEqual(
      view.conditions.map(({ type, isExpected }) => [type, isExpected]),
      [
        ['Degraded', false],
        ['Available', true],
      ],
    )
  })

  it('counts the nodes of a pool that are where it goes, and not where it comes from', () => {
    const hostedCluster = aHostedCluster({ release: '4.19.6' })
    const pool = aNodePool({ release: '4.19.5' })
    const updating = { ...said('UpdatingVersion', 'True'), message: 'Updating version in progress. Target version: 4.19.6' }
    const nodes = (ocpVersion: string, readyNodeCount: number) => ({
      ocpVersion,
      readyNodeCount,
      unreadyNodeCount: 0,
      kubeletVersion: 'v1.32.5',
    })
    const status = {
      ...pool.status,
      version: '4.19.5',
      conditions: [updating],
      nodesInfo: { nodeVersions: [nodes('4.19.6', 1), nodes('4.19.5', 3)] },
    }
    const parts = { hostedCluster, components: [], pools: [{ ...pool, status }] }
    const question = { now: start, yardstick: usualYardstick, member: 'east', isCurrent: true }
    const [view] = hostedView(parts, hostedRow(parts, question).row, [], question).pools
    assert.deepEqual([view?.version, view?.desired, view?.updated, view?.ready], ['4.19.5', '4.19.6', 1, 4])
  })
})
