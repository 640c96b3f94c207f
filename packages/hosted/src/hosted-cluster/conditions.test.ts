import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedCluster, HostedControlPlane, KubernetesObject } from '@windlass/api'
import { aCondition, aControlPlaneComponent, aDeployment } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import * as fc from 'fast-check'
import { deletionConditions, hostedClusterConditions } from './conditions.ts'
import { look } from './seen.ts'
import { aCompleteCluster, aControlPlane, annotated, aUserSecret, belongings, noon, observationOf, World } from './testing/index.ts'

/** What a cluster says, next to a control plane with these conditions, or next to none. */
function conditionsWith(
  controlPlane: HostedControlPlane | undefined,
  told: { readonly cluster?: HostedCluster; readonly objects?: readonly KubernetesObject[] } = {},
) {
  const cluster = told.cluster ?? aCompleteCluster()
  const objects = [...belongings, cluster, ...(controlPlane === undefined ? [] : [controlPlane]), ...(told.objects ?? [])]
  const conditions = hostedClusterConditions(look(observationOf(new World(objects)), noon))
  return (type: string): string | undefined => {
    const condition = findCondition(conditions, type)
    return condition === undefined ? undefined : `${condition.status} ${condition.reason}: ${condition.message}`
  }
}

type Conditions = NonNullable<NonNullable<HostedControlPlane['status']>['conditions']>
const saying = (...conditions: Conditions): HostedControlPlane => aControlPlane({ status: { ready: true, initialized: true, conditions } })

const copied = [
  'EtcdAvailable',
  'KubeAPIServerAvailable',
  'InfrastructureReady',
  'ExternalDNSReachable',
  'ValidHostedControlPlaneConfiguration',
  'ValidReleaseInfo',
  'ValidIDPConfiguration',
  'HostedClusterRestoredFromBackup',
  'DataPlaneConnectionAvailable',
  'ControlPlaneConnectionAvailable',
  'EtcdBackupSucceeded',
  'ConfigOperatorReconciliationSucceeded',
]

