import { secretKeyReference } from '../meta/index.ts'
import { choice, flag, immutable, list, object, optional, rule, text } from '../schema/index.ts'

const name = (description: string) => text(description, { maxLength: 255 })

/** How the cluster that runs the virtual machines is reached when it is not the management cluster. */
export const kubevirtCredentials = object('The cluster that runs the virtual machines, when it is another one.', {
  infraKubeConfigSecret: optional(
    object('Its kubeconfig.', secretKeyReference('').properties, { rules: [immutable('infraKubeConfigSecret')] }),
  ),
  infraNamespace: text('The namespace there.', { maxLength: 255, rules: [immutable('infraNamespace')] }),
})

const storageDriver = object(
  'How volumes of the guest become volumes of the cluster below.',
  {
    type: optional(
      choice('Which classes are offered to the guest.', ['None', 'Default', 'Manual'], {
        default: 'Default',
        rules: [immutable('storageDriver.Type')],
      }),
    ),
    manual: optional(
      object(
        'For Manual.',
        {
          storageClassMapping: optional(
            list(
              'Storage classes.',
              object('One class.', {
                infraStorageClassName: name('Below.'),
                guestStorageClassName: name('In the guest.'),
                group: optional(name('Classes of one group can take snapshots of each other.')),
              }),
              { maxItems: 50, rules: [immutable('storageClassMapping')] },
            ),
          ),
          volumeSnapshotClassMapping: optional(
            list(
              'Snapshot classes.',
              object('One class.', {
                infraVolumeSnapshotClassName: name('Below.'),
                guestVolumeSnapshotClassName: name('In the guest.'),
                group: optional(name('Classes of one group can take snapshots of each other.')),
              }),
              { maxItems: 50, rules: [immutable('volumeSnapshotClassMapping')] },
            ),
          ),
        },
        { rules: [immutable('storageDriver.Manual')] },
      ),
    ),
  },
  { rules: [immutable('storageDriver')] },
)

export const kubevirtPlatform = object(
  'For KubeVirt.',
  {
    baseDomainPassthrough: optional(
      flag('Whether the guest gets a name below that of the management cluster.', { rules: [immutable('baseDomainPassthrough')] }),
    ),
    generateID: optional(
      text('Makes names in the cluster below unique.', {
        maxLength: 11,
        rules: [rule('self == oldSelf', 'Kubevirt GenerateID is immutable once set')],
      }),
    ),
    credentials: optional(kubevirtCredentials),
    storageDriver: optional(storageDriver),
  },
  { rules: [rule('has(self.generateID) || !has(oldSelf.generateID)', 'Kubevirt GenerateID is required once set')] },
)
