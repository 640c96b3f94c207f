import type { AWSMachineTemplate, HostedCluster, NodePool, Resource } from '@windlass/api'
import { type Action, equalJson, patch } from '@windlass/kube'
import type { Seen } from '../seen.ts'
import { ClusterAnnotation, PoolAnnotation } from '../wire.ts'
import { type Made, notReady, type Making } from './making.ts'

type Spec = AWSMachineTemplate['spec']['template']['spec']
type AwsPool = NonNullable<NodePool['spec']['platform']['aws']>

const usualVolume = { size: 16 } as const
/** User data is handed over directly; the backend is what the provider would fill in. */
const cloudInit = { insecureSkipSecretsManager: true, secureSecretsBackend: 'secrets-manager' } as const

/** EC2 instances. */
export function awsMachine({ pool, cluster, bootImage }: Making): Made {
  const { aws } = pool.spec.platform
  if (aws === undefined) return { problem: 'spec.platform.aws is not set' }
  const ami = aws.ami ?? bootImage
  if (ami === undefined) return { problem: 'no AMI is known: set spec.platform.aws.ami' }
  const group = cluster.status?.platform?.aws?.defaultWorkerSecurityGroupID ?? ''
  if (group === '') return notReady('the default security group of its cluster')
  const { infraID = '' } = cluster.spec
  const spec: Spec = {
    ami: { id: ami },
    instanceType: aws.instanceType,
    iamInstanceProfile: aws.instanceProfile ?? `${infraID}-worker-profile`,
    subnet: aws.subnet,
    additionalSecurityGroups: [...(aws.securityGroups ?? []), { id: group }],
    additionalTags: resourceTags(pool, cluster),
    rootVolume: rootVolume(aws),
    cloudInit,
    uncompressedUserData: true,
    instanceMetadataOptions: {
      httpEndpoint: 'enabled',
      httpPutResponseHopLimit: 2,
      httpTokens: pool.metadata.annotations?.[PoolAnnotation.metadataTokens] === 'required' ? 'required' : 'optional',
      instanceMetadataTags: 'disabled',
    },
    ...placement(aws),
    ...(cluster.metadata.annotations?.[ClusterAnnotation.publicMachines] === 'true' ? { publicIP: true } : {}),
  }
  return { spec }
}

/** They tell whose bill it is. Those of the cluster win, unless it says otherwise. */
export function resourceTags(pool: NodePool, { spec }: HostedCluster): Readonly<Record<string, string>> {
  const own = pool.spec.platform.aws?.resourceTags ?? []
  const clusters = spec.platform.aws?.resourceTags ?? []
  const overridable = clusters.filter(({ overridePolicy }) => overridePolicy === 'Allow')
  const entries = [...overridable, ...own, ...clusters.filter(({ overridePolicy }) => overridePolicy !== 'Allow')]
  return {
    [`kubernetes.io/cluster/${spec.infraID ?? ''}`]: 'owned',
    ...Object.fromEntries(entries.map(({ key, value }) => [key, value])),
    // Somebody has to hear when the cloud takes one back.
    ...(isSpotPool(pool) ? { 'aws-node-termination-handler/managed': '' } : {}),
  }
}

/** Tags of the pool that do not come through, sorted. */
export function resourceTagConflicts(pool: NodePool, cluster: HostedCluster): readonly string[] {
  const tags = resourceTags(pool, cluster)
  const lost = (pool.spec.platform.aws?.resourceTags ?? []).filter(({ key, value }) => tags[key] !== value)
  return lost.map(({ key }) => key).toSorted()
}

function rootVolume({ rootVolume: volume }: AwsPool): NonNullable<Spec['rootVolume']> {
  if (volume === undefined) return usualVolume
  const { size, type, iops, encrypted, encryptionKey } = volume
  return {
    size,
    type: type === '' ? 'gp3' : type,
    ...(iops === undefined ? {} : { iops }),
    ...(encrypted === undefined ? {} : { encrypted }),
    ...(encryptionKey === undefined ? {} : { encryptionKey }),
  }
}

/** Instances that the cloud may take back at any time. */
export function isSpotPool({ metadata, spec }: NodePool): boolean {
  const isOnSpotMarket = spec.platform.aws?.placement?.marketType === 'Spot'
  return isOnSpotMarket || metadata.annotations?.[PoolAnnotation.enableSpot] !== undefined
}

const marketTypes = { OnDemand: 'OnDemand', CapacityBlocks: 'CapacityBlock' } as const

function placement({ placement: wanted }: AwsPool): Partial<Spec> {
  const { tenancy, marketType, spot, capacityReservation } = wanted ?? {}
  const market = marketType || capacityReservation?.marketType || usualMarket(wanted)
  return {
    ...(tenancy === undefined ? {} : { tenancy }),
    ...(market === undefined || market === 'Spot' ? {} : { marketType: marketTypes[market] }),
    ...(marketType === 'Spot' ? { spotMarketOptions: spot ?? {} } : {}),
    ...(capacityReservation?.id === undefined ? {} : { capacityReservationId: capacityReservation.id }),
    ...(capacityReservation?.preference ? { capacityReservationPreference: capacityReservation.preference } : {}),
  }
}

/** A reservation that is named is a block of capacity, but on hosts that are paid for as a whole. */
function usualMarket(wanted: AwsPool['placement']): 'CapacityBlocks' | undefined {
  return wanted?.capacityReservation?.id !== undefined && wanted.tenancy !== 'host' ? 'CapacityBlocks' : undefined
}

const awsMachineKind: Resource = {
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta2',
  apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
  kind: 'AWSMachine',
  plural: 'awsmachines',
  scope: 'Namespaced',
  hasStatusSubresource: true,
}

/** Writes tags that have changed onto instances that run. */
export function runningMachineTags({ pool, cluster, namespace, platformMachines }: Seen): readonly Action[] {
  if (pool.spec.platform.type !== 'AWS') return []
  const additionalTags = resourceTags(pool, cluster)
  return platformMachines
    .filter(({ tags }) => tags !== undefined && !equalJson(tags, additionalTags))
    .map(({ name, tags = {} }) => {
      const gone = Object.fromEntries(
        Object.keys(tags)
          .filter((tag) => additionalTags[tag] === undefined)
          .map((tag) => [tag, null]),
      )
      return patch(
        awsMachineKind,
        { namespace, name },
        { spec: { additionalTags: { ...gone, ...additionalTags } } },
        'its tags have changed',
      )
    })
}
