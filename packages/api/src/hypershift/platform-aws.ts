import { choice, flag, list, object, optional, rule, text } from '../schema/index.ts'

const arn = (whose: string) => text(`The role of ${whose}.`, { maxLength: 2048 })
const iamRole = String.raw`^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role\/.*$`

const tagText = (what: 'key' | 'value', maxLength: number) =>
  text(`The ${what}.`, {
    minLength: 1,
    maxLength,
    rules: [
      rule("self.matches('^[0-9A-Za-z_.:/=+@-]+$')", `${what} must only contain letters, digits, and the characters _ . : / = + - @`),
    ],
  })

/** Key and value of a tag on everything that is made in the account. */
export const awsTagFields = { key: tagText('key', 128), value: tagText('value', 256) }

/** Finds something in the account by what it is tagged with. */
export const awsFilters = list(
  'Filters; all must match.',
  object('One filter.', {
    name: text('What to look at.', { maxLength: 255 }),
    values: list('What to look for.', text('A value.', { maxLength: 255 }), { maxItems: 50 }),
  }),
  { maxItems: 50 },
)

/** A resource by its id or by filters. */
export const awsResourceFields = { id: optional(text('Its id.', { maxLength: 255 })), filters: optional(awsFilters) }

export const awsPlatform = object('For AWS.', {
  region: text('The region.', { maxLength: 255 }),
  rolesRef: object('The roles that the parts of the cluster take.', {
    ingressARN: arn('the ingress operator'),
    imageRegistryARN: arn('the image registry'),
    storageARN: arn('the storage operator'),
    networkARN: arn('the network configuration controller'),
    kubeCloudControllerARN: arn('the cloud controller manager'),
    nodePoolManagementARN: arn('the machine provider'),
    controlPlaneOperatorARN: arn('the control plane operator'),
  }),
  endpointAccess: optional(choice('From where the API is reached.', ['Public', 'PublicAndPrivate', 'Private'], { default: 'Public' })),
  cloudProviderConfig: optional(
    object('Where nodes live.', {
      vpc: text('The VPC.', { maxLength: 255 }),
      zone: optional(text('The zone of the subnet.', { maxLength: 255 })),
      subnet: optional(object('The subnet.', awsResourceFields)),
    }),
  ),
  resourceTags: optional(
    list(
      'Tags for everything that is made.',
      object('One tag.', {
        ...awsTagFields,
        overridePolicy: optional(choice('Whether a node pool may set the key to something else.', ['Allow', 'Deny'])),
      }),
      { maxItems: 25 },
    ),
  ),
  serviceEndpoints: optional(
    list(
      'Endpoints of the cloud to use instead of its own.',
      object('One endpoint.', {
        name: text('The service.', { maxLength: 255 }),
        url: text('Its URL.', { maxLength: 2048, pattern: '^https://' }),
      }),
      { maxItems: 50 },
    ),
  ),
  sharedVPC: optional(
    object('For a VPC that another account owns.', {
      localZoneID: text('The zone for the local names of the cluster.', { maxLength: 32 }),
      rolesRef: object('Roles in that account.', {
        ingressARN: text('The role of the ingress operator.', { maxLength: 2048, pattern: iamRole }),
        controlPlaneARN: text('The role of the control plane operator.', { maxLength: 2048, pattern: iamRole }),
      }),
    }),
  ),
  additionalAllowedPrincipals: optional(
    list('Who else may connect to the private endpoint.', text('A principal.', { maxLength: 255 }), { maxItems: 25 }),
  ),
  terminationHandlerQueueURL: optional(
    text('The queue that announces the end of spot instances.', {
      maxLength: 512,
      pattern: String.raw`^https://sqs\.[a-z0-9-]+\.amazonaws\.com/[0-9]{12}/[a-zA-Z0-9_-]+(\.fifo)?$`,
    }),
  ),
  multiArch: optional(flag('Whether nodes may be of more than one architecture.', { default: false })),
})
