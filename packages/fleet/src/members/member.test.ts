import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, HostedCluster, Node, NodePool, UpdateHealthInsight } from '@windlass/api'
import { aClusterVersion, aHostedCluster, aNodePool, anUpdateHealthInsight } from '@windlass/api/fixtures'
import { ApiError } from '@windlass/kube'
import { aClassicCluster, aFleetOf, aManagementCluster, classicKinds, hostedKinds, MemoryApi } from '../testing/index.ts'

const minute = 60_000

describe('a member', () => {
  it('may be a management cluster and a classic cluster at once', async () => {
    const both = new MemoryApi(...hostedKinds, ...classicKinds)
    both.put(HostedCluster, aHostedCluster())
    both.put(ClusterVersion, aClusterVersion())
    const { fleet, stop } = await aFleetOf({ both })
    assert.deepEqual(
      fleet.view().clusters.map(({ id, kind }) => [id, kind]),
      [
        ['both', 'Classic'],
        ['both/clusters/prod', 'Hosted'],
      ],
    )
    await stop()
  })

  it('that has neither says so, and is read as soon as it has', async () => {
    const late = new MemoryApi()
    const { fleet, clock, stop } = await aFleetOf({ late })
    assert.match(fleet.members()[0]?.message ?? '', /neither/)
    late.serve(...hostedKinds)
    late.put(HostedCluster, aHostedCluster())
    await clock.advance(2 * minute)
    assert.deepEqual(
      fleet.view().clusters.map(({ id }) => id),
      ['late/clusters/prod'],
    )
    assert.equal(fleet.members()[0]?.message, undefined)
    await stop()
  })

  it('is not lost when a kind that it can do without comes or goes', async () => {
    const classic = aClassicCluster()
    classic.put(ClusterVersion, aClusterVersion())
    const { fleet, clock, stop } = await aFleetOf({ classic })
    const insights = async (): Promise<number> => (await fleet.cluster('classic'))?.insights.length ?? -1
    assert.equal(await insights(), 0)
    classic.serve(UpdateHealthInsight)
    classic.put(UpdateHealthInsight, anUpdateHealthInsight())
    await clock.advance(2 * minute)
    assert.equal(await insights(), 1)
    classic.withdraw(UpdateHealthInsight)
    await clock.advance(3 * minute)
    assert.equal(await insights(), 0)
    assert.equal(fleet.members()[0]?.state, 'Synced')
    await stop()
  })

  it('whose node pools may not be read is shown without them, and says what to allow', async () => {
    const api = aManagementCluster()
    api.put(HostedCluster, aHostedCluster())
    api.put(NodePool, aNodePool())
    api.forbid(NodePool)
    const { fleet, stop } = await aFleetOf({ east: api })
    const [member] = fleet.members()
    assert.equal(member?.state, 'Synced')
    assert.match(
      member?.message ?? '',
      /nodepools\.hypershift\.openshift\.io cannot be read: let the user of east get, list and watch them/,
    )
    assert.equal(member?.isPartial, true)
    const row = fleet.row('east/clusters/prod')
    assert.match(row?.nodes.unknownBecause ?? '', /^nodepools\.hypershift\.openshift\.io cannot be read/)
    assert.equal(row?.skew, 'Unknown')
    assert.equal(fleet.exposure(['4.20.0']).clusters[0]?.dataPlane.state, 'Unknown')
    await stop()
  })

  it('is told anew when its user gets rights, or loses them', async () => {
    const api = aManagementCluster()
    api.put(HostedCluster, aHostedCluster({ release: '4.20.1' }))
    api.put(HostedCluster, aHostedCluster({ name: 'bare', release: '4.20.1' }))
    api.put(NodePool, aNodePool({ release: '4.20.1' }))
    api.forbid(NodePool)
    const { fleet, clock, stop } = await aFleetOf({ east: api })
    const states = (): readonly string[] => fleet.exposure(['4.20.1']).clusters.map(({ id, state }) => `${id} ${state}`)
    const told: (true | undefined)[] = []
    fleet.subscribe(({ members = [] }) => members.forEach(({ isPartial }) => told.push(isPartial)))
    assert.deepEqual(states(), ['east/clusters/bare Unknown', 'east/clusters/prod Unknown'])
    api.allow(NodePool)
    await clock.advance(2 * minute)
    assert.deepEqual(states(), ['east/clusters/bare Fixed', 'east/clusters/prod Fixed'])
    assert.deepEqual([fleet.row('east/clusters/bare')?.skew, fleet.row('east/clusters/prod')?.nodes.wanted], ['Allowed', 3])
    assert.equal(told.at(-1), undefined)
    api.forbid(NodePool)
    api.compact()
    await clock.advance(3 * minute)
    assert.deepEqual(states(), ['east/clusters/bare Unknown', 'east/clusters/prod Unknown'])
    assert.equal(fleet.row('east/clusters/bare')?.skew, 'Unknown')
    assert.equal(told.at(-1), true)
    await stop()
  })

  it('whose nodes may not be read is not called fixed by its version alone', async () => {
    const classic = aClassicCluster()
    classic.put(ClusterVersion, aClusterVersion())
    classic.forbid(Node)
    const { fleet, stop } = await aFleetOf({ classic })
    const [answer] = fleet.exposure([aClusterVersion().status?.desired.version ?? '']).clusters
    assert.deepEqual([answer?.controlPlane.state, answer?.dataPlane.state, answer?.state], ['Fixed', 'Unknown', 'Unknown'])
    assert.match(answer?.dataPlane.evidence ?? '', /^its nodes are not known: nodes cannot be read: let the user of classic get/)
    assert.equal(fleet.row('classic')?.skew, 'Unknown')
    await stop()
  })

  it('that has never answered has no clusters, and says why', async () => {
    const api = aManagementCluster()
    api.goDown(new ApiError({ code: 401, reason: 'Unauthorized', message: 'Unauthorized' }, 'GET /'))
    const { fleet, clock, stop } = await aFleetOf({ east: api })
    const [before] = fleet.members()
    assert.deepEqual([before?.state, before?.clusters, before?.lastSynced], ['Unreachable', 0, undefined])
    assert.match(before?.message ?? '', /401\): log in again/)
    api.put(HostedCluster, aHostedCluster())
    api.goUp()
    await clock.advance(minute)
    assert.equal(fleet.members()[0]?.state, 'Synced')
    assert.equal(fleet.view().clusters.length, 1)
    await stop()
  })

  it('is not called unreachable for a hiccup', async () => {
    const api = aManagementCluster()
    const { fleet, clock, stop } = await aFleetOf({ east: api })
    const states = new Set<string>()
    fleet.subscribe(({ members = [] }) => members.forEach(({ state }) => states.add(state)))
    await clock.advance(minute)
    api.compact()
    api.goDown()
    await clock.advance(300)
    api.goUp()
    await clock.advance(5 * minute)
    assert.ok(!states.has('Unreachable'))
    await stop()
  })
})
