import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ClusterRole, ClusterRoleBinding, HostedCluster, Namespace, NetworkPolicy, Role } from '@windlass/api'
import type { KubernetesObject } from '@windlass/api'
import { aNamespace, aNetworkPolicy } from '@windlass/api/fixtures'
import { seededRandom } from '@windlass/core'
import * as fc from 'fast-check'
import { capiClusterActions } from './cluster-api.ts'
import { drawIdentifiers, infraIDFor } from './identifiers.ts'
import { infrastructureActions, infrastructureOf } from './infrastructure.ts'
import { overlap, parseCidr } from './ip.ts'
import { namespaceOperation } from './namespace.ts'
import { controlPlaneNamespaceOf } from './namespace-name.ts'
import { networkPolicies } from './network-policies.ts'
import { platformCredentials } from './credentials.ts'
import { aggregate } from './problems.ts'
import { registry } from '../components/index.ts'
import { serviceAccountOf } from '../components/pod-template.ts'
import { kubevirtStorageAccess, rbac } from './rbac.ts'
import { aCompleteCluster, aControlPlane, annotated, home, management, noon, observationOf, unreachable, World } from './testing/index.ts'
import type { Told } from './testing/index.ts'

type Spec = HostedCluster['spec']

describe('names', () => {
  it('L01 of namespaces follow from those of clusters', () => {
    const of = (namespace: string, name: string) => controlPlaneNamespaceOf(aCompleteCluster({ namespace, name }))
    assert.equal(of('clusters', 'my.hc'), 'clusters-my-hc')
    assert.equal(of('a-b', 'c'), of('a', 'b-c'))
    assert.equal(of('x', 'a.b'), of('x', 'a-b'))
  })

  it('of infrastructures are short, tidy and never given twice', () => {
    assert.equal(infraIDFor('prod', 'abcde'), 'prod-abcde')
    assert.equal(infraIDFor('my.hc', 'abcde'), 'my-hc-abcde')
    assert.equal(infraIDFor('a...b--c', 'abcde'), 'a-b-c-abcde')
    assert.equal(infraIDFor('a-name-of-twenty-one-c-and-more', 'abcde'), 'a-name-of-twenty-one-abcde')
    const name = fc.stringMatching(/^[a-z0-9]([-.a-z0-9]{0,50}[a-z0-9])?$/)
    fc.assert(
      fc.property(name, fc.nat(), (text, seed) => {
        const id = infraIDFor(text, drawIdentifiers(seededRandom(seed)).infraSuffix)
        assert.match(id, /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/)
        assert.ok(id.length <= 27)
      }),
      { seed: 1 },
    )
  })

  it('that are drawn follow from the seed', () => {
    assert.deepEqual(drawIdentifiers(seededRandom(1)), drawIdentifiers(seededRandom(1)))
    const { clusterID, generateID, encryptionKey } = drawIdentifiers(seededRandom(1))
    assert.match(clusterID, /^[0-9a-f-]{36}$/)
    assert.match(generateID, /^[a-z0-9]{10}$/)
    assert.equal(Buffer.from(encryptionKey, 'base64').length, 32)
  })
})

describe('ranges of addresses', () => {
  it('are read strictly', () => {
    for (const text of ['10.0.0.0', '10.0.0.0/33', '10.0.0/8', 'fd00::/129', '10.0.0.0/8/8', 'example.com/8', '10.0.0.0/'])
      assert.equal(parseCidr(text), undefined, text)
    assert.equal(parseCidr('fd01::/48')?.contains('fd01::5'), true)
    assert.equal(parseCidr('10.0.0.0/8')?.contains('fd01::5'), false)
  })

  it('overlap whichever is named first, and only with an address in common', () => {
    const byte = fc.nat(255)
    const cidr = fc
      .tuple(byte, byte, byte, byte, fc.nat(32))
      .map(([a, b, c, d, prefix]) => ({ value: ((a * 256 + b) * 256 + c) * 256 + d, prefix, text: `${a}.${b}.${c}.${d}/${prefix}` }))
    fc.assert(
      fc.property(cidr, cidr, (a, b) => {
        const [one, other] = [parseCidr(a.text), parseCidr(b.text)]
        assert.ok(one !== undefined && other !== undefined)
        const size = 2 ** (32 - Math.min(a.prefix, b.prefix))
        assert.equal(overlap(one, other), Math.floor(a.value / size) === Math.floor(b.value / size))
        assert.equal(overlap(one, other), overlap(other, one))
      }),
      { seed: 1 },
    )
  })
})

