import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterVersion, HostedControlPlane } from '@windlass/api'
import { aClusterVersion, aCondition, aHostedControlPlane, aVersionStatus } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import { failed, found } from '../hosted-cluster/lookup.ts'
import type { Lookup } from '../hosted-cluster/lookup.ts'
import { noon, World } from '../hosted-cluster/testing/index.ts'
import { decideStatusBridge } from './decide.ts'

type Reported = NonNullable<ClusterVersion['status']>
const six = ['Failing', 'ReleaseAccepted', 'RetrievedUpdates', 'Progressing', 'Upgradeable', 'Available']

function reporting(status: Partial<Reported>): Lookup<ClusterVersion> {
  const { status: usual, ...rest } = aClusterVersion()
  return found({ ...rest, status: { ...usual, ...status } as Reported })
}

function bridge(clusterVersion: Lookup<ClusterVersion>, controlPlane = aHostedControlPlane()) {
  const world = new World([controlPlane])
  const look = (): HostedControlPlane => world.find(HostedControlPlane, { namespace: 'clusters-prod', name: 'prod' }) ?? assert.fail()
  const plan = decideStatusBridge(controlPlane, clusterVersion, noon)
  world.carryOut(plan.actions, noon)
  const says = (type: string): string | undefined => {
    const condition = findCondition(look().status?.conditions, `ClusterVersion${type}`)
    return condition === undefined ? undefined : `${condition.status} ${condition.reason}: ${condition.message}`
  }
  assert.deepEqual(decideStatusBridge(look(), clusterVersion, noon + 60_000).actions, [], 'there is nothing to do the second time')
  return { plan, says, status: look().status }
}

const partial = {
  state: 'Partial',
  startedTime: '2026-03-06T11:00:00Z',
  completionTime: null,
  version: '4.20.1',
  image: 'r:1',
  verified: true,
} as const

describe('the status bridge', () => {
  it('L38 keeps the null of an update that runs, and of updates that nobody looked up', () => {
    const { status } = bridge(reporting({ history: [partial], availableUpdates: null }))
    assert.deepEqual(status?.versionStatus?.history, [partial])
    assert.ok(
      status?.versionStatus !== undefined && 'availableUpdates' in status.versionStatus && status.versionStatus.availableUpdates === null,
    )
  })

  it('W3 fills in keys that older operators leave out', () => {
    const { completionTime: _, verified: __, ...bare } = partial
    const { status } = bridge(reporting({ history: [bare as typeof partial] }))
    assert.deepEqual(status?.versionStatus?.history, [{ ...bare, completionTime: null, verified: false }])
  })

  it('says whether the guest could be looked at', () => {
    const type = 'ConfigOperatorReconciliationSucceeded'
    const said = (clusterVersion: Lookup<ClusterVersion>) => findCondition(bridge(clusterVersion).status?.conditions, type)?.status
    assert.deepEqual([said(reporting({})), said(failed('connection refused'))], ['True', 'Unknown'])
  })

  it('repeats the version, old style and new', () => {
    const { status } = bridge(reporting({ desired: { version: '4.20.1', image: 'r:1' } }))
    assert.deepEqual(status?.versionStatus?.desired, { version: '4.20.1', image: 'r:1' })
    assert.deepEqual([status?.version, status?.releaseImage], ['4.20.1', 'r:1'])
  })

  it('L39 takes silence about upgrades for consent', () => {
    const conditions = [aCondition('Available', 'True', '', 'Done applying 4.20.1')]
    const { says } = bridge(reporting({ conditions }))
    assert.match(says('Upgradeable') ?? '', /^True FromClusterVersion/)
    assert.equal(says('Available'), 'True FromClusterVersion: Done applying 4.20.1')
    assert.equal(says('Failing'), 'Unknown StatusUnknown: Condition not found in the CVO.')
  })

  it('repeats reasons, as far as the API takes them', () => {
    const conditions = [aCondition('Failing', 'True', 'MultipleErrors', 'two'), aCondition('Upgradeable', 'False', 'not a word!', 'm')]
    const { says } = bridge(reporting({ conditions }))
    assert.equal(says('Failing'), 'True MultipleErrors: two')
    assert.equal(says('Upgradeable'), 'False FromClusterVersion: m')
  })

  it('L40 knows nothing while the guest cannot be asked, not even whether it can be upgraded, and keeps the last version', () => {
    const before = aHostedControlPlane({
      status: {
        ready: true,
        initialized: true,
        versionStatus: aVersionStatus('4.19.6'),
        version: '4.19.6',
        conditions: six.map((type) => aCondition(`ClusterVersion${type}`, 'True')),
      },
    })
    const { says, status } = bridge(failed('connection refused'), before)
    for (const type of six) assert.equal(says(type), 'Unknown StatusUnknown: failed to get clusterVersion: connection refused', type)
    assert.equal(status?.versionStatus, before.status?.versionStatus)
    assert.equal(status?.version, '4.19.6')
  })

  it('W7 writes only over what it has seen', () => {
    const [action] = bridge(reporting({})).plan.actions
    assert.ok(action?.do === 'status' && action.ifUnchanged)
  })
})
