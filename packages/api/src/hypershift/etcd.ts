import { localReference } from '../meta/index.ts'
import { choice, immutable, list, object, optional, quantity, rule, text } from '../schema/index.ts'
import type { ObjectOptions } from '../schema/options.ts'

/** What a hosted cluster gets that says nothing about etcd. */
export const defaultEtcd = {
  managementType: 'Managed',
  managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
}

const storage = object(
  'Where it keeps its data.',
  {
    type: choice('The kind of storage.', ['PersistentVolume']),
    persistentVolume: optional(
      object('For PersistentVolume.', {
        size: optional(quantity('How large each volume is.', { default: '8Gi', rules: [immutable('Etcd PV storage size')] })),
        storageClassName: optional(text('Its storage class.', { maxLength: 255, rules: [immutable('storageClassName')] })),
      }),
    ),
    restoreSnapshotURL: optional(
      list('A snapshot to start from.', text('Its URL.', { maxLength: 1024 }), {
        maxItems: 1,
        as: 'set',
        rules: [
          rule('self.size() < 2', "RestoreSnapshotURL shouldn't contain more than 1 entry"),
          immutable('restoreSnapshotURL'),
          rule("self.all(url, url.matches('^(https|s3)://.*'))", 'restoreSnapshotURL must be a valid URL with scheme https or s3'),
        ],
      }),
    ),
  },
  {
    rules: [
      rule(
        'has(self.restoreSnapshotURL) == has(oldSelf.restoreSnapshotURL)',
        'restoreSnapshotURL cannot be added or removed after creation',
      ),
    ],
  },
)

const fields = {
  managementType: choice('Who runs it: we, or somebody else.', ['Managed', 'Unmanaged'], { rules: [immutable('managementType')] }),
  managed: optional(object('For Managed.', { storage })),
  unmanaged: optional(
    object('For Unmanaged.', {
      endpoint: text('Where it is.', { maxLength: 255, pattern: '^https://' }),
      tls: object('How to be let in.', { clientSecret: localReference('The Secret with certificate, key and authority.') }),
    }),
  ),
}

export function etcd(options: Pick<ObjectOptions, 'default'> = {}) {
  return object('The store of the control plane.', fields, {
    ...options,
    rules: [
      rule(
        "(self.managementType == 'Managed') == has(self.managed)",
        'Only managed configuration must be set when managementType is Managed',
      ),
      rule(
        "(self.managementType == 'Unmanaged') == has(self.unmanaged)",
        'Only unmanaged configuration must be set when managementType is Unmanaged',
      ),
    ],
  })
}
