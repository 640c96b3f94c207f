import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlPlaneComponent, HostedCluster, NodePool } from '@windlass/api'
import {
  aControlPlaneComponent,
  aControlPlaneVersion,
  aHostedCluster,
  aNodePool,
  aReleaseImage,
  aVersionStatus,
} from '@windlass/api/fixtures'
import { formatTime, VirtualClock } from '@windlass/core'
import type { FleetChange } from '../contract/index.ts'
import { aFleetOf, aManagementCluster } from '../testing/index.ts'

const minute = 60_000
const start = Date.UTC(2026, 2, 6, 12)

function aCluster(name: string, release: string): HostedCluster {
  return aHostedCluster({ name, release })
}

/** On its way from 4.19.6 to the version, since `since`. */
function anUpdatingCluster(name: string, to: string, since = start): HostedCluster {
  const { history = [], ...rest } = aControlPlaneVersion('4.19.6')
  const image = aReleaseImage(to)
  const entry = { state: 'Partial', startedTime: formatTime(since), version: to, image } as const
  const controlPlaneVersion = { ...rest, desired: { version: to, image }, history: [entry, ...history] }
  const cluster = aHostedCluster({ name, release: to })
  return { ...cluster, status: { ...cluster.status, controlPlaneVersion, version: aVersionStatus('4.19.6') } }
}

describe('a live fleet', () => {
  it('shows clusters of all members, with figures', async () => {
    const [east, west] = [aManagementCluster(), aManagementCluster()]
    east.put(HostedCluster, aCluster('prod', '4.20.1'))
    east.put(NodePool, aNodePool({ name: 'workers', release: '4.20.1' }))
    west.put(HostedCluster, aCluster('prod', '4.19.6'))
    const stage = await aFleetOf({ east, west })
    const view = stage.fleet.view()
    assert.deepEqual(
      view.clusters.map(({ id, attention, controlPlane }) => [id, attention, controlPlane.version]),
      [
        ['east/clusters/prod', 'Steady', '4.20.1'],
        ['west/clusters/prod', 'Steady', '4.19.6'],
      ],
    )
    assert.deepEqual(view.figures.controlPlaneVersions, [
      { version: '4.20.1', count: 1 },
      { version: '4.19.6', count: 1 },
    ])
    assert.deepEqual(
      view.members.map(({ name, state, clusters }) => [name, state, clusters]),
      [
        ['east', 'Synced', 1],
        ['west', 'Synced', 1],
      ],
    )
    await stage.stop()
  })

  it('tells of what has changed, once for all that happened in 50 ms', async () => {
    const east = aManagementCluster()
    east.put(HostedCluster, aCluster('prod', '4.19.6'))
    const stage = await aFleetOf({ east })
    await stage.settle()
    const changes: FleetChange[] = []
    const unsubscribe = stage.fleet.subscribe((change) => changes.push(change))
    east.put(HostedCluster, anUpdatingCluster('prod', '4.20.1', stage.clock.now()))
    for (const name of ['etcd', 'kube-apiserver']) east.put(ControlPlaneComponent, aControlPlaneComponent({ name, version: '4.19.6' }))
    await stage.settle()
    assert.equal(changes.length, 1)
    assert.deepEqual(
      changes[0]?.clusters.map(({ attention, progress }) => [attention, progress]),
      [['Upgrading', { done: 0, total: 2 }]],
    )
    assert.equal(changes[0]?.figures?.attention.Upgrading, 1)
    unsubscribe()
    east.remove(HostedCluster, { namespace: 'clusters', name: 'prod' })
    await stage.settle()
    assert.equal(changes.length, 1)
    assert.deepEqual(stage.fleet.view().clusters, [])
    assert.equal(stage.fleet.view().figures.clusters, 0)
    await stage.stop()
  })

  it('tells followers of one cluster even when its row stays the same', async () => {
    const east = aManagementCluster()
    east.put(HostedCluster, aCluster('prod', '4.19.6'))
    const stage = await aFleetOf({ east })
    let [heard, changes] = [0, 0]
    const unfollow = stage.fleet.follow('east/clusters/prod', () => heard++)
    stage.fleet.subscribe(() => changes++)
    const pool = aNodePool({ name: 'workers', release: '4.19.6' })
    east.put(NodePool, pool)
    await stage.settle()
    assert.deepEqual([heard, changes], [1, 1])
    east.put(NodePool, { ...pool, metadata: { ...pool.metadata, labels: { seen: 'yes' } } })
    await stage.settle()
    assert.deepEqual([heard, changes], [2, 1])
    unfollow()
    east.put(NodePool, pool)
    await stage.settle()
    assert.equal(heard, 2)
    await stage.stop()
  })

  it('N14 an update stalls after an hour by the clock alone', async () => {
    const clock = new VirtualClock({ start })
    const east = aManagementCluster()
    east.put(HostedCluster, anUpdatingCluster('prod', '4.20.1'))
    east.put(ControlPlaneComponent, aControlPlaneComponent({ name: 'etcd', version: '4.19.6' }))
    const stage = await aFleetOf({ east }, { clock })
    const changes: FleetChange[] = []
    stage.fleet.subscribe((change) => changes.push(change))
    await clock.advanceTo(start + 60 * minute)
    assert.equal(stage.fleet.row('east/clusters/prod')?.attention, 'Upgrading')
    assert.equal(changes.length, 0)
    await clock.advance(1000)
    assert.equal(changes.at(-1)?.clusters[0]?.attention, 'Stalled')
    assert.equal(changes.at(-1)?.clusters[0]?.controlPlane.state, 'Stalled')
    assert.equal(changes.at(-1)?.figures?.attention.Stalled, 1)
    await stage.stop()
  })

  it('keeps what was last known of a member that cannot be reached, as it was, and goes on by itself', async () => {
    const clock = new VirtualClock({ start })
    const [east, west] = [aManagementCluster(), aManagementCluster()]
    east.put(HostedCluster, anUpdatingCluster('prod', '4.20.1'))
    west.put(HostedCluster, aCluster('other', '4.20.1'))
    const stage = await aFleetOf({ east, west }, { clock })
    east.goDown()
    await clock.advance(90 * minute)
    const [down, up] = stage.fleet.members()
    assert.equal(down?.state, 'Unreachable')
    assert.match(down?.message ?? '', /refuses connections: check that the server runs/)
    assert.equal(down?.clusters, 1)
    assert.equal(down?.lastSynced?.slice(0, 16), '2026-03-06T12:00')
    assert.equal(up?.state, 'Synced')
    // It may have stalled by now; nobody knows.
    assert.deepEqual(
      [stage.fleet.row('east/clusters/prod')?.isCurrent, stage.fleet.row('east/clusters/prod')?.attention],
      [false, 'Upgrading'],
    )
    assert.equal(stage.fleet.view().figures.clusters, 2)
    east.put(HostedCluster, aCluster('prod', '4.20.1'))
    east.goUp()
    await clock.advance(5 * minute)
    assert.equal(stage.fleet.members()[0]?.state, 'Synced')
    assert.deepEqual([stage.fleet.row('east/clusters/prod')?.isCurrent, stage.fleet.row('east/clusters/prod')?.attention], [true, 'Steady'])
    await stage.stop()
  })
})
