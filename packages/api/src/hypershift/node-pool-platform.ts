import { labelSelector } from '../meta/index.ts'
import {
  choice,
  flag,
  int32,
  int64,
  integer,
  list,
  map,
  numberOrText,
  object,
  openObject,
  optional,
  quantity,
  rule,
  text,
} from '../schema/index.ts'
import { awsResourceFields, awsTagFields } from './platform-aws.ts'
import { platformType } from './platform.ts'

const name = (description: string) => text(description, { maxLength: 255 })

const azureSize = '^(Standard_|Basic_)?[A-Z]+[0-9]+(-[0-9]+)?[abdilmptsCNP]*(_[A-Z]*[0-9]+[A-Z]*)?(_v[0-9]+)?$'

const awsPlacement = object(
  'Where in the account instances run.',
  {
    tenancy: optional(choice('Who shares the hardware.', ['default', 'dedicated', 'host'])),
    marketType: optional(choice('How they are paid for.', ['', 'OnDemand', 'Spot', 'CapacityBlocks'])),
    spot: optional(
      object('For Spot.', {
        maxPrice: optional(
          text('The most that is paid per hour.', { minLength: 1, maxLength: 20, pattern: String.raw`^[0-9]+(\.[0-9]+)?$` }),
        ),
      }),
    ),
    capacityReservation: optional(
      object(
        'Capacity that was reserved.',
        {
          id: optional(
            text('The reservation.', {
              maxLength: 20,
              rules: [
                rule(
                  "self.matches('^cr-[a-f0-9]{17}$')",
                  "AWS Capacity Reservation ID must start with 'cr-' followed by 17 lowercase hexadecimal characters (e.g., cr-0123456789abcdef0)",
                ),
              ],
            }),
          ),
          marketType: optional(choice('How it is paid for.', ['OnDemand', 'CapacityBlocks'])),
          preference: optional(choice('Whether to use reservations at all.', ['', 'None', 'CapacityReservationsOnly', 'Open'])),
        },
        {
          rules: [
            rule(
              "!has(self.id) || !has(self.preference) || !(self.preference in ['None', 'Open'])",
              "AWS Capacity Reservation preference 'None' or 'Open' is incompatible with specifying a Capacity Reservation ID",
            ),
            rule(
              "!has(self.marketType) || self.marketType != 'CapacityBlocks' || has(self.id)",
              "AWS Capacity Reservation market type 'CapacityBlocks' requires a Capacity Reservation ID",
            ),
          ],
        },
      ),
    ),
  },
  {
    rules: [
      rule(
        "!has(self.tenancy) || self.tenancy != 'host' || !has(self.capacityReservation)",
        "AWS Capacity Reservations cannot be used with Dedicated Hosts (tenancy 'host')",
      ),
      rule(
        "!has(self.marketType) || self.marketType != 'Spot' || !has(self.capacityReservation)",
        'Spot instances cannot be combined with Capacity Reservations',
      ),
      rule(
        "!has(self.marketType) || self.marketType != 'Spot' || !has(self.tenancy) || self.tenancy == 'default'",
        'Spot instances require default tenancy or unset',
      ),
      rule(
        "!has(self.marketType) || self.marketType != 'CapacityBlocks' || has(self.capacityReservation)",
        'CapacityBlocks market type requires capacityReservation to be specified',
      ),
      rule(
        "!has(self.spot) || (has(self.marketType) && self.marketType == 'Spot')",
        "spot options can only be specified when marketType is 'Spot'",
      ),
    ],
  },
)

const aws = object('For AWS.', {
  instanceType: name('The type of the instances.'),
  instanceProfile: optional(name('Their profile; one named after the cluster unless told.')),
  subnet: object('Where they are attached.', awsResourceFields, {
    rules: [
      rule(
        "has(self.id) && self.id.startsWith('subnet-') ? !has(self.filters) : has(self.filters) && size(self.filters) > 0",
        'subnet is invalid, a valid subnet id or filters must be set, but not both',
      ),
    ],
  }),
  ami: optional(name('Their image; that of the release unless told.')),
  imageType: optional(choice('Their operating system.', ['Windows', 'Linux'])),
  securityGroups: optional(list('Security groups besides the default one.', object('One group.', awsResourceFields), { maxItems: 50 })),
  rootVolume: optional(
    object('Their root volume.', {
      size: int64('Its size in GiB.', { minimum: 8 }),
      type: name('Its type.'),
      iops: optional(int64('Operations per second that are paid for.')),
      encrypted: optional(flag('Whether it is encrypted.')),
      encryptionKey: optional(text('The key for that.', { maxLength: 2048 })),
    }),
  ),
  resourceTags: optional(
    list('Tags for everything that is made. Those of the cluster win.', object('One tag.', awsTagFields), { maxItems: 25 }),
  ),
  placement: optional(awsPlacement),
})

