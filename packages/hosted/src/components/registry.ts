import type { HostedControlPlane } from '@windlass/api'
import { isEtcd } from './component.ts'
import type { Component, Runner } from './component.ts'
import { etcdShardsOf } from './control-plane.ts'
import { networkOperands, snapshotOperands, storageOperands } from './operands.ts'
import * as when from './predicates.ts'
import { registryOf } from './registry-of.ts'
import type { Registry } from './registry-of.ts'
import { cronJob, deployment, job, operator, provisioner, statefulSet, tombstone } from './rows.ts'
import * as pods from './row-traits.ts'
import { Annotation } from './wire.ts'

const { one, oneUnless } = pods
const none: readonly string[] = []
const api = ['openshift-apiserver']
const isExempt = true
const isApiCritical = true
const isRequestServing = true

/** The components of a control plane, in the order in which they are looked at. */
const ofHostedControlPlane: readonly Component[] = [
  /*  1 */ deployment('control-plane-pki-operator', none, when.notAnnotated(Annotation.disablePki), one('controlplane-pki-operator')),
  /*  2 */ statefulSet('etcd', none, when.etcdIsManaged, { isExempt, ...pods.etcd }),
  /*  3 */ job('featuregate-generator', none, when.always, { isExempt, ...pods.featureGates }),
  /*  4 */ deployment('kube-apiserver', ['etcd', 'featuregate-generator'], when.always, {
    isRequestServing,
    isApiCritical,
    ...pods.kubeApiServer,
  }),
  /*  5 */ deployment('kube-controller-manager', none, when.always, { images: 'hyperkube' }),
  /*  6 */ deployment('kube-scheduler', none, when.always, { images: 'hyperkube' }),
  /*  7 */ deployment('openshift-apiserver', none, when.always, { isApiCritical, ...pods.openshiftApiServer }),
  /*  8 */ deployment('openshift-oauth-apiserver', api, when.oauthIsIntegrated, { isApiCritical, ...pods.oauthApiServer }),
  /*  9 */ deployment(
    'cluster-autoscaler',
    none,
    when.all(when.machinesAreManaged, when.kubeconfigIsKnown, when.infraKubeconfigExists),
    oneUnless(Annotation.disableClusterAutoscaler),
  ),
  /* 10 */ deployment('cluster-version-operator', api, when.always, { ...one(), ...pods.clusterVersion }),
  /* 11 */ deployment('openshift-controller-manager', api, when.always),
  /* 12 */ deployment('oauth-openshift', api, when.oauthIsIntegrated, { isRequestServing, isApiCritical, ...pods.oauthServer }),
  /* 13 */ deployment('openshift-route-controller-manager', api, when.always, { images: 'route-controller-manager' }),
  /* 14 */ deployment('cluster-policy-controller', api, when.always),
  /* 15 */ deployment('hosted-cluster-config-operator', none, when.always, one()),
  /* 16 */ deployment('aws-cloud-controller-manager', none, when.on('AWS'), { ...one(), ...pods.cloudController('AWS') }),
  /* 17 */ deployment('azure-cloud-controller-manager', none, when.on('Azure'), { ...one(), ...pods.cloudController('Azure') }),
  /* 18 */ deployment('kubevirt-cloud-controller-manager', none, when.on('KubeVirt'), pods.cloudController('KubeVirt')),
  /* 19 */ deployment('openstack-cloud-controller-manager', none, when.on('OpenStack'), { ...one(), ...pods.cloudController('OpenStack') }),
  /* 20 */ deployment('powervs-cloud-controller-manager', none, when.on('PowerVS'), { ...one(), ...pods.cloudController('PowerVS') }),
  /* 21 */ deployment('gcp-cloud-controller-manager', none, when.on('GCP'), { ...one(), ...pods.cloudController('GCP') }),
  /* 22 */ deployment('cloud-credential-operator', api, when.on('AWS'), one()),
  /* 23 */ deployment('cluster-storage-operator', api, when.notOn('IBMCloud', 'PowerVS'), { ...one(), operands: storageOperands }),
  /* 24 */ deployment('kubevirt-csi-controller', none, when.all(when.on('KubeVirt'), when.kubevirtProvidesStorage), {
    ...one(),
    ...pods.kubevirtStorage,
  }),
  /* 25 */ deployment('cluster-network-operator', api, when.always, { ...one(), ...pods.network, operands: networkOperands }),
  /* 26 */ deployment('cluster-node-tuning-operator', api, when.capabilityIsOn('NodeTuning'), one()),
  /* 27 */ deployment('dns-operator', api, when.always, one('cluster-dns-operator')),
  /* 28 */ deployment(
    'machine-approver',
    none,
    when.all(when.machinesAreManaged, when.kubeconfigIsKnown, when.adminKubeconfigExists),
    one('cluster-machine-approver'),
  ),
  /* 29 */ deployment(
    'aws-node-termination-handler',
    none,
    when.all(when.on('AWS'), when.interruptionsAreQueued, when.kubeconfigIsKnown, when.adminKubeconfigExists),
    { ...oneUnless(Annotation.disableTerminationHandler), ...pods.terminationHandler },
  ),
  /* 30 */ deployment('ingress-operator', api, when.capabilityIsOn('Ingress'), one('cluster-ingress-operator')),
  /* 31 */ deployment('csi-snapshot-controller-operator', api, when.notOn('IBMCloud', 'PowerVS'), {
    ...one('cluster-csi-snapshot-controller-operator'),
    operands: snapshotOperands,
  }),
  /* 32 */ deployment('cluster-image-registry-operator', api, when.capabilityIsOn('ImageRegistry'), one()),
  /* 33 */ deployment('konnectivity-agent', ['kube-apiserver'], when.always, { images: 'apiserver-network-proxy' }),
  /* 34 */ deployment('ignition-server', none, when.notAnnotated(Annotation.disableIgnitionServer), { isExempt, ...pods.ignition }),
  /* 35 */ deployment(
    'ignition-server-proxy',
    ['ignition-server'],
    when.all(when.notAnnotated(Annotation.disableIgnitionServer), when.notOn('IBMCloud')),
    { isExempt, isRequestServing, images: { haproxy: 'haproxy-router' } },
  ),
  /* 36 */ deployment('endpoint-resolver', none, when.metricsAreForwarded, { images: 'controlplane-operator' }),
  /* 37 */ deployment('metrics-proxy', ['endpoint-resolver'], when.metricsAreForwarded, {
    isRequestServing,
    images: 'controlplane-operator',
  }),
  /* 38 */ deployment('router', ['ignition-server'], when.routesAreServedHere, {
    isExempt,
    isRequestServing,
    isApiCritical,
    images: 'haproxy-router',
  }),
  /* 39 */ deployment('kube-storage-version-migrator', none, when.all(when.secretsAreEncrypted, when.notOn('IBMCloud', 'PowerVS')), {
    ...one(),
    images: { migrator: 'kube-storage-version-migrator' },
  }),
  /* 40 */ deployment('catalog-operator', none, when.always, one('operator-lifecycle-manager')),
  /* 41 */ deployment('olm-operator', none, when.always, one('operator-lifecycle-manager')),
  /* 42 */ deployment('packageserver', none, when.always, { isApiCritical, images: 'operator-lifecycle-manager' }),
  /* 43 */ cronJob('olm-collect-profiles', none, when.notOn('IBMCloud'), { images: { 'collect-profiles': 'operator-lifecycle-manager' } }),
  /* 44 */ deployment('redhat-operators-catalog', api, when.catalogsRunHere, pods.catalog('redhat-operators')),
  /* 45 */ deployment('community-operators-catalog', api, when.catalogsRunHere, pods.catalog('community-operators')),
  /* 46 */ deployment('certified-operators-catalog', api, when.catalogsRunHere, pods.catalog('certified-operators')),
]

