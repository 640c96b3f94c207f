import { defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { clusterApiConditions } from '../meta/index.ts'
import { choice, flag, int64, list, map, object, openObject, optional, quantity, rule, text } from '../schema/index.ts'

const resourceFields = {
  id: optional(text('Its id.')),
  filters: optional(
    list(
      'Filters; all must match.',
      object('One filter.', { name: text('What to look at.'), values: list('What to look for.', text('A value.')) }),
    ),
  ),
}

const onOff = (description: string, byDefault: 'enabled' | 'disabled') =>
  choice(description, ['enabled', 'disabled'], { default: byDefault })

const machine = openObject(
  'The instance.',
  {
    instanceType: text('Its type.', { minLength: 2 }),
    ami: optional(openObject('Its image.', { id: optional(text('The id of the image.')) })),
    iamInstanceProfile: optional(text('Its profile.')),
    subnet: optional(object('Where it is attached.', resourceFields)),
    additionalSecurityGroups: optional(list('Security groups.', object('One group.', resourceFields))),
    additionalTags: optional(map('Tags.', text('A value.'))),
    rootVolume: optional(
      object('Its root volume.', {
        deviceName: optional(text('The device.')),
        size: int64('Its size in GiB.', { minimum: 8 }),
        type: optional(text('Its type.')),
        iops: optional(int64('Operations per second that are paid for.')),
        throughput: optional(int64('MiB per second that are paid for.')),
        encrypted: optional(flag('Whether it is encrypted.')),
        encryptionKey: optional(text('The key for that.')),
      }),
    ),
    tenancy: optional(choice('Who shares the hardware.', ['default', 'dedicated', 'host'])),
    marketType: optional(choice('How it is paid for.', ['OnDemand', 'Spot', 'CapacityBlock'])),
    spotMarketOptions: optional(object('For Spot.', { maxPrice: optional(text('The most that is paid per hour.')) })),
    capacityReservationId: optional(text('Capacity that was reserved.')),
    instanceMetadataOptions: optional(
      object('What it may ask about itself, and how.', {
        httpEndpoint: optional(onOff('Whether at all.', 'enabled')),
        httpProtocolIpv6: optional(onOff('Whether over IPv6.', 'disabled')),
        httpPutResponseHopLimit: optional(int64('How far the answer travels.', { default: 1, minimum: 1, maximum: 64 })),
        httpTokens: optional(choice('Whether a token is needed.', ['optional', 'required'], { default: 'optional' })),
        instanceMetadataTags: optional(onOff('Whether its tags are among the answers.', 'disabled')),
      }),
    ),
    cloudInit: optional(
      openObject('How user data is handed over.', {
        insecureSkipSecretsManager: optional(flag('Whether it is handed over directly.')),
      }),
    ),
    uncompressedUserData: optional(flag('Whether user data is left uncompressed; Ignition needs that.')),
    sshKeyName: optional(text('The key pair for logging in.')),
    publicIP: optional(flag('Whether it gets a public address.')),
    providerID: optional(text('The name that the provider gave it.')),
  },
  {
    rules: [
      rule(
        "!has(self.capacityReservationId) || !has(self.marketType) || self.marketType != 'Spot'",
        'capacityReservationId may not be set when marketType is Spot',
      ),
      rule(
        '!has(self.capacityReservationId) || !has(self.spotMarketOptions)',
        'capacityReservationId cannot be set when spotMarketOptions is specified',
      ),
    ],
  },
)

/** What the instances of a node pool are made from. `status.capacity` is what the autoscaler needs to scale from zero. */
export const AWSMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1beta2',
  kind: 'AWSMachineTemplate',
  plural: 'awsmachinetemplates',
  shortNames: ['awsmt'],
  categories: ['cluster-api'],
  description: 'What the instances of a node pool are made from.',
  spec: object('The template.', {
    template: object('What a machine is made from.', {
      metadata: optional(
        object('What it is born with.', {
          labels: optional(map('Labels.', text('A value.'))),
          annotations: optional(map('Annotations.', text('A value.'))),
        }),
      ),
      spec: machine,
    }),
  }),
  status: object('What such an instance offers.', {
    capacity: optional(map('Its processors, memory and the like.', quantity('An amount.'))),
    nodeInfo: optional(
      object('What its node will say of itself.', {
        architecture: optional(choice('Its processor.', ['amd64', 'arm64'])),
        operatingSystem: optional(choice('Its operating system.', ['linux', 'windows'])),
      }),
    ),
    conditions: optional(clusterApiConditions()),
  }),
})
export type AWSMachineTemplate = ObjectOf<typeof AWSMachineTemplate>
