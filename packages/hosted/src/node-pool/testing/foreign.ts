import { AWSMachineTemplate, capi, KubevirtMachineTemplate, NodePool, Secret } from '@windlass/api'
import type { HostedCluster, KubernetesObject, Resource } from '@windlass/api'
import { aHostedCluster } from '@windlass/api/fixtures'
import { type Instant } from '@windlass/core'
import { found } from '../../hosted-cluster/index.ts'
import type { World } from '../../hosted-cluster/testing/index.ts'
import { decoded } from '../token/index.ts'
import { PoolAnnotation } from '../wire.ts'
import { aNewPool, aWorld, poolIn, settle } from './pools.ts'
import { Provider } from './provider.ts'

/** What another controller came to, where we would come to something else. */
export const foreignNames = { hash: '1a2b3c4d', configHash: '0a0b0c0d', template: 'workers-5e6f7a8b' } as const

export type ForeignPlatform = 'AWS' | 'KubeVirt'
export type UpgradeType = NodePool['spec']['management']['upgradeType']

export interface Foreign {
  readonly world: World
  readonly provider: Provider
  readonly now: Instant
}

const home = 'clusters-prod'
const kinds: readonly Resource[] = [
  NodePool,
  capi.MachineDeployment,
  capi.MachineSet,
  capi.Machine,
  AWSMachineTemplate,
  KubevirtMachineTemplate,
]

/**
 * A pool that has come to rest at 4.19.6 as HyperShift's operator leaves it: hashes and names that come from other bytes than ours, templates in its words
 * as the API server keeps them, none of our marks.
 */
export function foreignPool(platform: ForeignPlatform, upgradeType: UpgradeType): Foreign {
  const { spec } = aNewPool()
  const management = upgradeType === 'InPlace' ? ({ upgradeType } as const) : spec.management
  const world = aWorld(aNewPool({ spec: { management, platform: platforms[platform] } }), clusterOn(platform))
  const provider = new Provider(world)
  const now = settle(world, provider, undefined, { bootImage: found('ami-0123456789abcdef0') })
  rename(world)
  const [template] = world.list<KubernetesObject>(templates[platform])
  world.put({ ...template, spec: { template: { spec: words[platform] } } } as KubernetesObject)
  world.writes.length = 0
  world.events.length = 0
  return { world, provider, now }
}

const templates = { AWS: AWSMachineTemplate, KubeVirt: KubevirtMachineTemplate } as const

const platforms: Readonly<Record<ForeignPlatform, NodePool['spec']['platform']>> = {
  AWS: { type: 'AWS', aws: { instanceType: 'm6i.large', subnet: { id: 'subnet-1' }, rootVolume: { size: 120, type: 'gp3' } } },
  KubeVirt: {
    type: 'KubeVirt',
    kubevirt: {
      rootVolume: { type: 'Persistent', persistent: { size: '32Gi' } },
      compute: { cores: 4, memory: '16Gi', qosClass: 'Burstable' },
      networkInterfaceMultiqueue: 'Enable',
      attachDefaultNetwork: true,
      hostDevices: [{ deviceName: 'nvidia.com/A10', count: 1 }],
    },
  },
}

function clusterOn(platform: ForeignPlatform): HostedCluster {
  const cluster = aHostedCluster({ release: '4.20.1' })
  if (platform === 'KubeVirt') return cluster
  return { ...cluster, status: { ...cluster.status, platform: { aws: { defaultWorkerSecurityGroupID: 'sg-1' } } } }
}

/** Gives everything the names and hashes of the other controller, and takes our marks away. */
function rename(world: World): void {
  const pool = poolIn(world)
  const { [PoolAnnotation.currentConfigVersion]: hash = '', [PoolAnnotation.machineTemplate]: template = '' } =
    pool.metadata.annotations ?? {}
  const renamed = (text: string): string => text.replaceAll(hash, foreignNames.hash).replaceAll(template, foreignNames.template)
  for (const kind of kinds) for (const object of world.list(kind)) replace(world, kind, object, JSON.parse(renamed(JSON.stringify(object))))
  for (const secret of world.list(Secret, { namespace: home })) {
    const { value: _, ...data } = secret.data ?? {}
    const userData = decoded(secret, 'value')
    const value = userData === undefined ? {} : { value: Buffer.from(renamed(userData)).toString('base64') }
    const metadata = { ...secret.metadata, name: renamed(secret.metadata.name ?? '') }
    replace(world, Secret, secret, { ...secret, metadata, data: { ...data, ...value } } as Secret)
  }
  const { metadata, ...rest } = poolIn(world)
  const { [PoolAnnotation.configDigest]: _, [PoolAnnotation.topologySpread]: __, ...annotations } = metadata.annotations ?? {}
  world.put({
    ...rest,
    metadata: { ...metadata, annotations: { ...annotations, [PoolAnnotation.currentConfig]: foreignNames.configHash } },
  })
}