describe('the namespace of a control plane', () => {
  const labelsOf = (told: Told, annotations: Record<string, string> = {}, ...objects: readonly KubernetesObject[]) => {
    const world = new World([aCompleteCluster(annotated(annotations)), ...objects])
    const { actions, problems } = namespaceOperation(observationOf(world, told))
    world.carryOut(actions, noon)
    return { labels: world.find(Namespace, { name: 'clusters-prod' })?.metadata.labels ?? {}, problems }
  }
  const enforce = 'pod-security.kubernetes.io/enforce'

  it('lets pods do what its operator needs', () => {
    assert.equal(labelsOf({}).labels[enforce], 'privileged')
    const operatorImage = { is: 'found', value: { image: 'x', labels: { 'io.openshift.hypershift.restricted-psa': 'true' } } } as const
    assert.equal(labelsOf({ operatorImage }).labels[enforce], 'restricted')
    assert.equal(labelsOf({}, { 'hypershift.openshift.io/pod-security-admission-label-override': 'baseline' }).labels[enforce], 'baseline')
  })

  it('keeps its level while the image of the operator cannot be looked at; a new one starts with the strictest', () => {
    const told = unreachable === undefined ? {} : { operatorImage: unreachable }
    assert.equal(labelsOf(told).labels[enforce], 'restricted')
    const live = { ...home, metadata: { ...home.metadata, labels: { [enforce]: 'privileged' } } }
    const { labels, problems } = labelsOf(told, {}, live)
    assert.equal(labels[enforce], 'privileged')
    assert.equal(labels['hypershift.openshift.io/hosted-control-plane'], 'true')
    assert.match(problems.join(), /failed to look up the image of the control plane operator/)
  })

  it('is looked into by monitoring where that is on', () => {
    assert.equal(labelsOf({ management: { ...management, isMonitored: true } }).labels['openshift.io/cluster-monitoring'], 'true')
    assert.equal('openshift.io/cluster-monitoring' in labelsOf({}).labels, false)
  })
})

describe('network policies', () => {
  const policiesOf = (spec: Partial<Spec>, ...objects: readonly KubernetesObject[]) => {
    const world = new World([home, aCompleteCluster({ spec }), ...objects])
    world.carryOut(networkPolicies(observationOf(world)), noon)
    assert.deepEqual(networkPolicies(observationOf(world)), [])
    return world.list(NetworkPolicy)
  }
  const namesOf = (spec: Partial<Spec>, ...objects: readonly KubernetesObject[]) =>
    policiesOf(spec, ...objects)
      .map(({ metadata }) => metadata.name ?? '')
      .toSorted()
  const always = ['kas', 'openshift-ingress', 'openshift-monitoring', 'same-namespace']
  const service = (name: Spec['services'][number]['service'], type: 'NodePort' | 'LoadBalancer') => ({
    service: name,
    servicePublishingStrategy: type === 'NodePort' ? { type, nodePort: { address: '192.0.2.1' } } : { type },
  })

  it('depend on the platform', () => {
    assert.deepEqual(namesOf({ platform: { type: 'None' } }), always)
    assert.deepEqual(namesOf({ platform: { type: 'KubeVirt' } }), [...always, 'virt-launcher'])
    assert.deepEqual(namesOf({ platform: { type: 'AWS' } }), [
      'kas',
      'management-kas',
      'openshift-ingress',
      'openshift-monitoring',
      'private-router',
      'same-namespace',
    ])
    assert.ok(namesOf({ platform: { type: 'Azure' } }).includes('private-router'))
  })

  it('are for the router that there is', () => {
    const policy = policiesOf({ platform: { type: 'AWS' } }).find(({ metadata }) => metadata.name === 'private-router')
    assert.deepEqual(policy?.spec?.podSelector, { matchLabels: { 'hypershift.openshift.io/control-plane-component': 'router' } })
  })

  it('open the ports of services that nodes publish', () => {
    const services = [service('OAuthServer', 'NodePort'), service('Ignition', 'NodePort'), service('Konnectivity', 'NodePort')]
    const names = ['nodeport-ignition', 'nodeport-ignition-proxy', 'nodeport-konnectivity', 'nodeport-konnectivity-kas', 'nodeport-oauth']
    assert.deepEqual(
      namesOf({ platform: { type: 'None' }, services }).filter((name) => name.startsWith('nodeport')),
      names,
    )
    assert.ok(namesOf({ services: [service('OAuthServer', 'LoadBalancer')] }).includes('loadbalancer-oauth'))
  })

  it('close the way of the management ingress when the control plane serves its Routes itself', () => {
    const services = [
      { service: 'APIServer', servicePublishingStrategy: { type: 'Route', route: { hostname: 'api.example.com' } } },
    ] as const
    const names = namesOf({ platform: { type: 'None' }, services }, aNetworkPolicy({ name: 'openshift-ingress' }))
    assert.deepEqual(names, ['kas', 'openshift-monitoring', 'same-namespace'])
  })

  it('keep virtual machines of the guest away from the management cluster', () => {
    const services = [service('APIServer', 'NodePort')]
    const policy = policiesOf({ services }).find(({ metadata }) => metadata.name === 'virt-launcher')
    const [first, nodes] = policy?.spec.egress ?? []
    assert.deepEqual(first?.to?.[0], { ipBlock: { cidr: '0.0.0.0/0', except: ['10.128.0.0/14', '172.30.0.0/16'] } })
    assert.deepEqual(nodes?.to, [{ ipBlock: { cidr: '192.0.2.1/32' } }])
  })
})

