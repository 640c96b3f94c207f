import type { TestRelease } from './releases.ts'

/** Where people ask for clusters. */
export const namespace = 'clusters'
/** Where the control plane of a cluster is. */
export const homeOf = (name: string): string => `${namespace}-${name}`

export const pullSecret = '{"auths":{"example.com":{"auth":"d2luZGxhc3M6c2FtcGxl"}}}'
export const sshKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFNhbXBsZUZsZWV0T25seU5vdEFSZWFsS2V5MDAwMDAw somebody'

/** What people type up to have a cluster: secrets, and what they want. */
export function aRequest(name: string, release: TestRelease): string {
  const platform = { type: 'KubeVirt', kubevirt: {} }
  return typed(...secretsOf(name), aHostedCluster(name, release, { platform }))
}

/** The same with as little of it as there can be: a third of the components, of one replica. */
export function aSmallRequest(name: string, release: TestRelease): string {
  const spec = {
    platform: { type: 'None' },
    olmCatalogPlacement: 'guest',
    capabilities: { disabled: ['ImageRegistry', 'NodeTuning', 'Console', 'Ingress'] },
  }
  const off = ['disable-machine-management', 'disable-ignition-server', 'disable-pki-reconciliation']
  const annotations = Object.fromEntries(off.map((part) => [`hypershift.openshift.io/${part}`, 'true']))
  return typed(...secretsOf(name), aHostedCluster(name, release, spec, annotations))
}

/** Several objects in one file. */
export const typed = (...objects: readonly object[]): string => objects.map((object) => JSON.stringify(object)).join('\n---\n')

export function secretsOf(name: string): readonly object[] {
  const secret = (suffix: string, stringData: Readonly<Record<string, string>>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: `${name}-${suffix}` },
    stringData,
  })
  return [secret('pull-secret', { '.dockerconfigjson': pullSecret }), secret('ssh-key', { 'id_rsa.pub': sshKey })]
}

export function aHostedCluster(
  name: string,
  release: TestRelease,
  spec: object,
  annotations: Readonly<Record<string, string>> = {},
): object {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { namespace, name, annotations },
    spec: {
      release: { image: release.pullspec },
      pullSecret: { name: `${name}-pull-secret` },
      sshKey: { name: `${name}-ssh-key` },
      dns: { baseDomain: 'windlass.test' },
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
      },
      controllerAvailabilityPolicy: 'SingleReplica',
      services: [
        { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
        { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
      ],
      ...spec,
    },
  }
}

/** Where it has one. */
export function aNodePoolOf(name: string, release: TestRelease): string {
  return typed({
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { namespace, name: `${name}-workers` },
    spec: {
      clusterName: name,
      replicas: 1,
      release: { image: release.pullspec },
      platform: {
        type: 'KubeVirt',
        kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } }, compute: { cores: 2, memory: '8Gi' } },
      },
      management: { upgradeType: 'Replace', autoRepair: false },
    },
  })
}

/** The components of such a cluster, by the specification's table: those of every platform, of KubeVirt, and what follows from the defaults. */
export const componentNames: readonly string[] = [
  'capi-provider',
  'catalog-operator',
  'certified-operators-catalog',
  'cluster-api',
  'cluster-autoscaler',
  'cluster-image-registry-operator',
  'cluster-network-operator',
  'cluster-node-tuning-operator',
  'cluster-policy-controller',
  'cluster-storage-operator',
  'cluster-version-operator',
  'community-operators-catalog',
  'control-plane-operator',
  'control-plane-pki-operator',
  'csi-snapshot-controller-operator',
  'dns-operator',
  'etcd',
  'featuregate-generator',
  'hosted-cluster-config-operator',
  'ignition-server',
  'ignition-server-proxy',
  'ingress-operator',
  'konnectivity-agent',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kube-storage-version-migrator',
  'kubevirt-cloud-controller-manager',
  'kubevirt-csi-controller',
  'machine-approver',
  'oauth-openshift',
  'olm-collect-profiles',
  'olm-operator',
  'openshift-apiserver',
  'openshift-controller-manager',
  'openshift-oauth-apiserver',
  'openshift-route-controller-manager',
  'packageserver',
  'redhat-operators-catalog',
]
