import type { JsonObject, KubevirtMachineTemplate, NodePool } from '@windlass/api'
import { resourcesNameOf } from '../names.ts'
import type { Made, Making } from './making.ts'

type Spec = KubevirtMachineTemplate['spec']['template']['spec']
type KubevirtPool = NonNullable<NodePool['spec']['platform']['kubevirt']>

const podNetwork = 'default'

/** Virtual machines on KubeVirt: their disk is cloned from an image when they are made. */
export function kubevirtMachine({ pool, cluster, bootImage }: Making): Made {
  const { kubevirt } = pool.spec.platform
  if (kubevirt === undefined) return { problem: 'spec.platform.kubevirt is not set' }
  const image = kubevirt.rootVolume.diskImage?.containerDiskImage ?? bootImage
  if (image === undefined) return { problem: 'no disk image is known: set spec.platform.kubevirt.rootVolume.diskImage.containerDiskImage' }
  const isAttached = kubevirt.attachDefaultNetwork !== false
  const networks = networksOf(kubevirt, isAttached)
  if (networks.length === 0) {
    return { problem: 'machines would have no network: set attachDefaultNetwork to true, or name additionalNetworks' }
  }
  const labels = { [resourcesNameOf(cluster, pool)]: resourcesNameOf(cluster, pool) }
  const spec: Spec = {
    virtualMachineBootstrapCheck: { checkStrategy: 'none' },
    virtualMachineTemplate: {
      metadata: { labels },
      spec: {
        runStrategy: 'Always',
        dataVolumeTemplates: [{ metadata: { name: 'rhcos' }, spec: rootVolume(kubevirt, image) }],
        template: { metadata: { labels }, spec: machine(kubevirt, networks) },
      },
    },
  }
  return { spec }
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
  { compute, networkInterfaceMultiqueue, hostDevices = [], nodeSelector }: KubevirtPool,
  networks: readonly Network[],
): JsonObject {
  const { cores = 2, memory = '8Gi', qosClass } = compute ?? {}
  const isGuaranteed = qosClass === 'Guaranteed'
  const amounts = { cpu: cores, memory }
  return {
    domain: {
      cpu: { threads: 1, cores },
      memory: { guest: memory },
      ...(isGuaranteed ? { resources: { requests: amounts, limits: amounts } } : {}),
      devices: {
        disks: [{ name: 'rhcos', disk: { bus: 'virtio' } }],
        interfaces: networks.map((each) => each.interface),
        ...(networkInterfaceMultiqueue === 'Disable' ? {} : { networkInterfaceMultiqueue: true }),
        ...(hostDevices.length === 0 ? {} : { hostDevices: devices(hostDevices) }),
      },
    },
    evictionStrategy: 'External',
    networks: networks.map((each) => each.network),
    volumes: [{ name: 'rhcos', dataVolume: { name: 'rhcos' } }],
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
  }
}

function devices(wanted: NonNullable<KubevirtPool['hostDevices']>): readonly JsonObject[] {
  return wanted.flatMap(({ deviceName, count = 1 }) =>
    Array.from({ length: count }, (_, index) => ({ name: `${deviceName.replaceAll(/[./]/g, '-')}-${index + 1}`, deviceName })),
  )
}

function rootVolume({ rootVolume: { persistent } }: KubevirtPool, image: string): JsonObject {
  const { size = '32Gi', storageClass, accessModes, volumeMode } = persistent ?? {}
  const storage = {
    resources: { requests: { storage: size } },
    ...(storageClass === undefined ? {} : { storageClassName: storageClass }),
    ...(accessModes === undefined ? {} : { accessModes }),
    ...(volumeMode === undefined ? {} : { volumeMode }),
  }
  return { source: { registry: { url: `docker://${image}`, pullMethod: 'node' } }, storage }
}
