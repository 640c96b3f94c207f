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
import { formatTime, type Instant } from '@windlass/core'
import { needsAttention, type StatusView } from '../index.ts'
import { hostedStatus } from './index.ts'

const minutes = 60_000
const start = Date.UTC(2026, 2, 6, 12)
const at = (after: Instant): string => formatTime(start + after)

type Conditions = NonNullable<NonNullable<HostedCluster['status']>['conditions']>
type Rollout = readonly [version: string, status: 'True' | 'False', reason?: string]

const said = (type: string, status: 'True' | 'False', reason = 'AsExpected', since: Instant = 0) => ({
  ...aCondition(type, status, reason, `${type} is ${status}`),
  lastTransitionTime: at(since),
})

/** On its way from 4.19.6 to 4.20.1 since the start. */
function updating(conditions: Conditions = []): HostedCluster {
  const { history = [], ...rest } = aControlPlaneVersion('4.19.6')
  const entry = { state: 'Partial', startedTime: at(0), version: '4.20.1', image: aReleaseImage('4.20.1') } as const
  const desired = { version: '4.20.1', image: aReleaseImage('4.20.1') }
  return aHostedCluster({
    release: '4.20.1',
    status: { controlPlaneVersion: { ...rest, desired, history: [entry, ...history] }, version: aVersionStatus('4.19.6'), conditions },
  })
}

function component(name: string, [version, status, reason]: Rollout, available: 'True' | 'False' = 'True'): ControlPlaneComponent {
  const conditions = [
    said('Available', available, available === 'True' ? 'AsExpected' : 'NotFound'),
    said('RolloutComplete', status, reason),
  ]
  return aControlPlaneComponent({ name, status: { version, observedGeneration: 1, conditions } })
}

function pool(name: string, conditions: readonly ReturnType<typeof said>[] = [], spec: Partial<NodePool['spec']> = {}): NodePool {
  const usual = aNodePool({ name, spec, release: '4.19.6' })
  return { ...usual, status: { ...usual.status, conditions } }
}

const look = (
  cluster: HostedCluster,
  { components = [], pools = [], after = 10 * minutes }: { components?: ControlPlaneComponent[]; pools?: NodePool[]; after?: Instant } = {},
): StatusView => hostedStatus({ cluster, components, pools }, start + after)

const levels = ({ health }: StatusView): readonly string[] => health.map(({ level, summary }) => `${level} ${summary}`)

describe('the management side of a hosted cluster', () => {
  const done = component('etcd', ['4.20.1', 'True'])
  const rolling = component('kube-apiserver', ['4.19.6', 'False', 'WaitingForRolloutComplete'])
  const waiting = component('router', ['4.19.6', 'False', 'WaitingForDependencies'])
  const unaware = component('oauth-openshift', ['4.19.6', 'True'])

  it('has components that are done, on their way, or waiting', () => {
    const { parts, completionPercent } = look(updating(), { components: [done, rolling, waiting, unaware] }).controlPlane
    assert.deepEqual([parts.updated, parts.updating.map(({ name }) => name), parts.waiting], [1, ['kube-apiserver'], 2])
    assert.equal(completionPercent, 25)
  })

  it('does not count what is on its way out', () => {
    const leaving = { ...waiting, metadata: { ...waiting.metadata, deletionTimestamp: at(0) } }
    const { parts, completionPercent } = look(updating(), { components: [done, leaving] }).controlPlane
    assert.deepEqual([parts.updated, parts.waiting, completionPercent], [1, 0, 100])
  })

  it('N14 stalls after an hour, and says which components to look at first', () => {
    assert.equal(look(updating(), { components: [rolling, waiting], after: 60 * minutes }).controlPlane.assessment, 'Progressing')
    const view = look(updating(), { components: [rolling, waiting], after: 61 * minutes })
    assert.equal(view.controlPlane.assessment, 'Stalled')
    assert.ok(needsAttention(view))
    assert.equal(
      view.health[0]?.description,
      'It waits for:\nkube-apiserver: VersionMismatch (WaitingForRolloutComplete: RolloutComplete is False)',
    )
  })

  it('N15 does not stall while it is paused', () => {
    const view = look(updating([said('ReconciliationActive', 'False', 'ReconciliationPaused')]), { after: 180 * minutes })
    assert.equal(view.controlPlane.assessment, 'Paused')
    assert.deepEqual(levels(view), ['Warning The cluster is paused: its update does not go on'])
    assert.ok(!needsAttention(view))
  })

  it('N09 is unknown where nobody reports it, without a guess', () => {
    const view = look(aHostedCluster({ status: { version: aVersionStatus() } }), { components: [done] })
    assert.equal(view.controlPlane.assessment, 'Unknown')
    assert.equal(view.controlPlane.versions.target, undefined)
    assert.ok(view.isUpdating)
    assert.deepEqual(levels(view), ['Warning Nothing reports which version the control plane runs'])
  })

  it('is complete by its record, whatever components say', () => {
    const view = look(aHostedCluster({ release: '4.20.1' }), { components: [waiting] })
    assert.ok(view.controlPlane.isCompleted)
    assert.equal(view.controlPlane.completionPercent, 100)
    assert.ok(!view.isUpdating)
  })

  it('has a component that is away for more than five minutes for a warning, more than twenty for an error', () => {
    const away = component('etcd', ['4.19.6', 'False', 'WaitingForRolloutComplete'], 'False')
    const seen = (after: Instant): readonly string[] => levels(look(updating(), { components: [away], after }))
    assert.deepEqual(seen(5 * minutes), [])
    assert.deepEqual(seen(6 * minutes), ['Warning Component etcd is unavailable (NotFound)'])
    assert.deepEqual(seen(20 * minutes), ['Warning Component etcd is unavailable (NotFound)'])
    assert.deepEqual(seen(21 * minutes), ['Error Component etcd is unavailable (NotFound)'])
    assert.equal(look(updating(), { components: [away], after: 21 * minutes }).controlPlane.assessment, 'Degraded')
  })

  it('that may not go where it was asked to is of interest though nothing moves', () => {
    const cluster = aHostedCluster()
    const conditions = [said('Progressing', 'False', 'Blocked')]
    const view = look({ ...cluster, status: { ...cluster.status, conditions } })
    assert.ok(view.isUpdating)
    assert.deepEqual(levels(view), ['Error Requested release is not accepted (Blocked)'])
  })
})

