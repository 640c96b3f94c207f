import type { HostedCluster, JsonObject, KubevirtMachineTemplate, NodePool } from '@windlass/api'
import { ClusterAnnotation, Label, PoolAnnotation } from '../wire.ts'
import type { Made, Making } from './making.ts'

type Spec = KubevirtMachineTemplate['spec']['template']['spec']
type KubevirtPool = NonNullable<NodePool['spec']['platform']['kubevirt']>

const podNetwork = 'default'
const disk = 'rhcos'

/** Volumes of the Pod that a virtual machine runs in: none of them keeps the autoscaler from moving it. */
const localVolumes = [
  'private',
  'public',
  'sockets',
  'virt-bin-share-dir',
  'libvirt-runtime',
  'ephemeral-disks',
  'container-disks',
  'hotplug-disks',
].join(',')

/** Virtual machines on KubeVirt: their disk is cloned from an image when they are made. */
export function kubevirtMachine(making: Making): Made {
  const { pool, cluster, bootImage } = making
  const { kubevirt } = pool.spec.platform
  if (kubevirt === undefined) return { problem: 'spec.platform.kubevirt is not set' }
  const patched = patchedBy(pool, cluster)
  if (patched !== undefined) return { problem: `the annotation ${patched} is not supported: remove it` }
  const image = kubevirt.rootVolume.diskImage?.containerDiskImage ?? bootImage
  if (image === undefined) return { problem: 'no disk image is known: set spec.platform.kubevirt.rootVolume.diskImage.containerDiskImage' }
  const isAttached = kubevirt.attachDefaultNetwork !== false
  const networks = networksOf(kubevirt, isAttached)
  if (networks.length === 0) {
    return { problem: 'machines would have no network: set attachDefaultNetwork to true, or name additionalNetworks' }
  }
  const labels = { [Label.nodePoolName]: pool.metadata.name ?? '', [Label.infraID]: cluster.spec.infraID ?? '' }
  const annotations = {
    ...(isAttached ? { 'kubevirt.io/allow-pod-bridge-network-live-migration': '' } : {}),
    'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': localVolumes,
  }
  const namespace = cluster.spec.platform.kubevirt?.credentials?.infraNamespace
  const spec: Spec = {
    virtualMachineBootstrapCheck: { checkStrategy: 'none' },
    virtualMachineTemplate: {
      metadata: { labels, ...(namespace === undefined ? {} : { namespace }) },
      spec: {
        runStrategy: 'Always',
        dataVolumeTemplates: [{ metadata: { name: disk, labels: { [Label.rootDisk]: 'true' } }, spec: rootVolume(kubevirt, image) }],
        template: { metadata: { labels, annotations }, spec: { ...machine(kubevirt, networks), ...spreading(making) } },
      },
    },
  }
  return { spec }
}

/** People may have asked for virtual machines that are none of ours: to make others in silence would be worse than to make none. */
function patchedBy({ metadata: pool }: NodePool, { metadata: cluster }: HostedCluster): string | undefined {
  if (pool.annotations?.[PoolAnnotation.virtualMachinePatch] !== undefined) return `${PoolAnnotation.virtualMachinePatch} of the NodePool`
  return cluster.annotations?.[ClusterAnnotation.virtualMachinePatch] === undefined
    ? undefined
    : `${ClusterAnnotation.virtualMachinePatch} of the HostedCluster`
}

interface Network {
  readonly network: JsonObject
  readonly interface: JsonObject
}

function networksOf({ additionalNetworks = [] }: KubevirtPool, isAttached: boolean): readonly Network[] {
  const own: Network = { network: { name: podNetwork, pod: {} }, interface: { name: podNetwork, bridge: {} } }
  const additional = additionalNetworks.map(({ name }, index): Network => {
    const alias = `iface${index + 1}_${name.replaceAll('/', '-')}`
    return { network: { name: alias, multus: { networkName: name } }, interface: { name: alias, bridge: {} } }
  })
  return isAttached ? [own, ...additional] : additional
}

function machine(
  { compute, networkInterfaceMultiqueue, hostDevices = [], nodeSelector = {} }: KubevirtPool,
  networks: readonly Network[],
): JsonObject {
  return {
    domain: {
      ...amounts(compute),
      devices: {
        disks: [{ name: disk, disk: { bus: 'virtio' } }],
        interfaces: networks.map((each) => each.interface),
        ...(networkInterfaceMultiqueue === 'Enable' ? { networkInterfaceMultiqueue: true } : {}),
        ...(hostDevices.length === 0 ? {} : { hostDevices: devices(hostDevices) }),
      },
    },
    evictionStrategy: 'External',
    networks: networks.map((each) => each.network),
    volumes: [{ name: disk, dataVolume: { name: disk } }],
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
  }
}

/** What is guaranteed is asked of the Pod, and the machine gets that; else the machine is told its size. */
function amounts({ cores, memory = '8Gi', qosClass }: NonNullable<KubevirtPool['compute']> = { cores: 2 }): JsonObject {
  if (qosClass === 'Guaranteed') {
    const all = { memory, ...(cores === undefined ? {} : { cpu: `${cores}` }) }
    return { resources: { requests: all, limits: all } }
  }
  return { memory: { guest: memory }, ...(cores === undefined ? {} : { cpu: { cores } }) }
}

const host = 'kubernetes.io/hostname'

/** Not all on one host, if that is possible. */
function spreading({ pool, isSpread }: Making): JsonObject {
  const { name = '' } = pool.metadata
  if (isSpread) {
    const labelSelector = { matchLabels: { [Label.nodePoolName]: name } }
    return { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: host, whenUnsatisfiable: 'ScheduleAnyway', labelSelector }] }
  }
  const labelSelector = { matchExpressions: [{ key: Label.nodePoolName, operator: 'In', values: [name] }] }
  const preferred = [{ weight: 100, podAffinityTerm: { labelSelector, topologyKey: host } }]
  return { affinity: { podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: preferred } } }
}

function devices(wanted: NonNullable<KubevirtPool['hostDevices']>): readonly JsonObject[] {
  return wanted
    .flatMap(({ deviceName, count = 1 }) => Array.from({ length: count }, () => deviceName))
    .map((deviceName, index) => ({ name: `hostdevice-${index + 1}`, deviceName }))
}

function rootVolume({ rootVolume: { persistent } }: KubevirtPool, image: string): JsonObject {
  const source = { registry: { url: `docker://${image}`, pullMethod: 'node' } }
  if (persistent === undefined) return { source }
  const { size, storageClass, accessModes, volumeMode } = persistent
  const storage = {
    resources: size === undefined ? {} : { requests: { storage: size } },
    ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(volumeMode === undefined ? {} : { volumeMode }),
  }
  return { source, storage }
}
