import type { Made, Making } from './making.ts'

/** What a pool says of machines on Azure, which our schema leaves open. */
interface AzurePool {
  readonly vmSize: string
  readonly subnetID?: string
  readonly availabilityZone?: string
  readonly encryptionAtHost?: string
  readonly image?: {
    readonly type?: string
    readonly imageID?: string
    readonly azureMarketplace?: {
      readonly publisher?: string
      readonly offer?: string
      readonly sku?: string
      readonly version?: string
    }
  }
  readonly osDisk?: {
    readonly sizeGiB?: number
    readonly diskStorageAccountType?: string
    readonly encryptionSetID?: string
    readonly persistence?: string
  }
  readonly diagnostics?: { readonly storageAccountType?: string; readonly userManaged?: { readonly storageAccountURI?: string } }
}

/** The provider wants a key for logging in. This is one that nobody has the other half of. */
const nobodysKey =
  'c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFCQVFDbmhrNS9OOXdyQWxDb3pzOUtIelpJNnNidnpMdUUwMStzNGswdWZoUHdoeW1OUzBMcGg0RGxybkRIeTk4TTQ0WUlQYW9pRmpmWXpMN3NyYk1LRlk4bHFoaGZFZ1d4R21LWWttZFJVUUM5emI1OW9zSU9IRDVMS24xNjVRcWl6bXRvNmxHbytJUTZtbzM1cFNWeWkxVmhndm5NTndJbHYyV0ZNYXVhYWFvbEVVK0ZOb2xINVk3VDlNQXN4dU80SWYvdlZ2dVcrTTBrMmkySDRRbVdRbFdrLzZGQXVpUnh3QjVWc0JXMGljblhJMjlUcnRBSVJqVDR6bDdXbWJWSVUyWGNKNDRTSGNQc010UW9jeFY3MW9nc2k5R3Z0aVJaTlZuUWloSFM4UEFTb0pJYnVLL01TUk9oWnlqVkxVMEw3YjRRVEpBYlpKZ2FjWXZzKzYrNDA5QlgK'

/** Virtual machines on Azure. */
export function azureMachine({ pool, bootImage }: Making): Made {
  const azure: AzurePool | undefined = pool.spec.platform.azure
  if (azure === undefined) return { problem: 'spec.platform.azure is not set' }
  const subnetName = /\/subnets\/([^/]+)\/?$/i.exec(azure.subnetID ?? '')?.[1]
  if (subnetName === undefined)
    return { problem: 'spec.platform.azure.subnetID does not name a subnet: …/virtualNetworks/<network>/subnets/<subnet>' }
  const image = imageOf(azure, bootImage)
  if (image === undefined) {
    return {
      problem:
        'no image is known: set spec.platform.azure.image to an imageID, or to all of azureMarketplace: publisher, offer, sku and version',
    }
  }
  const { availabilityZone, encryptionAtHost } = azure
  return {
    spec: {
      vmSize: azure.vmSize,
      image,
      osDisk: osDisk(azure),
      networkInterfaces: [{ subnetName }],
      ...(availabilityZone ? { failureDomain: availabilityZone } : {}),
      ...(encryptionAtHost === 'Enabled' ? { securityProfile: { encryptionAtHost: true } } : {}),
      ...diagnostics(azure),
      sshPublicKey: nobodysKey,
    },
  }
}

function imageOf({ image = {} }: AzurePool, bootImage: string | undefined): object | undefined {
  const { imageID = bootImage, azureMarketplace = {} } = image
  const { publisher, offer, sku, version } = azureMarketplace
  if (publisher && offer && sku && version) return { marketplace: { publisher, offer, sku, version } }
  return imageID === undefined ? undefined : { id: imageID }
}

/** A disk that goes with its machine can only be cached for reading. */
function osDisk({ osDisk: disk = {} }: AzurePool): object {
  const { sizeGiB, diskStorageAccountType, encryptionSetID, persistence } = disk
  return {
    osType: '',
    ...(sizeGiB === undefined ? {} : { diskSizeGB: sizeGiB }),
    managedDisk: {
      ...(diskStorageAccountType ? { storageAccountType: diskStorageAccountType } : {}),
      ...(encryptionSetID ? { diskEncryptionSet: { id: encryptionSetID } } : {}),
    },
    ...(persistence === 'Ephemeral' ? { cachingType: 'ReadOnly', diffDiskSettings: { option: 'Local' } } : {}),
  }
}

function diagnostics({ diagnostics: wanted }: AzurePool): object {
  const { storageAccountType, userManaged } = wanted ?? {}
  if (!storageAccountType) return {}
  const isOurs = storageAccountType === 'UserManaged' && userManaged !== undefined
  return { diagnostics: { boot: { storageAccountType, ...(isOurs ? { userManaged } : {}) } } }
}
