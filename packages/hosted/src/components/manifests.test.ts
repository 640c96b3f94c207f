import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { HostedControlPlane } from '@windlass/api'
import { commonMetadata } from './manifest.ts'
import type { Manifest, ManifestObject } from './manifest.ts'
import { manifestsOf } from './manifests.ts'
import { etcdShard, registry } from './registry.ts'
import { aControlPlaneOn, annotated, anObservation } from './testing/index.ts'

const component = (name: string) => registry.get(name) ?? assert.fail(name)
const listed = (manifests: readonly Manifest[]) => manifests.map(({ kind, name }) => `${kind.kind} ${name}`)

function built(name: string, kind: string, hcp: HostedControlPlane = aControlPlaneOn('None')): ManifestObject {
  const manifest = manifestsOf(component(name)).find((candidate) => candidate.kind.kind === kind) ?? assert.fail(`${name} has no ${kind}`)
  return manifest.build(anObservation({ hcp }), commonMetadata(component(name), hcp), undefined)
}

describe('manifests', () => {
  it('3.3 are what a component needs besides its workload, in order', () => {
    assert.deepEqual(listed(manifestsOf(component('kube-apiserver'))), [
      'ServiceAccount kube-apiserver',
      'ConfigMap kas-config',
      'Service konnectivity-server-local',
      'PodDisruptionBudget kube-apiserver',
      'ServiceMonitor kube-apiserver',
    ])
    assert.deepEqual(listed(manifestsOf(component('olm-collect-profiles'))), [
      'ServiceAccount olm-collect-profiles',
      'Role olm-collect-profiles',
      'RoleBinding olm-collect-profiles',
      'Secret pprof-cert',
    ])
  })

  it('1.4 are at most a hundred, with names that are told apart', () => {
    for (const row of registry.components) {
      const names = listed(manifestsOf(row))
      assert.ok(names.length <= 99, row.name)
      assert.equal(new Set(names).size, names.length, row.name)
    }
  })

  it('of different components are different objects', () => {
    const all = registry.components.flatMap((row) => listed(manifestsOf(row).filter(({ isShared }) => !isShared)))
    assert.equal(new Set(all).size, all.length)
  })

  it('3.3 have the namespace and the owner of their control plane', () => {
    for (const kind of ['ServiceAccount', 'ConfigMap', 'Service', 'PodDisruptionBudget']) {
      const { metadata } = built('kube-apiserver', kind)
      assert.equal(metadata.namespace, 'clusters-prod')
      assert.equal(metadata.ownerReferences?.[0]?.kind, 'HostedControlPlane')
    }
    assert.equal(built('cluster-api', 'ServiceAccount').metadata.ownerReferences, undefined)
  })

  it('3.3 let pods pull images, and bind rights in the namespace of the control plane', () => {
    const account = built('etcd', 'ServiceAccount')
    assert.ok(account.kind === 'ServiceAccount')
    assert.deepEqual(account.imagePullSecrets, [{ name: 'pull-secret' }])
    const binding = built('etcd', 'RoleBinding')
    assert.ok(binding.kind === 'RoleBinding')
    assert.deepEqual(binding.subjects, [{ kind: 'ServiceAccount', name: 'etcd', namespace: 'clusters-prod' }])
  })

  it('3.3 of shards of etcd are their own but for access, which they share', () => {
    const manifests = manifestsOf(etcdShard('events'))
    const shared = ['ServiceAccount etcd', 'Role etcd', 'RoleBinding etcd']
    assert.deepEqual(listed(manifests.filter(({ isShared }) => isShared)), shared)
    assert.deepEqual(listed(manifests.filter(({ isShared }) => !isShared)), [
      'Service etcd-events-discovery',
      'Service etcd-events-client',
      'PodDisruptionBudget etcd-events',
      'ServiceMonitor etcd-events',
    ])
  })

  it('3.4 budget disruptions by the availability of the control plane', () => {
    const highly = built('kube-apiserver', 'PodDisruptionBudget')
    const single = built(
      'kube-apiserver',
      'PodDisruptionBudget',
      aControlPlaneOn('None', { controllerAvailabilityPolicy: 'SingleReplica' }),
    )
    assert.ok(highly.kind === 'PodDisruptionBudget' && single.kind === 'PodDisruptionBudget')
    assert.deepEqual([highly.spec.maxUnavailable, highly.spec.minAvailable], [1, undefined])
    assert.deepEqual([single.spec.maxUnavailable, single.spec.minAvailable], [undefined, 1])
  })

  it('3.3 for monitoring go with the annotation, for those components that the specification names', () => {
    const without = aControlPlaneOn('None', annotated('disable-monitoring-services'))
    const going = registry.components.flatMap((row) => listed(manifestsOf(row).filter(({ isWanted }) => !isWanted(without))))
    assert.deepEqual(going.toSorted(), [
      'Service catalog-operator-metrics',
      'Service cluster-version-operator',
      'Service olm-operator-metrics',
      'Service openshift-controller-manager',
      'Service openshift-route-controller-manager',
      'ServiceMonitor catalog-operator',
      'ServiceMonitor cluster-version-operator',
      'ServiceMonitor olm-operator',
      'ServiceMonitor openshift-controller-manager',
      'ServiceMonitor openshift-route-controller-manager',
    ])
    const here = aControlPlaneOn('None')
    for (const row of registry.components) for (const { isWanted } of manifestsOf(row)) assert.equal(isWanted(here), true)
  })

  it('hold what a component takes from the control plane, and annotations that steer it', () => {
    const hcp = aControlPlaneOn('None', {
      annotations: { 'hypershift.openshift.io/kube-apiserver-gogc': '50' },
      networking: { networkType: 'Other' },
      etcd: { managementType: 'Unmanaged' },
    })
    const map = built('kube-apiserver', 'ConfigMap', hcp)
    assert.ok(map.kind === 'ConfigMap')
    assert.deepEqual(JSON.parse(map.data?.['settings.json'] ?? ''), {
      etcd: { managementType: 'Unmanaged' },
      'hypershift.openshift.io/kube-apiserver-gogc': '50',
      issuerURL: 'https://kubernetes.default.svc',
      networking: { networkType: 'Other' },
    })
  })

  it('4.2 publish the configuration of nodes by a port of nodes where that is asked for', () => {
    const nodePort = { type: 'NodePort', nodePort: { address: 'node.example.com', port: 31_000 } }
    const hcp = (platform: string) =>
      aControlPlaneOn(platform, { services: [{ service: 'Ignition', servicePublishingStrategy: nodePort }] })
    const service = (name: string, platform: string) => {
      const object = built(name, 'Service', hcp(platform))
      return object.kind === 'Service' ? [object.spec.type, object.spec.ports?.[0]?.nodePort] : []
    }
    assert.deepEqual(service('ignition-server-proxy', 'None'), ['NodePort', 31_000])
    assert.deepEqual(service('ignition-server', 'None'), ['ClusterIP', undefined])
    assert.deepEqual(service('ignition-server', 'IBMCloud'), ['NodePort', 31_000])
  })

  it('3.3 that others fill are made empty and then left as they are', () => {
    const secret = built('olm-collect-profiles', 'Secret')
    assert.ok(secret.kind === 'Secret')
    assert.deepEqual(secret.data, { 'tls.crt': '', 'tls.key': '' })
    const row = component('olm-collect-profiles')
    const hcp = aControlPlaneOn('None')
    const manifest = manifestsOf(row).find(({ name }) => name === 'pprof-cert') ?? assert.fail()
    const filled = { ...secret, data: { 'tls.crt': 'Zm9v', 'tls.key': 'YmFy' } }
    const again = manifest.build(anObservation({ hcp }), commonMetadata(row, hcp), filled)
    assert.ok(again.kind === 'Secret')
    assert.deepEqual(again.data, filled.data)
  })
})