function replace(world: World, kind: Resource, before: KubernetesObject, after: KubernetesObject): void {
  const { namespace = '', name = '' } = before.metadata
  world.drop(kind, { namespace, name })
  world.put(after)
}

const labels = { 'hypershift.openshift.io/infra-id': 'prod-7k2xq', 'hypershift.openshift.io/nodepool-name': 'workers' }
const spread = { key: 'hypershift.openshift.io/nodepool-name', operator: 'In', values: ['workers'] }

/** What its templates say, with what the API server fills in. The virtual machines are those of an old pool, which are spread by affinity. */
const words: Readonly<Record<ForeignPlatform, object>> = {
  AWS: {
    additionalSecurityGroups: [{ id: 'sg-1' }],
    additionalTags: { 'kubernetes.io/cluster/prod-7k2xq': 'owned' },
    ami: { id: 'ami-0fedcba9876543210' },
    cloudInit: { insecureSkipSecretsManager: true, secureSecretsBackend: 'secrets-manager' },
    hostAffinity: 'default',
    iamInstanceProfile: 'prod-7k2xq-worker-profile',
    instanceMetadataOptions: {
      httpEndpoint: 'enabled',
      httpProtocolIpv6: 'disabled',
      httpPutResponseHopLimit: 2,
      httpTokens: 'optional',
      instanceMetadataTags: 'disabled',
    },
    instanceType: 'm6i.large',
    rootVolume: { size: 120, type: 'gp3' },
    subnet: { id: 'subnet-1' },
    uncompressedUserData: true,
  },
  KubeVirt: {
    virtualMachineBootstrapCheck: { checkStrategy: 'none' },
    virtualMachineTemplate: {
      metadata: { creationTimestamp: null, labels },
      spec: {
        dataVolumeTemplates: [
          {
            metadata: { creationTimestamp: null, labels: { 'hypershift.openshift.io/is-kubevirt-rhcos': 'true' }, name: 'rhcos' },
            spec: {
              source: { registry: { pullMethod: 'node', url: 'docker://example.com/rhcos@sha256:abcd' } },
              storage: { resources: { requests: { storage: '32Gi' } } },
            },
          },
        ],
        runStrategy: 'Always',
        template: {
          metadata: {
            annotations: {
              'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes':
                'private,public,sockets,virt-bin-share-dir,libvirt-runtime,ephemeral-disks,container-disks,hotplug-disks',
              'kubevirt.io/allow-pod-bridge-network-live-migration': '',
            },
            creationTimestamp: null,
            labels,
          },
          spec: {
            affinity: {
              podAntiAffinity: {
                preferredDuringSchedulingIgnoredDuringExecution: [
                  {
                    podAffinityTerm: { labelSelector: { matchExpressions: [spread] }, topologyKey: 'kubernetes.io/hostname' },
                    weight: 100,
                  },
                ],
              },
            },
            architecture: 'amd64',
            domain: {
              cpu: { cores: 4 },
              devices: {
                disks: [{ disk: { bus: 'virtio' }, name: 'rhcos' }],
                hostDevices: [{ deviceName: 'nvidia.com/A10', name: 'hostdevice-1' }],
                interfaces: [{ bridge: {}, name: 'default' }],
                networkInterfaceMultiqueue: true,
              },
              memory: { guest: '16Gi' },
              resources: {},
            },
            evictionStrategy: 'External',
            networks: [{ name: 'default', pod: {} }],
            volumes: [{ dataVolume: { name: 'rhcos' }, name: 'rhcos' }],
          },
        },
      },
    },
  },
}