describe('conditions of a cluster', () => {
  it('L08 without a control plane say that it is not there', () => {
    const said = conditionsWith(undefined)
    assert.equal(said('Available'), 'False WaitingForAvailable: Waiting for hosted control plane to be healthy')
    assert.equal(said('Degraded'), 'Unknown StatusUnknown: The hosted control plane is not found')
    for (const type of copied) assert.equal(said(type), 'Unknown StatusUnknown: The hosted control plane is not found', type)
    for (const type of ['Succeeding', 'Progressing', 'ReleaseAccepted', 'Upgradeable', 'Available'])
      assert.equal(said(`ClusterVersion${type}`), 'Unknown StatusUnknown: Condition not found in the CVO.', type)
  })

  it('L09 give the reason of the control plane when it is not available', () => {
    const said = conditionsWith(saying(aCondition('Available', 'False', 'KASLoadBalancerNotReachable', 'connection refused')))
    assert.equal(said('Available'), 'False KASLoadBalancerNotReachable: connection refused')
  })

  it('L10 turn what fails into what succeeds, and leave unknown what is', () => {
    const failing = (status: 'True' | 'False' | 'Unknown') =>
      conditionsWith(saying(aCondition('ClusterVersionFailing', status, 'R', 'm')))('ClusterVersionSucceeding')
    assert.equal(failing('True'), 'False R: m')
    assert.equal(failing('False'), 'True R: m')
    assert.equal(failing('Unknown'), 'Unknown R: m')
  })

  it('L11 drop RetrievedUpdates when the control plane does not know it', () => {
    const cluster = aCompleteCluster({ status: { conditions: [aCondition('ClusterVersionRetrievedUpdates', 'True')] } })
    assert.equal(conditionsWith(saying(), { cluster })('ClusterVersionRetrievedUpdates'), undefined)
    const known = saying(aCondition('ClusterVersionRetrievedUpdates', 'False', 'NoChannel', 'none'))
    assert.equal(conditionsWith(known, { cluster })('ClusterVersionRetrievedUpdates'), 'False NoChannel: none')
  })

  it('copy what the control plane says, and say what it does not', () => {
    const said = conditionsWith(saying(aCondition('EtcdAvailable', 'False', 'EtcdWaitingForQuorum', 'one of three')))
    assert.equal(said('EtcdAvailable'), 'False EtcdWaitingForQuorum: one of three')
    assert.equal(said('ValidReleaseInfo'), 'Unknown StatusUnknown: Condition not found in the HCP')
  })

  it('copy some only when they are there', () => {
    for (const type of [
      'EtcdDataEncryptionUpToDate',
      'ValidAWSKMSConfig',
      'AWSDefaultSecurityGroupCreated',
      'ValidKubeVirtInfraNetworkMTU',
    ]) {
      assert.equal(conditionsWith(saying())(type), undefined, type)
      assert.equal(conditionsWith(saying(aCondition(type, 'True', 'R', 'm')))(type), 'True R: m', type)
    }
  })

  it('show what keeps the control plane from being made, as the pass before has found it', () => {
    const cluster = aCompleteCluster({ status: { conditions: [aCondition('Progressing', 'False', 'Blocked', 'the release is gone')] } })
    assert.equal(conditionsWith(undefined, { cluster })('Available'), 'False WaitingForAvailable: the release is gone')
  })

  it('say in their own words that all is well', () => {
    const said = conditionsWith(saying(aCondition('Available', 'True', 'Other', 'x'), aCondition('Degraded', 'False', 'AsExpected', 'x')))
    assert.equal(said('Available'), 'True AsExpected: The hosted control plane is available')
    assert.equal(said('Degraded'), 'False AsExpected: The hosted cluster is not degraded')
  })

  it('watch the server of first configurations', () => {
    const server = (status: 'True' | 'False') =>
      aDeployment({ name: 'ignition-server', status: { conditions: [aCondition('Available', status)] } })
    const said = (...objects: readonly KubernetesObject[]) => conditionsWith(undefined, { objects })('IgnitionEndpointAvailable')
    assert.equal(said(), 'False NotFound: Ignition server deployment not found')
    assert.equal(said(server('False')), 'False WaitingForAvailable: Ignition server deployment is not yet available')
    assert.equal(said(server('True')), 'True AsExpected: Ignition server deployment is available')
  })

  it('check the Secret for an etcd that somebody else runs, and only then', () => {
    const spec = {
      etcd: { managementType: 'Unmanaged', unmanaged: { endpoint: 'https://etcd', tls: { clientSecret: { name: 'tls' } } } },
    } as const
    const cluster = aCompleteCluster({ spec })
    const said = (...objects: readonly KubernetesObject[]) => conditionsWith(undefined, { cluster, objects })('UnmanagedEtcdAvailable')
    assert.equal(conditionsWith(undefined)('UnmanagedEtcdAvailable'), undefined)
    assert.equal(said(), 'False UnmanagedEtcdMisconfigured: missing TLS client secret tls')
    const partial = aUserSecret('tls', { 'etcd-client.crt': 'x' })
    assert.equal(said(partial), 'False UnmanagedEtcdMisconfigured: etcd secret tls does not have etcd-client.key, etcd-client-ca.crt')
    const whole = aUserSecret('tls', { 'etcd-client.crt': 'x', 'etcd-client.key': 'x', 'etcd-client-ca.crt': 'x' })
    assert.match(said(whole) ?? '', /^True UnmanagedEtcdAsExpected/)
  })

  it('follow the components that make nodes to measure', () => {
    const autoNode = { provisionerConfig: { name: 'Karpenter', karpenter: { platform: 'AWS', aws: { roleARN: 'arn' } } } } as const
    const cluster = aCompleteCluster({ spec: { autoNode } })
    const said = (...objects: readonly KubernetesObject[]) => conditionsWith(undefined, { cluster, objects })('AutoNodeEnabled')
    const done = ['karpenter-operator', 'karpenter'].map((name) => aControlPlaneComponent({ name }))
    assert.match(said() ?? '', /^False AutoNodeProgressing: AutoNode is being enabled/)
    assert.equal(said(...done), 'True AsExpected: AutoNode is ready')
    const off = conditionsWith(undefined, { objects: [aDeployment({ name: 'karpenter' })] })('AutoNodeEnabled')
    assert.match(off ?? '', /^False AutoNodeProgressing: AutoNode is being disabled/)
    assert.match(conditionsWith(undefined)('AutoNodeEnabled') ?? '', /^False AutoNodeNotConfigured/)
  })

  it('are judged from the present generation', () => {
    const cluster = aCompleteCluster({ metadata: { generation: 7, finalizers: ['hypershift.openshift.io/finalizer'] } })
    const conditions = hostedClusterConditions(look(observationOf(new World([...belongings, cluster])), noon))
    assert.deepEqual([...new Set(conditions.map(({ observedGeneration }) => observedGeneration))], [7])
  })

  it('W6 never lose those of others, whatever the control plane says', () => {
    const status = fc.constantFrom('True', 'False', 'Unknown')
    const condition = (type: string) => status.map((value) => aCondition(type, value, 'R', 'm'))
    const types = [
      'Available',
      'Degraded',
      'ClusterVersionFailing',
      'ClusterVersionRetrievedUpdates',
      'EtcdAvailable',
      'CloudResourcesDestroyed',
    ]
    const some = fc.subarray(types).chain((chosen) => fc.tuple(...chosen.map(condition)))
    const foreign = fc.uniqueArray(fc.constantFrom('Theirs', 'ControlPlaneUpToDate', 'PublicEndpointExposed'))
    fc.assert(
      fc.property(foreign, some, some, fc.boolean(), (theirs, before, said, isThere) => {
        const kept = theirs.map((type) => aCondition(type, 'Unknown', 'Theirs', 'kept'))
        const cluster = aCompleteCluster({ status: { conditions: [...kept, ...before] } })
        const objects = [...belongings, cluster, ...(isThere ? [saying(...said)] : [])]
        const seen = look(observationOf(new World(objects)), noon)
        for (const conditions of [hostedClusterConditions(seen), deletionConditions(seen)]) {
          for (const condition of kept) assert.equal(findCondition(conditions, condition.type), condition)
          assert.equal(new Set(conditions.map(({ type }) => type)).size, conditions.length)
        }
      }),
      { seed: 1 },
    )
  })
})

