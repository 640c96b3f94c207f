import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { capi, NodePool } from '@windlass/api'
import { aCapiMachine, aMachineDeployment, aMachineHealthCheck, aNode, aNodePool, aRoute } from '@windlass/api/fixtures'
import { decideCauses } from '../decide.ts'
import { type HostedEvidence, type MachineEvidence, noControlPlane, noGuest, noMachines } from '../evidence.ts'
import { ago, aHostedEvidence, now, paths, since } from '../testing/index.ts'

type PoolConditions = NonNullable<NonNullable<NodePool['status']>['conditions']>
type MachineConditions = NonNullable<NonNullable<capi.Machine['status']>['conditions']>

function aPool(conditions: PoolConditions, more: Parameters<typeof aNodePool>[0] = {}): NodePool {
  return aNodePool({ ...more, status: { replicas: 3, version: '4.19.6', conditions } })
}

const updating = since(40, 'UpdatingVersion', 'True', 'AsExpected', 'Updating version in progress. Target version: 4.19.7')

function aMachine(
  name: string,
  conditions: MachineConditions,
  more: Partial<capi.Machine['status']> = {},
  metadata: capi.Machine['metadata'] = {},
): capi.Machine {
  const machine = aCapiMachine({ name })
  return {
    ...machine,
    metadata: {
      ...machine.metadata,
      creationTimestamp: ago(30),
      annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers' },
      ...metadata,
    },
    status: { ...machine.status, nodeRef: { name }, conditions, ...more },
  }
}

const answer = (pool: NodePool, machines: Partial<MachineEvidence> = {}, more: Partial<HostedEvidence> = {}) =>
  decideCauses(aHostedEvidence({ pools: [pool], machines: { ...noMachines, ...machines }, ...more }), now)

describe('a node pool', () => {
  it('that rests waits for nothing', () => assert.deepEqual(answer(aNodePool()).chains, []))

  it('whose release is refused says why', () => {
    const view = answer(aPool([since(5, 'ValidReleaseImage', 'False', 'ValidationFailed', 'the latest version supported is: "4.19"')]))
    assert.deepEqual(paths(view), ['HostedCluster prod > NodePool workers [ValidationFailed]'])
    assert.match(view.verdict, /^Node pool workers does not go on: its release is refused/)
  })

  it('that is paused in the middle of an update says so; one that is paused at rest does not', () => {
    const paused = since(5, 'ReconciliationActive', 'False', 'ReconciliationPaused', 'Reconciliation paused until field removed')
    assert.deepEqual(paths(answer(aPool([updating, paused]))), ['HostedCluster prod > NodePool workers [ReconciliationPaused]'])
    assert.deepEqual(paths(answer(aPool([paused]))), [])
  })

  it('whose payload is not made yet has nothing wrong with its configuration', () => {
    assert.deepEqual(paths(answer(aPool([since(1, 'ValidGeneratedPayload', 'False', 'NotFound')]))), [])
    assert.deepEqual(paths(answer(aPool([since(9, 'ValidGeneratedPayload', 'False', 'InvalidConfig', 'kubelet.conf')]))), [
      'HostedCluster prod > NodePool workers [InvalidConfig]',
    ])
  })

  it('that is too old holds nothing up, and is worth knowing', () => {
    const view = answer(aPool([since(90, 'SupportedVersionSkew', 'False', 'UnsupportedSkew', 'less than 4.16')]))
    assert.match(view.verdict, /waits for nothing\. Worth knowing: Node pool workers: its version is too far/)
  })

  it('without any machine that is wrong goes on', () => {
    const machines = { deployments: [aMachineDeployment({ status: { updatedReplicas: 1, replicas: 3 } })] }
    const view = answer(aPool([updating]), machines)
    assert.deepEqual(paths(view), ['HostedCluster prod > NodePool workers [UpdatingVersion] > MachineDeployment workers [RollingUpdate]'])
    assert.match(view.verdict, /^Node pool workers goes on as usual/)
    const impatient = decideCauses(aHostedEvidence({ pools: [aPool([updating])], machines: { ...noMachines, ...machines } }), now, 60_000)
    assert.match(impatient.verdict, /^Node pool workers takes longer than it may\. It waits for /)
  })

  it('with the strategy OnDelete waits for somebody', () => {
    const management = { upgradeType: 'Replace', autoRepair: false, replace: { strategy: 'OnDelete' } } as const
    const machines = { deployments: [aMachineDeployment({ status: { updatedReplicas: 1, replicas: 3 } })] }
    assert.deepEqual(paths(answer(aPool([updating], { spec: { management } }), machines)), [
      'HostedCluster prod > NodePool workers [UpdatingVersion] > MachineDeployment workers [OnDelete]',
    ])
  })
})

