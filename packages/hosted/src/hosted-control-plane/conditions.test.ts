import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aCondition, aControlPlaneComponent, aDeployment, aHostedControlPlane, aStatefulSet } from '@windlass/api/fixtures'
import { findCondition } from '@windlass/core'
import * as fc from 'fast-check'
import { failed, found } from '../hosted-cluster/lookup.ts'
import { noon } from '../hosted-cluster/testing/index.ts'
import type { Verdict } from '../hosted-cluster/verdict.ts'
import { availability } from './availability.ts'
import type { AvailabilityFacts } from './availability.ts'
import { controlPlaneHealth } from './conditions.ts'
import type { ObservedHealth } from './conditions.ts'
import * as health from './health.ts'

const said = ({ status, reason, message }: Verdict): string => `${status} ${reason}: ${message}`
const word = ({ status, reason }: Verdict): string => `${status} ${reason}`
const well: Verdict = { status: 'True', reason: 'AsExpected', message: '' }
const amiss = (reason: string): Verdict => ({ status: 'False', reason, message: 'm' })
const endpoint = (service: string, told: Partial<health.Endpoint> = {}): health.Endpoint => ({
  service,
  isNeeded: true,
  host: 'h',
  port: 1,
  ...told,
})

const fine: AvailabilityFacts = {
  infrastructure: well,
  etcd: well,
  apiServer: well,
  hasKubeconfig: true,
  health: found(true),
  isAvailable: false,
  components: found([aControlPlaneComponent()]),
}
const broken = aControlPlaneComponent({ status: { conditions: [aCondition('Available', 'False')] } })

describe('etcd', () => {
  const etcd = (replicas: number, readyReplicas: number) =>
    aStatefulSet({ spec: { replicas }, status: { replicas, ...(readyReplicas === 0 ? {} : { readyReplicas }) } })
  const hcp = aHostedControlPlane()

  it('L35 needs a majority of its members', () => {
    assert.equal(word(health.etcdAvailable(hcp, etcd(3, 1))), 'False EtcdWaitingForQuorum')
    assert.equal(word(health.etcdAvailable(hcp, etcd(3, 2))), 'True QuorumAvailable')
    assert.equal(word(health.etcdAvailable(hcp, etcd(1, 1))), 'True QuorumAvailable')
    assert.equal(word(health.etcdAvailable(hcp, etcd(1, 0))), 'False EtcdWaitingForQuorum')
  })
  it('must be there, unless somebody else runs it', () => {
    assert.equal(word(health.etcdAvailable(hcp, undefined)), 'False StatefulSetNotFound')
    const unmanaged = aHostedControlPlane({ spec: { etcd: { managementType: 'Unmanaged' } } })
    assert.equal(word(health.etcdAvailable(unmanaged, undefined)), 'True EtcdRunning')
  })
})

describe('the other parts', () => {
  it('the API server is judged by its Deployment', () => {
    const of = (conditions: ReturnType<typeof aCondition>[]) => word(health.kubeApiServerAvailable(aDeployment({ status: { conditions } })))
    assert.equal(word(health.kubeApiServerAvailable(undefined)), 'False NotFound')
    assert.equal(of([]), 'False StatusUnknown')
    assert.equal(of([aCondition('Available', 'False')]), 'False WaitingForAvailable')
    assert.equal(of([aCondition('Available', 'True')]), 'True AsExpected')
  })

  it('missing replicas are told by name', () => {
    const lacking = (name: string, unavailableReplicas: number) => aDeployment({ name, status: { unavailableReplicas } })
    assert.equal(
      said(health.degraded([lacking('z', 2), aDeployment(), lacking('a', 1)])),
      'True UnavailableReplicas: a deployment has 1 unavailable replicas, z deployment has 2 unavailable replicas',
    )
    assert.equal(word(health.degraded([aDeployment()])), 'False AsExpected')
  })

  it('the infrastructure is ready when every way in that is needed is known', () => {
    const of = (...endpoints: readonly health.Endpoint[]) => health.infrastructureReady(found(endpoints))
    assert.equal(word(of(endpoint('APIServer'), endpoint('OAuthServer', { isNeeded: false, host: undefined }))), 'True AsExpected')
    assert.equal(
      said(of(endpoint('APIServer', { port: undefined }), endpoint('Konnectivity'))),
      'False WaitingOnInfrastructureReady: Cluster infrastructure is still provisioning: APIServer',
    )
    assert.equal(said(of(endpoint('APIServer', { host: '', message: 'no quota' }))), 'False WaitingOnInfrastructureReady: no quota')
    assert.equal(said(health.infrastructureReady(failed('no answer'))), 'Unknown InfraStatusFailure: no answer')
  })

  it('a name outside must resolve, if there is one', () => {
    assert.equal(word(health.externalDnsReachable(undefined, failed('x'))), 'Unknown StatusUnknown')
    assert.equal(
      said(health.externalDnsReachable('api.example.com', failed('no such host'))),
      'False ExternalDNSHostNotReachable: no such host',
    )
    assert.equal(word(health.externalDnsReachable('api.example.com', found(true))), 'True AsExpected')
  })

  it('missing images are told', () => {
    assert.equal(word(health.validReleaseInfo([])), 'True AsExpected')
    assert.equal(said(health.validReleaseInfo(['b', 'a'])), 'False MissingReleaseImages: the release has no images named a, b')
  })

  it('Routes need a management cluster that serves them', () => {
    assert.equal(word(health.validHostedControlPlaneConfiguration(aHostedControlPlane(), false)), 'False InsufficientClusterCapabilities')
    assert.equal(word(health.validHostedControlPlaneConfiguration(aHostedControlPlane(), true)), 'True AsExpected')
  })
})

