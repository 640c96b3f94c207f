import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ClusterVersion } from '@windlass/api'
import {
  aClusterOperator,
  aClusterVersion,
  aMachineConfigPool,
  aNode,
  anUpdateHealthInsight,
  anUpgradeConfig,
  aPod,
  aPodDisruptionBudget,
  aReleaseImage,
} from '@windlass/api/fixtures'
import { decideCauses } from '../decide.ts'
import { type ClassicEvidence, noGuest } from '../evidence.ts'
import { aClassicEvidence, ago, now, paths, since } from '../testing/index.ts'

const answer = (parts: Partial<ClassicEvidence>) => decideCauses(aClassicEvidence(parts), now)

type Status = NonNullable<ClusterVersion['status']>

/** On its way from 4.20.3 to 4.20.5. */
function updating(progress: string, ...conditions: NonNullable<Status['conditions']>): ClusterVersion {
  const rested = aClusterVersion()
  const image = aReleaseImage('4.20.5')
  const { history = [], ...status } = rested.status as Status
  const begun = { state: 'Partial' as const, version: '4.20.5', image, startedTime: ago(50), completionTime: null, verified: true }
  const said = [since(50, 'Progressing', 'True', 'ClusterOperatorUpdating', progress), ...conditions]
  return { ...rested, status: { ...status, desired: { version: '4.20.5', image }, history: [begun, ...history], conditions: said } }
}

const notBegun = (name: string) => aClusterOperator({ name })
const progressing = (name: string, minutes = 40) =>
  aClusterOperator({
    name,
    status: {
      versions: [{ name: 'operator', version: '4.20.3' }],
      conditions: [since(90, 'Available', 'True', ''), since(minutes, 'Progressing', 'True', 'Deploying', 'two of three')],
    },
  })

describe('an update of a classic cluster', () => {
  it('waits for the operators that its version operator names, not for those whose turn has not come', () => {
    const view = answer({
      clusterVersion: updating('Working towards 4.20.5: 110 of 862 done (12% complete), waiting on etcd'),
      operators: [progressing('etcd'), notBegun('dns'), notBegun('ingress')],
    })
    assert.deepEqual(paths(view), ['ClusterVersion version > ClusterOperator etcd [Deploying]'])
    assert.match(
      view.verdict,
      /^The upgrade to 4\.20\.5 has waited for 40m for ClusterOperator etcd: it has 4\.20\.3 and goes to 4\.20\.5: two of three\.$/,
    )
  })

  it('names an operator that is ill before one that only takes its time', () => {
    const ill = aClusterOperator({ name: 'network', status: { conditions: [since(9, 'Available', 'False', 'NoPods', 'none is there')] } })
    const view = answer({
      clusterVersion: updating('Working towards 4.20.5, waiting on etcd, network'),
      operators: [progressing('etcd', 3), ill],
    })
    assert.deepEqual(paths(view), [
      'ClusterVersion version > ClusterOperator network [NoPods]',
      'ClusterVersion version > ClusterOperator etcd [Deploying]',
    ])
  })

  it('tells what its version operator says where no operator explains it', () => {
    const failing = since(9, 'Failing', 'True', 'UpdatePayloadResourceInvalid', 'Could not update deployment')
    assert.deepEqual(paths(answer({ clusterVersion: updating('Unable to apply 4.20.5', failing) })), [
      'ClusterVersion version [UpdatePayloadResourceInvalid]',
    ])
  })
})

describe('machine config pools', () => {
  const mco = (notes: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(notes).map(([name, value]) => [`machineconfiguration.openshift.io/${name}`, value]))
  const behind = {
    machineCount: 3,
    updatedMachineCount: 1,
    conditions: [since(20, 'Updating', 'True', ''), since(20, 'Updated', 'False', '')],
  }

  it('that are paused while they are behind wait for somebody', () => {
    const pool = aMachineConfigPool({ spec: { paused: true }, status: { ...behind, conditions: [since(20, 'Updating', 'False', '')] } })
    const view = answer({ machineConfigPools: [pool] })
    assert.deepEqual(paths(view), ['ClusterVersion version > MachineConfigPool worker [Paused]'])
    assert.equal(view.chains[0]?.command, `kubectl patch machineconfigpool worker --type=merge -p '{"spec":{"paused":false}}'`)
  })

  it('lead from a node that is drained to the Pod and to its budget', () => {
    const annotations = mco({
      currentConfig: 'old',
      desiredConfig: 'new',
      state: 'Working',
      desiredDrain: 'drain-new',
      lastAppliedDrain: 'uncordon-old',
    })
    const node = aNode({ metadata: { name: 'worker-0', labels: { 'node-role.kubernetes.io/worker': '' }, annotations } })
    const labels = { app: 'checkout' }
    const pod = aPod({ node: 'worker-0', metadata: { name: 'checkout-0', namespace: 'shop', labels } })
    const budget = aPodDisruptionBudget({
      metadata: { name: 'checkout', namespace: 'shop' },
      spec: { selector: { matchLabels: labels }, minAvailable: '100%' },
      status: { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 1, desiredHealthy: 1, expectedPods: 1 },
    })
    const view = answer({
      machineConfigPools: [aMachineConfigPool({ status: behind })],
      guest: { ...noGuest, nodes: [node], pods: [pod], budgets: [budget] },
    })
    assert.deepEqual(paths(view), [
      'ClusterVersion version > MachineConfigPool worker [Updating] > Node worker-0 [Draining] > Pod checkout-0 [DisruptionBudget] > PodDisruptionBudget checkout [NeverAllowsDisruption]',
    ])
    assert.equal(view.chains[0]?.command, 'kubectl describe poddisruptionbudget -n shop checkout')
    assert.match(
      view.verdict,
      /^Cluster classic has waited for 20m for PodDisruptionBudget shop\/checkout: /,
      'as long as the pool has, whatever the age of the budget',
    )
  })

  it('without anything wrong go on', () => {
    const view = answer({ machineConfigPools: [aMachineConfigPool({ status: behind })] })
    assert.equal(view.verdict, 'Cluster classic goes on as usual. It waits for MachineConfigPool worker: 1 of 3 nodes have its config.')
    const impatient = decideCauses(aClassicEvidence({ machineConfigPools: [aMachineConfigPool({ status: behind })] }), now, 60_000)
    assert.match(impatient.verdict, /^Cluster classic takes longer than it may\. It waits for MachineConfigPool worker/)
  })
})

