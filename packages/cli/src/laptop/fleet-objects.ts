import { HostedCluster, NodePool, Secret } from '@windlass/api'
import type { Draft } from '@windlass/kube'
import { type SampleCluster, samplePools } from './sample-fleet.ts'

/** Where people ask for clusters. */
export const fleetNamespace = 'clusters'

/** On clusters of the sample fleet: what is special about them. */
export const roleLabel = 'windlass.dev/sample-fleet'

/** On a cluster or a pool: the release image that it is to be upgraded to when it is installed. Taken away when that has begun. */
export const nextAnnotation = 'windlass.dev/sample-upgrade'

/** On a cluster: what goes wrong in its upgrade, in the words of the simulator. Taken away when the upgrade is over. */
export const troubleAnnotation = 'windlass.dev/sample-trouble'

/** Where the releases of the sample fleet come from. */
export interface SampleReleases {
  /** The pullspec of a version. */
  pullspec(version: string): string
  /** The image of a component in it. */
  image(version: string, component: string): string
}

/** What it takes to pull its images, and to log in to its nodes. Each has its own: clusters leave a mark on the Secrets that they refer to. */
export function secretDrafts({ name }: SampleCluster): readonly Draft<Secret>[] {
  const secret = (suffix: string, stringData: Readonly<Record<string, string>>): Draft<Secret> => ({
    metadata: { namespace: fleetNamespace, name: `${name}-${suffix}` },
    type: 'Opaque',
    stringData,
  })
  return [
    secret('pull-secret', { '.dockerconfigjson': '{"auths":{"example.com":{"auth":"d2luZGxhc3M6c2FtcGxl"}}}' }),
    secret('ssh-key', { 'id_rsa.pub': `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIFNhbXBsZUZsZWV0T25seU5vdEFSZWFsS2V5MDAwMDAw ${name}` }),
  ]
}

export function clusterDraft(sample: SampleCluster, releases: SampleReleases): Draft<HostedCluster> {
  const { name, role, version } = sample
  const isProduction = name.startsWith('prod-')
  return {
    metadata: { namespace: fleetNamespace, name, labels: { [roleLabel]: role }, annotations: storyOf(sample, releases) },
    spec: {
      release: { image: releases.pullspec(version) },
      channel: `stable-${version.split('.').slice(0, 2).join('.')}`,
      pullSecret: { name: `${name}-pull-secret` },
      sshKey: { name: `${name}-ssh-key` },
      platform: { type: 'KubeVirt', kubevirt: {} },
      dns: { baseDomain: 'windlass.test' },
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
      },
      etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } } },
      controllerAvailabilityPolicy: isProduction ? 'HighlyAvailable' : 'SingleReplica',
      infrastructureAvailabilityPolicy: 'SingleReplica',
      services: [
        { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
        { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
      ],
    },
  }
}

/** What is to happen to it, so that it goes on wherever the process ends. */
function storyOf({ role, next }: SampleCluster, releases: SampleReleases): Readonly<Record<string, string>> {
  if (next === undefined) return {}
  const stalled = `image-pull name=kube-apiserver-* image=${releases.image(next, 'hyperkube').replace(/^.*@/, '')}`
  return { [nextAnnotation]: releases.pullspec(next), [troubleAnnotation]: role === 'stalled' ? stalled : 'slow factor=10' }
}

/** Its nodes; nothing for one that has none. */
export function poolDrafts(sample: SampleCluster, releases: SampleReleases): readonly Draft<NodePool>[] {
  const { name, role, nodes = name.startsWith('prod-') ? 3 : 2 } = sample
  return samplePools(sample).map(({ suffix, version, next }) => ({
    metadata: {
      namespace: fleetNamespace,
      name: `${name}-${suffix}`,
      labels: { [roleLabel]: role },
      ...(next === undefined ? {} : { annotations: { [nextAnnotation]: releases.pullspec(next) } }),
    },
    spec: {
      clusterName: name,
      replicas: nodes,
      arch: 'amd64',
      release: { image: releases.pullspec(version) },
      platform: {
        type: 'KubeVirt',
        kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } }, compute: { cores: 2, memory: '8Gi' } },
      },
      management: {
        upgradeType: 'Replace',
        autoRepair: false,
        replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
    },
  }))
}