describe('availability, row by row', () => {
  const rows: readonly (readonly [name: string, told: Partial<AvailabilityFacts>, expected: string])[] = [
    ['nothing is known', { infrastructure: undefined, etcd: undefined, apiServer: undefined }, 'False StatusUnknown'],
    ['the infrastructure is not ready', { infrastructure: amiss('WaitingOnInfrastructureReady') }, 'False WaitingOnInfrastructureReady'],
    ['an infrastructure of which nothing is known does not count', { infrastructure: undefined }, 'True AsExpected'],
    ['there is no kubeconfig', { hasKubeconfig: false }, 'False KubeconfigWaitingForCreate'],
    ['etcd is not available', { etcd: amiss('EtcdWaitingForQuorum') }, 'False EtcdWaitingForQuorum'],
    ['the API server is not available', { apiServer: amiss('NotFound') }, 'False NotFound'],
    ['L09 its address does not answer', { health: failed('connection refused') }, 'False KASLoadBalancerNotReachable'],
    [
      'its address does not answer any more',
      { health: failed('connection refused'), isAvailable: true },
      'False KASLoadBalancerNotReachable',
    ],
    ['components cannot be listed', { components: failed('x') }, 'False ComponentsNotAvailable'],
    ['L37 there are no components yet', { components: found([]) }, 'False ComponentsNotAvailable'],
    ['a component is not available', { components: found([broken]) }, 'False ComponentsNotAvailable'],
    ['L36 a component breaks later', { components: found([broken]), isAvailable: true }, 'True AsExpected'],
    ['all is well', {}, 'True AsExpected'],
  ]
  for (const [name, told, expected] of rows) it(name, () => assert.equal(word(availability({ ...fine, ...told })), expected))
})

describe('all conditions of a look', () => {
  const conditions = [aCondition('Theirs', 'Unknown'), aCondition('Available', 'True')]
  const observed: ObservedHealth = {
    controlPlane: aHostedControlPlane({
      metadata: { generation: 5 },
      status: { ready: true, initialized: true, conditions, kubeConfig: { name: 'k', key: 'k' } },
    }),
    etcd: aStatefulSet(),
    kubeApiServer: aDeployment(),
    deployments: [aDeployment()],
    components: found([broken]),
    endpoints: found([endpoint('APIServer')]),
    externalName: { hostname: undefined, lookup: failed('not asked') },
    health: found(true),
    servesRoutes: true,
    missingImages: [],
  }

  it('L36 keep a control plane available of which a component is not', () => {
    const { conditions: after, ready } = controlPlaneHealth(observed, noon)
    assert.equal(findCondition(after, 'Available')?.status, 'True')
    assert.equal(ready, true)
  })

  it('come with the generation, next to those of others, and are the same list the second time', () => {
    const { conditions: after } = controlPlaneHealth(observed, noon)
    assert.equal(after[0], conditions[0])
    assert.equal(findCondition(after, 'EtcdAvailable')?.observedGeneration, 5)
    const { controlPlane } = observed
    const again = {
      ...observed,
      controlPlane: { ...controlPlane, status: { ready: true, initialized: true, ...controlPlane.status, conditions: after } },
    }
    assert.equal(controlPlaneHealth(again, noon + 60_000).conditions, after)
  })

  it('say nothing about images before components have run', () => {
    assert.equal(
      findCondition(controlPlaneHealth({ ...observed, missingImages: undefined }, noon).conditions, 'ValidReleaseInfo'),
      undefined,
    )
  })

  it('W6 never lose one of others', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.constantFrom('A', 'B', 'ClusterVersionAvailable', 'CVOScaledDown')), (types) => {
        const theirs = types.map((type) => aCondition(type, 'False'))
        const controlPlane = aHostedControlPlane({ status: { ready: true, initialized: true, conditions: theirs } })
        const { conditions: after } = controlPlaneHealth({ ...observed, controlPlane }, noon)
        for (const condition of theirs) assert.ok(after.includes(condition))
      }),
      { seed: 1 },
    )
  })
})
