import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aHostedControlPlane } from '@windlass/api/fixtures'
import { never } from './predicates.ts'
import { componentsOf, formerEtcdShards, registry } from './registry.ts'
import { RegistryError, registryOf } from './registry-of.ts'
import { deployment, tombstone } from './rows.ts'
import { templateNames } from './templates/index.ts'

/** The specification's table: name, kind, explicit dependencies, exempt. D, S, J and C are kinds; `oapi` is openshift-apiserver. */
const specified = `
  control-plane-pki-operator D - no
  etcd S - yes
  featuregate-generator J - yes
  kube-apiserver D etcd,featuregate-generator no
  kube-controller-manager D - no
  kube-scheduler D - no
  openshift-apiserver D - no
  openshift-oauth-apiserver D oapi no
  cluster-autoscaler D - no
  cluster-version-operator D oapi no
  openshift-controller-manager D oapi no
  oauth-openshift D oapi no
  openshift-route-controller-manager D oapi no
  cluster-policy-controller D oapi no
  hosted-cluster-config-operator D - no
  aws-cloud-controller-manager D - no
  azure-cloud-controller-manager D - no
  kubevirt-cloud-controller-manager D - no
  openstack-cloud-controller-manager D - no
  powervs-cloud-controller-manager D - no
  gcp-cloud-controller-manager D - no
  cloud-credential-operator D oapi no
  cluster-storage-operator D oapi no
  kubevirt-csi-controller D - no
  cluster-network-operator D oapi no
  cluster-node-tuning-operator D oapi no
  dns-operator D oapi no
  machine-approver D - no
  aws-node-termination-handler D - no
  ingress-operator D oapi no
  csi-snapshot-controller-operator D oapi no
  cluster-image-registry-operator D oapi no
  konnectivity-agent D kube-apiserver no
  ignition-server D - yes
  ignition-server-proxy D ignition-server yes
  endpoint-resolver D - no
  metrics-proxy D endpoint-resolver no
  router D ignition-server yes
  kube-storage-version-migrator D - no
  catalog-operator D - no
  olm-operator D - no
  packageserver D - no
  olm-collect-profiles C - no
  redhat-operators-catalog D oapi no
  community-operators-catalog D oapi no
  certified-operators-catalog D oapi no
  control-plane-operator D - yes
  cluster-api D - yes
  capi-provider D - yes
  karpenter-operator D - yes
  karpenter D karpenter-operator yes
`
  .trim()
  .split('\n')
  .map((line) => line.trim())

const letters = { Deployment: 'D', StatefulSet: 'S', Job: 'J', CronJob: 'C' }

describe('the registry', () => {
  const living = registry.components.filter(({ isEnabled }) => isEnabled !== never)

  it('3.8 has the components of the specification, in its order, with its kinds, dependencies and exemptions', () => {
    const rows = living.map(({ name, workload, dependsOn, isExempt }) => {
      const dependencies = dependsOn.map((dependency) => (dependency === 'openshift-apiserver' ? 'oapi' : dependency)).join(',')
      return `${name} ${letters[workload]} ${dependencies || '-'} ${isExempt ? 'yes' : 'no'}`
    })
    assert.deepEqual(rows, specified)
  })

  it('3.8 says who runs a component', () => {
    const hcp = aHostedControlPlane()
    const names = (runBy: Parameters<typeof componentsOf>[1]) => componentsOf(hcp, runBy).map(({ name }) => name)
    assert.equal(names('hosted-control-plane').length, 47, '46 and one tombstone')
    assert.deepEqual(names('hosted-cluster'), ['control-plane-operator', 'cluster-api', 'capi-provider', 'karpenter-operator'])
    assert.deepEqual(names('karpenter-operator'), ['karpenter'])
  })

  it('3.4 knows which components answer requests, and without which the API is down', () => {
    const named = (is: 'isRequestServing' | 'isApiCritical') => living.filter((component) => component[is]).map(({ name }) => name)
    assert.deepEqual(named('isRequestServing').toSorted(), [
      'ignition-server-proxy',
      'kube-apiserver',
      'metrics-proxy',
      'oauth-openshift',
      'router',
    ])
    assert.deepEqual(named('isApiCritical').toSorted(), [
      'kube-apiserver',
      'oauth-openshift',
      'openshift-apiserver',
      'openshift-oauth-apiserver',
      'packageserver',
      'router',
    ])
  })

  it('has shards of etcd right after etcd, as the control plane names them', () => {
    const base = aHostedControlPlane()
    const managed = { ...base.spec.etcd.managed, shards: [{ name: 'events' }, { name: 'leases' }] }
    const hcp = { ...base, spec: { ...base.spec, etcd: { ...base.spec.etcd, managed } } } as typeof base
    const components = componentsOf(hcp, 'hosted-control-plane')
    assert.deepEqual(
      components.slice(1, 5).map(({ name, workload, isExempt }) => [name, workload, isExempt]),
      [
        ['etcd', 'StatefulSet', true],
        ['etcd-events', 'StatefulSet', true],
        ['etcd-leases', 'StatefulSet', true],
        ['featuregate-generator', 'Job', true],
      ],
    )
  })

  it('2.7 has tombstones for shards of etcd that the control plane names no more', () => {
    const base = aHostedControlPlane()
    const managed = { ...base.spec.etcd.managed, shards: [{ name: 'events' }] }
    const hcp = { ...base, spec: { ...base.spec, etcd: { ...base.spec.etcd, managed } } } as typeof base
    const former = formerEtcdShards(hcp, ['etcd', 'etcd-events', 'etcd-leases', 'kube-apiserver'])
    assert.deepEqual(
      former.map(({ name, workload, isEnabled }) => [name, workload, isEnabled]),
      [['etcd-leases', 'StatefulSet', never]],
    )
  })

  it('has a template for every component, and none for nobody', () => {
    assert.deepEqual(living.map(({ name }) => name).toSorted(), templateNames.toSorted())
  })

  it('keeps retired components as tombstones, so that what is left of them goes', () => {
    const retired = registry.get('redhat-marketplace-catalog')
    assert.equal(retired?.isEnabled, never)
  })
})

describe('a registry', () => {
  const row = (name: string, ...dependsOn: string[]) => deployment(name, dependsOn, () => true, { isExempt: true })

  it('with a dependency that is no component is an error at start-up', () => {
    assert.throws(
      () => registryOf([row('a', 'b')]),
      new RegistryError('a depends on b, which is no component; add its row or drop the dependency'),
    )
  })

  it('with two components of one name is an error at start-up', () => {
    assert.throws(() => registryOf([row('a'), row('a')]), /two components named a/)
  })

  it('with a circle is an error at start-up that shows the circle', () => {
    const rows = [row('x', 'a'), row('a', 'b'), row('b', 'c'), row('c', 'a')]
    assert.throws(() => registryOf(rows), /a waits for b waits for c waits for a: none of them would ever start/)
  })

  it('takes implicit dependencies for a circle too', () => {
    const rows = [deployment('kube-apiserver', ['a'], () => true), deployment('a', [], () => true)]
    assert.throws(() => registryOf(rows), /kube-apiserver waits for a waits for kube-apiserver/)
  })

  it('may hold tombstones that others depend on', () => {
    const small = registryOf([tombstone('old'), row('new', 'old')])
    assert.equal(small.get('new')?.name, 'new')
  })
})