const ofHostedCluster: readonly Component[] = [
  operator('control-plane-operator', none, when.always, { isExempt, ...one('controlplane-operator') }),
  operator('cluster-api', none, when.machinesAreManaged, { isExempt, ...one(), images: { manager: 'cluster-capi-controllers' } }),
  operator('capi-provider', none, when.all(when.machinesAreManaged, when.platformHasProvider), {
    isExempt,
    ...one(),
    ...pods.machineProvider,
  }),
  operator('karpenter-operator', none, when.all(when.karpenterMakesNodes, when.kubeconfigIsKnown), {
    isExempt,
    ...one('controlplane-operator'),
  }),
]

const ofKarpenterOperator: readonly Component[] = [
  provisioner('karpenter', ['karpenter-operator'], when.all(when.karpenterMakesNodes, when.kubeconfigIsKnown, when.infraKubeconfigExists), {
    isExempt,
    ...one('aws-karpenter-provider-aws'),
  }),
]

/** Components that builds of the original operators have made and no longer make. */
const retired: readonly Component[] = [tombstone('redhat-marketplace-catalog')]

/** All components there are, checked when this file is loaded. */
export const registry: Registry = registryOf([...ofHostedControlPlane, ...ofHostedCluster, ...ofKarpenterOperator, ...retired])

/** A further store, named `etcd-<shard>`. */
export function etcdShard(shard: string): Component {
  return statefulSet(`etcd-${shard}`, none, when.etcdIsManaged, { isExempt, ...pods.etcd, template: 'etcd' })
}

/** The components that one controller looks after for this control plane, in order: the registry's, and shards right after `etcd`. */
export function componentsOf(hcp: HostedControlPlane, runBy: Runner, from: Registry = registry): readonly Component[] {
  return from.components
    .filter((component) => component.runBy === runBy)
    .flatMap((component) => (component.name === 'etcd' ? [component, ...etcdShardsOf(hcp).map(etcdShard)] : [component]))
}

/** Shards that the control plane does not name any more, though a component of theirs is there: all of them goes. */
export function formerEtcdShards(hcp: HostedControlPlane, existing: readonly string[]): readonly Component[] {
  const named = new Set(['etcd', ...etcdShardsOf(hcp).map((shard) => `etcd-${shard}`)])
  const former = existing.filter((name) => isEtcd(name) && !named.has(name) && registry.get(name) === undefined)
  return former.map((name) => ({ ...etcdShard(name.slice('etcd-'.length)), isEnabled: when.never }))
}
