import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ControlPlaneComponent, Event, HostedCluster, NodePool } from '@windlass/api'
import { aHostedCluster, aNodePool } from '@windlass/api/fixtures'
import type { EventView } from '../contract/index.ts'
import { aFleetOf, aManagementCluster } from '../testing/index.ts'

function anEvent(kind: string, namespace: string, name: string, minute: number, count = 1): Event {
  const time = `2026-01-01T00:${String(minute).padStart(2, '0')}:00.000000Z`
  return {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace, name: `${kind}-${name}`.toLowerCase() },
    eventTime: '2026-01-01T00:00:00.000000Z',
    series: { count, lastObservedTime: time },
    reportingController: 'test',
    reportingInstance: 'test-1',
    action: 'Test',
    reason: `${kind}Tested`,
    regarding: { kind, namespace, name },
    note: `${name} was tested`,
    type: 'Normal',
  }
}

describe('events of a fleet', () => {
  it('are those of all members that are about clusters, oldest first; then what happens', async () => {
    const [east, west] = [aManagementCluster(), aManagementCluster()]
    for (const api of [east, west]) api.put(HostedCluster, aHostedCluster())
    east.put(NodePool, aNodePool({ name: 'workers' }))
    east.put(Event, anEvent('NodePool', 'clusters', 'workers', 7))
    east.put(Event, anEvent('Pod', 'clusters-prod', 'etcd-0', 3))
    east.put(Event, anEvent('Pod', 'somewhere-else', 'x', 4))
    west.put(Event, anEvent('HostedCluster', 'clusters', 'prod', 5))
    const { fleet, clock, stop } = await aFleetOf({ east, west })
    const known: EventView[] = []
    for await (const event of fleet.events({ since: '2026-01-01T00:04:00Z' })) known.push(event)
    assert.deepEqual(
      known.map(({ time, cluster, object }) => [time, cluster, object.kind]),
      [
        ['2026-01-01T00:05:00Z', 'west/clusters/prod', 'HostedCluster'],
        ['2026-01-01T00:07:00Z', 'east/clusters/prod', 'NodePool'],
      ],
    )
    const following = new AbortController()
    const heard: EventView[] = []
    const listening = (async () => {
      for await (const event of fleet.events({ follow: following.signal, cluster: 'east/clusters/prod' })) heard.push(event)
    })()
    await clock.settle()
    assert.deepEqual(
      heard.map(({ reason }) => reason),
      ['PodTested', 'NodePoolTested'],
    )
    east.put(Event, anEvent('Pod', 'clusters-prod', 'etcd-0', 9, 2))
    west.put(Event, anEvent('HostedCluster', 'clusters', 'prod', 9))
    east.put(ControlPlaneComponent, {
      apiVersion: ControlPlaneComponent.apiVersion,
      kind: 'ControlPlaneComponent',
      metadata: { namespace: 'clusters-prod', name: 'etcd' },
      spec: {},
    })
    await clock.advance(100)
    assert.deepEqual([heard.length, heard.at(-1)?.count], [3, 2])
    // A watch that ends says nothing twice.
    east.compact()
    east.put(Event, anEvent('Pod', 'clusters-prod', 'etcd-1', 10))
    await clock.advance(10_000)
    assert.deepEqual([heard.length, heard.at(-1)?.object.name], [4, 'etcd-1'])
    following.abort(new Error('heard enough'))
    await clock.settle()
    await listening
    await stop()
  })

  it('are shown of one cluster, newest first, with its row', async () => {
    const east = aManagementCluster()
    east.put(HostedCluster, aHostedCluster())
    east.put(Event, anEvent('HostedCluster', 'clusters', 'prod', 3))
    east.put(Event, anEvent('HostedCluster', 'clusters', 'other', 4))
    east.put(Event, anEvent('Pod', 'clusters-prod', 'etcd-0', 5))
    const { fleet, stop } = await aFleetOf({ east })
    const view = await fleet.cluster('east/clusters/prod')
    assert.deepEqual(
      view?.events.map(({ object }) => object.name),
      ['etcd-0', 'prod'],
    )
    assert.equal(await fleet.cluster('east/clusters/nobody'), undefined)
    assert.equal(await fleet.cluster('nowhere'), undefined)
    await stop()
  })
})