describe('the data plane of a hosted cluster', () => {
  it('waits while it has not taken up the release, and is done otherwise', () => {
    assert.equal(look(updating([said('Progressing', 'True', 'Progressing')])).dataPlane?.assessment, 'Pending')
    assert.equal(look(updating()).dataPlane?.assessment, 'Completed')
    assert.equal(look(aHostedCluster({ status: {} })).dataPlane, undefined)
  })

  it('is degraded while its operator fails, and that is an error after ten minutes', () => {
    const cluster = updating([said('ClusterVersionSucceeding', 'False', 'Broken')])
    const version = aVersionStatus('4.20.1')
    const [newest] = version.history ?? []
    assert.ok(newest !== undefined)
    const going = { ...version, history: [{ ...newest, state: 'Partial' as const, completionTime: null }] }
    const failing = { ...cluster, status: { ...cluster.status, version: going } }
    assert.equal(look(failing).dataPlane?.assessment, 'Degraded')
    const words = 'Cluster Version of the hosted cluster is failing to proceed with the update (Broken)'
    assert.deepEqual(levels(look(failing, { after: 10 * minutes })), [`Warning ${words}`])
    assert.deepEqual(levels(look(failing, { after: 11 * minutes })), [`Error ${words}`])
  })
})

describe('the pools of a hosted cluster', () => {
  const target = { ...said('UpdatingVersion', 'True'), message: 'Updating version in progress. Target version: 4.20.1' }

  it('go to the version that they name, and count ready nodes that have it', () => {
    const going = pool('workers', [target])
    const nodeVersions = [
      { ocpVersion: '4.19.6', kubeletVersion: 'v1.32.6', readyNodeCount: 1, unreadyNodeCount: 0 },
      { ocpVersion: '4.20.1', kubeletVersion: 'v1.33.1', readyNodeCount: 1, unreadyNodeCount: 1 },
    ]
    const view = look(aHostedCluster({ release: '4.20.1' }), {
      pools: [{ ...going, status: { ...going.status, nodesInfo: { nodeVersions } } }],
    })
    const [first] = view.pools
    assert.ok(view.isUpdating)
    assert.deepEqual([first?.assessment, first?.completed, first?.total, first?.completionPercent], ['Progressing', 1, 3, 33])
    assert.deepEqual([first?.versions?.previous, first?.versions?.target], ['4.19.6', '4.20.1'])
  })

  it('are outdated behind their cluster, and that alone is no update', () => {
    const view = look(aHostedCluster({ release: '4.20.1' }), { pools: [pool('workers')] })
    assert.equal(view.pools[0]?.assessment, 'Outdated')
    assert.ok(!view.isUpdating)
    assert.equal(look(aHostedCluster({ release: '4.19.6' }), { pools: [pool('workers')] }).pools[0]?.assessment, 'Completed')
  })

  it('are not done while only their configuration changes', () => {
    const [first] = look(aHostedCluster({ release: '4.19.6' }), { pools: [pool('workers', [said('UpdatingConfig', 'True')])] }).pools
    assert.deepEqual([first?.assessment, first?.completed], ['Progressing', 0])
  })

  it('say what keeps them', () => {
    const seen = (...conditions: readonly ReturnType<typeof said>[]): readonly string[] =>
      levels(look(aHostedCluster(), { pools: [pool('workers', [target, ...conditions])] }))
    assert.deepEqual(seen(), [])
    assert.deepEqual(seen(said('ValidReleaseImage', 'False', 'ValidationFailed')), [
      'Error Node pool workers cannot be updated: ValidReleaseImage is False (ValidationFailed)',
    ])
    assert.deepEqual(seen(said('ReconciliationActive', 'False', 'ReconciliationPaused')), [
      'Warning Node pool workers is paused: its update does not go on',
    ])
    assert.deepEqual(seen(said('AllNodesHealthy', 'False', 'NodeConditionsFailed')), [
      'Warning Nodes of node pool workers are not healthy (NodeConditionsFailed)',
    ])
    assert.deepEqual(seen(said('AllNodesHealthy', 'False', 'NotFound')), [])
    assert.deepEqual(seen(said('AllNodesHealthy', 'False', 'NodeConditionsFailed', 6 * minutes)), [])
    assert.deepEqual(seen(said('SupportedVersionSkew', 'False', 'UnsupportedSkew')), [
      'Warning Node pool workers has a version that the control plane does not support (UnsupportedSkew)',
    ])
  })

  it('without nodes are empty', () => {
    const usual = aNodePool({ spec: { replicas: 0 } })
    const none = { ...usual, status: { conditions: [] } }
    assert.equal(look(aHostedCluster(), { pools: [none] }).pools[0]?.assessment, 'Empty')
  })
})