describe('while a control plane is going', () => {
  const going = (...conditions: Conditions): HostedControlPlane =>
    aControlPlane({
      metadata: { deletionTimestamp: '2026-03-06T11:00:00Z', finalizers: ['hypershift.openshift.io/finalizer'] },
      status: { ready: false, initialized: true, conditions },
    })

  it('its cluster tells what becomes of its cloud, and only when the message is a new one', () => {
    const before = aCondition('CloudResourcesDestroyed', 'False', 'R', 'three load balancers left')
    const cluster = aCompleteCluster({ status: { conditions: [before] } })
    const said = (message: string) =>
      conditionsWith(going(aCondition('CloudResourcesDestroyed', 'Unknown', 'Other', message)), { cluster })('CloudResourcesDestroyed')
    assert.equal(said('three load balancers left'), 'False R: three load balancers left')
    assert.equal(said('one load balancer left'), 'Unknown Other: one load balancer left')
  })

  it('nothing is said of the cloud while it stays', () => {
    assert.equal(conditionsWith(saying(aCondition('CloudResourcesDestroyed', 'True')))('CloudResourcesDestroyed'), undefined)
  })

  it('identities are told on AWS only', () => {
    const identity = aCondition('ValidAWSIdentityProvider', 'False', 'InvalidIdentityProvider', 'gone')
    assert.equal(conditionsWith(going(identity))('ValidAWSIdentityProvider'), undefined)
    const cluster = aCompleteCluster({ ...annotated({}), spec: { platform: { type: 'AWS' } } })
    assert.equal(conditionsWith(going(identity), { cluster })('ValidAWSIdentityProvider'), 'False InvalidIdentityProvider: gone')
  })
})