describe('Cluster API', () => {
  it('knows the cluster on every platform but None', () => {
    const kinds = (['AWS', 'Azure', 'IBMCloud', 'KubeVirt', 'PowerVS', 'None'] as const).map(
      (type) => infrastructureOf(aCompleteCluster({ spec: { platform: { type } } }), 'ignition')?.kind.kind,
    )
    assert.deepEqual(kinds, ['AWSCluster', 'AzureCluster', 'IBMVPCCluster', 'KubevirtCluster', 'IBMPowerVSCluster', undefined])
  })

  it('does not know Agent machines before they have something to boot from', () => {
    const agent = aCompleteCluster({ spec: { platform: { type: 'Agent', agent: { agentNamespace: 'agents' } } } })
    const world = new World([home, agent])
    assert.deepEqual(capiClusterActions(observationOf(world), undefined), [])
    assert.equal(infrastructureOf(agent, 'ignition.example.com')?.kind.kind, 'AgentCluster')
    const [action] = infrastructureActions(world, agent, aControlPlane(), 'ignition.example.com')
    assert.ok(action?.do === 'ensure')
    assert.deepEqual(Reflect.get(action.object, 'spec'), {
      ignitionEndpoint: {
        url: 'https://ignition.example.com/ignition',
        caCertificateReference: { name: 'ignition-server-ca-cert', namespace: 'clusters-prod' },
      },
      controlPlaneEndpoint: { host: 'api.prod.example.com', port: 6443 },
    })
  })

  it('is told that the infrastructure is ready', () => {
    const world = new World([home, aCompleteCluster()])
    const act = (): void => world.carryOut(infrastructureActions(world, aCompleteCluster(), aControlPlane(), undefined), noon)
    act()
    act()
    const [made] = world.list({
      group: '',
      version: '',
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1alpha1',
      kind: 'KubevirtCluster',
      plural: '',
      scope: 'Namespaced',
      hasStatusSubresource: true,
    })
    assert.equal(made?.metadata.name, 'prod-7k2xq')
    assert.equal(made.metadata.annotations?.['cluster.x-k8s.io/managed-by'], 'external')
    assert.deepEqual(Reflect.get(made, 'status'), { ready: true })
    const count = world.writes.length
    act()
    assert.equal(world.writes.length, count)
  })

  it('is left alone where there is no such provider', () => {
    const world = new World([home, aCompleteCluster()], ['KubevirtCluster'])
    assert.deepEqual(infrastructureActions(world, aCompleteCluster(), aControlPlane(), undefined), [])
  })
})

describe('rights', () => {
  it('are given where the management cluster has the namespaces for them', () => {
    const world = new World([home, aCompleteCluster(), aNamespace({ name: 'openshift-ingress' })])
    world.carryOut(rbac(observationOf(world)), noon)
    assert.deepEqual(
      world.list(Role).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      ['openshift-ingress/control-plane-operator-clusters-prod'],
    )
    assert.deepEqual(
      [...world.list(ClusterRole), ...world.list(ClusterRoleBinding)].map(({ metadata }) => metadata.name),
      ['clusters-prod-cluster-api', 'clusters-prod-cluster-api'],
    )
    assert.deepEqual(rbac(observationOf(world)), [])
  })

  it('on volumes are those of the account that storage of KubeVirt guests runs as', () => {
    const world = new World([home, aCompleteCluster({ spec: { platform: { type: 'KubeVirt' } } })])
    world.carryOut(kubevirtStorageAccess(observationOf(world)), noon)
    const runsAs = serviceAccountOf(registry.get('kubevirt-csi-controller') ?? assert.fail())
    assert.deepEqual(
      world.list(ClusterRoleBinding).flatMap(({ subjects = [] }) => subjects.map(({ name }) => name)),
      [runsAs],
    )
  })

  it('for Agent machines lie in their namespace', () => {
    const spec = { platform: { type: 'Agent', agent: { agentNamespace: 'agents' } } } as const
    const world = new World([home, aCompleteCluster({ spec }), aNamespace({ name: 'agents' })])
    world.carryOut(platformCredentials(observationOf(world)).actions, noon)
    assert.deepEqual(
      world.list(Role).map(({ metadata }) => `${metadata.namespace}/${metadata.name}`),
      ['agents/capi-provider-role-clusters-prod'],
    )
  })
})

describe('the error of a pass', () => {
  const problem = (message: string, isCritical: boolean) => ({ operation: 'x', isCritical, message })

  it('is none when nothing is wrong', () => assert.equal(aggregate([], []), undefined))
  it('has all that is wrong while nothing is critical', () => {
    assert.equal(aggregate([problem('a', false)], []), 'a')
    assert.equal(aggregate([problem('a', false), problem('b', false)], []), '[a, b]')
  })
  it('has only what is critical, and what is blocked by it', () => {
    assert.equal(aggregate([problem('a', false), problem('b', true)], ['Y', 'X']), 'critical error: b; blocked operations: [X, Y]')
  })
})