const kubevirt = object('For KubeVirt.', {
  rootVolume: object(
    'The disk that machines start from.',
    {
      type: optional(choice('The kind of disk.', ['Persistent'], { default: 'Persistent' })),
      diskImage: optional(
        object('The image on it; that of the release unless told.', {
          containerDiskImage: optional(text('A container image with the disk.', { maxLength: 2048 })),
        }),
      ),
      persistent: optional(
        object('For Persistent.', {
          size: optional(quantity('Its size.', { default: '32Gi' })),
          storageClass: optional(name('Its storage class.')),
          accessModes: optional(
            list('How it may be attached.', choice('One mode.', ['ReadWriteOnce', 'ReadWriteMany', 'ReadOnly', 'ReadWriteOncePod']), {
              maxItems: 10,
            }),
          ),
          volumeMode: optional(choice('Whether it is a file system or a device.', ['Filesystem', 'Block'])),
        }),
      ),
      cacheStrategy: optional(
        object('Whether the image is kept for the next machine.', {
          type: choice('Where.', ['None', 'PVC'], { default: 'None' }),
        }),
      ),
    },
    { default: { persistent: { size: '32Gi' }, type: 'Persistent' } },
  ),
  compute: optional(
    object(
      'What each machine gets.',
      {
        cores: optional(int32('Processors.', { minimum: 1 })),
        memory: optional(quantity('Memory.', { default: '8Gi' })),
        qosClass: optional(choice('Whether it is guaranteed.', ['Burstable', 'Guaranteed'], { default: 'Burstable' })),
      },
      { default: { cores: 2, memory: '8Gi' } },
    ),
  ),
  attachDefaultNetwork: optional(flag('Whether machines are on the pod network.', { default: true })),
  additionalNetworks: optional(list('Further networks.', object('One network.', { name: name('Its name.') }), { maxItems: 20 })),
  networkInterfaceMultiqueue: optional(
    choice('Whether network cards have a queue per processor.', ['Enable', 'Disable'], { default: 'Enable' }),
  ),
  hostDevices: optional(
    list(
      'Devices of the host that machines get.',
      object('One kind of device.', {
        deviceName: name('Its resource name.'),
        count: optional(integer('How many.', { default: 1, minimum: 1, maximum: 2_147_483_647 })),
      }),
      { maxItems: 10 },
    ),
  ),
  nodeSelector: optional(map('Which hosts run the machines.', text('A value.'))),
})

const powervs = object('For Power Virtual Server.', {
  systemType: optional(text('The kind of host.', { default: 's922', maxLength: 255 })),
  processorType: optional(choice('How processors are shared.', ['dedicated', 'shared', 'capped'], { default: 'shared' })),
  processors: optional(numberOrText('How many.', { default: '0.5' })),
  memoryGiB: optional(int32('Memory.', { default: 32 })),
  image: optional(
    object('The image; that of the release unless told.', { id: optional(name('Its id.')), name: optional(name('Its name.')) }),
  ),
  storageType: optional(choice('The tier of storage.', ['tier1', 'tier3'], { default: 'tier1' })),
  imageDeletePolicy: optional(choice('What becomes of the image in the end.', ['delete', 'retain'], { default: 'delete' })),
})

/** Where the machines of one pool come from. The type is that of the cluster. Azure is kept as it is. */
export const nodePoolPlatform = object('Where the machines of the pool come from.', {
  type: platformType,
  aws: optional(aws),
  azure: optional(openObject('For Azure.', { vmSize: text('The size of the machines.', { maxLength: 255, pattern: azureSize }) })),
  ibmcloud: optional(object('For IBM Cloud.', { providerType: optional(text('Who provides the infrastructure.')) })),
  kubevirt: optional(kubevirt),
  agent: optional(object('For Agent.', { agentLabelSelector: optional(labelSelector('Which Agents may be taken.')) })),
  powervs: optional(powervs),
})