describe('a pool that is scaled by itself', () => {
  const scaled = (replicas: number): NodePool => {
    const { replicas: _, ...spec } = aNodePool().spec
    return { ...aNodePool(), spec: { ...spec, autoScaling: { min: 2, max: 5 } }, status: { replicas, version: '4.19.6', conditions: [] } }
  }

  it('waits when it has fewer nodes than it may have, and not when it has any number within its bounds', () => {
    const view = answer(scaled(1))
    assert.deepEqual(paths(view), ['HostedCluster prod > NodePool workers'])
    assert.match(view.verdict, /1 of 2 nodes are available/)
    assert.deepEqual(paths(answer(scaled(3))), [])
  })

  it('whose bounds are refused says so', () => {
    const refused = since(
      9,
      'AutoscalingEnabled',
      'False',
      'ValidationFailed',
      'Autoscaling from zero (min=0) is not supported for KubeVirt platform',
    )
    assert.deepEqual(paths(answer(aPool([refused]))), ['HostedCluster prod > NodePool workers [ValidationFailed]'])
  })
})

describe('machines of a pool', () => {
  const pool = aPool([updating])

  it('that the provider does not make are one chain, told of the one that has waited longest', () => {
    const stuck = (name: string, minutes: number) => {
      const { providerID: _, ...spec } = aCapiMachine().spec
      const machine = aMachine(name, [since(minutes, 'InfrastructureReady', 'False', 'QuotaExceeded', 'no more cores')])
      const { nodeRef: _node, ...status } = machine.status ?? {}
      return { ...machine, spec, status }
    }
    const view = answer(pool, { machines: [stuck('workers-a', 3), stuck('workers-b', 20)] })
    assert.deepEqual(paths(view), ['HostedCluster prod > NodePool workers [UpdatingVersion] > Machine workers-b [QuotaExceeded]'])
    assert.match(
      view.verdict,
      /^Node pool workers has waited for 20m for Machine workers-b: its provider does not make it: no more cores\.$/,
    )
  })

  it('whose node is not ready lead to the node', () => {
    const machine = aMachine('workers-a', [since(9, 'NodeHealthy', 'False', 'NodeConditionsFailed', 'not ready')])
    const node = aNode({ name: 'workers-a', status: { conditions: [since(9, 'Ready', 'False', 'KubeletNotReady', 'no network')] } })
    assert.deepEqual(paths(answer(pool, { machines: [machine] }, { guest: { ...noGuest, nodes: [node] } })), [
      'HostedCluster prod > NodePool workers [UpdatingVersion] > Machine workers-a [NodeConditionsFailed] > Node workers-a [KubeletNotReady]',
    ])
  })

  it('whose node cannot be looked at end there, and what could not be read is said', () => {
    const machine = aMachine('workers-a', [since(9, 'NodeHealthy', 'False', 'NodeConditionsFailed', 'not ready')])
    const view = answer(pool, { machines: [machine] }, { unknown: ['nodes of the cluster could not be looked at: refused.'] })
    assert.deepEqual(paths(view), ['HostedCluster prod > NodePool workers [UpdatingVersion] > Machine workers-a [NodeConditionsFailed]'])
    assert.deepEqual(view.unknown, ['nodes of the cluster could not be looked at: refused.'])
  })

  it('NP-60 that are too many to be repaired are told with who does not repair them', () => {
    const machine = aMachine('workers-a', [since(9, 'NodeHealthy', 'Unknown', 'NodeConditionsUnknown', 'silent')])
    const said = since(9, 'RemediationAllowed', 'False', 'TooManyUnhealthy', 'unhealthy: 3, maxUnhealthy: 2')
    const check = aMachineHealthCheck({ status: { conditions: [said] } })
    const ill = aPool([since(9, 'AllNodesHealthy', 'False', 'NodeConditionsUnknown', '3 of 3 machines are not healthy')])
    assert.deepEqual(paths(answer(ill, { machines: [machine], healthChecks: [check] })), [
      'HostedCluster prod > NodePool workers [NodeConditionsUnknown] > Machine workers-a [NodeConditionsUnknown]',
      'HostedCluster prod > NodePool workers [NodeConditionsUnknown] > MachineHealthCheck workers [TooManyUnhealthy]',
    ])
  })

  it('that nobody lets in lead to the Route of the ignition endpoint', () => {
    const unreached = aPool([updating, since(20, 'ReachedIgnitionEndpoint', 'False', 'ignitionNotReached')])
    const machine = aMachine('workers-a', [since(20, 'InfrastructureReady', 'True', '')])
    const { nodeRef: _, ...status } = machine.status ?? {}
    const route = aRoute({ metadata: { name: 'ignition-server', namespace: 'clusters-prod', creationTimestamp: ago(30) }, status: {} })
    const routes = { ...noControlPlane, routes: [route] }
    assert.deepEqual(paths(answer(unreached, { machines: [{ ...machine, status }] }, { controlPlane: routes })), [
      'HostedCluster prod > NodePool workers [UpdatingVersion] > Machine workers-a [WaitingForNodeRef] > Route ignition-server [NotAdmitted]',
    ])
  })

  it('of other pools are not its business', () => {
    const other = aMachine(
      'batch-a',
      [since(9, 'NodeHealthy', 'False', 'NodeConditionsFailed')],
      {},
      { annotations: { 'hypershift.openshift.io/nodePool': 'clusters/batch' } },
    )
    assert.deepEqual(paths(answer(pool, { machines: [other] })), ['HostedCluster prod > NodePool workers [UpdatingVersion]'])
  })
})