describe('a managed upgrade', () => {
  const condition = (type: string, status: 'True' | 'False', message: string) => ({ type, status, reason: '', message, startTime: ago(12) })
  const anUpgrade = (phase: 'Pending' | 'Upgrading' | 'Failed' | 'Upgraded', ...conditions: readonly ReturnType<typeof condition>[]) =>
    anUpgradeConfig({ spec: { upgradeAt: ago(15) }, status: { history: [{ version: '4.20.5', phase, conditions }] } })

  it('waits for its time', () => {
    const upgradeConfig = anUpgradeConfig({ status: { history: [{ version: '4.20.5', phase: 'Pending' }] } })
    assert.match(
      answer({ upgradeConfig }).verdict,
      /^The managed upgrade does not go on: its upgrade to 4\.20\.5 begins at 2026-01-02T00:00:00Z\.$/,
    )
  })

  it('that has not begun though its time has come leads to an update service that does not answer', () => {
    const rested = aClusterVersion()
    const conditions = [...(rested.status?.conditions ?? []), since(20, 'RetrievedUpdates', 'False', 'RemoteFailed', 'no answer')]
    const clusterVersion = { ...rested, status: { ...rested.status, conditions } } as ClusterVersion
    assert.deepEqual(paths(answer({ clusterVersion, upgradeConfig: anUpgrade('Pending') })), [
      'ClusterVersion version > UpgradeConfig managed-upgrade-config [Pending] > ClusterVersion version [RemoteFailed]',
    ])
  })

  it('tells of the step that is not done, with its own words', () => {
    const step = condition('ClusterHealthyBeforeUpgrade', 'False', 'critical alert(s) firing: EtcdDown')
    const view = answer({ upgradeConfig: anUpgrade('Upgrading', step, condition('StartedNotificationSent', 'True', '')) })
    assert.deepEqual(paths(view), ['ClusterVersion version > UpgradeConfig managed-upgrade-config [ClusterHealthyBeforeUpgrade]'])
    assert.match(view.chains[0]?.links[1]?.says ?? '', /EtcdDown/)
  })

  it('that waits for the control plane leaves the word to the version operator', () => {
    const step = condition('ControlPlaneUpgraded', 'False', 'ControlPlaneUpgraded still in progress')
    const view = answer({
      upgradeConfig: anUpgrade('Upgrading', step),
      clusterVersion: updating('Working towards 4.20.5, waiting on etcd'),
      operators: [progressing('etcd')],
    })
    assert.deepEqual(paths(view), ['ClusterVersion version > ClusterOperator etcd [Deploying]'])
  })

  it('that has failed says in which step', () => {
    const failed = condition('FailedUpgrade', 'True', 'the window is over')
    const step = condition('ExternalDependenciesAvailable', 'False', 'https://registry does not answer')
    const view = answer({ upgradeConfig: anUpgrade('Failed', failed, step) })
    assert.match(
      view.verdict,
      /its upgrade has failed: step ExternalDependenciesAvailable is not done: https:\/\/registry does not answer\.$/,
    )
  })

  it('that is done waits for nothing', () => assert.deepEqual(answer({ upgradeConfig: anUpgrade('Upgraded') }).chains, []))
})

describe('health insights', () => {
  it('are told where nothing else speaks of their object', () => {
    const insight = anUpdateHealthInsight()
    const { status } = insight
    const about = (name: string) =>
      anUpdateHealthInsight({
        status: {
          ...(status ?? assert.fail()),
          scope: { type: 'ControlPlane', resources: [{ group: 'config.openshift.io', resource: 'clusteroperators', name }] },
          impact: { level: 'Error', type: 'Update Stalled', summary: 'it stands still' },
        },
      })
    const operators = [progressing('etcd')]
    const clusterVersion = updating('Working towards 4.20.5, waiting on etcd')
    assert.deepEqual(paths(answer({ clusterVersion, operators, health: [about('etcd'), about('dns')] })), [
      'ClusterVersion version > ClusterOperator dns [Update Stalled]',
      'ClusterVersion version > ClusterOperator etcd [Deploying]',
    ])
  })
})
