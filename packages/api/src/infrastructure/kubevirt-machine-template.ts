import { defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { objectReference } from '../meta/index.ts'
import { anyObject, choice, list, nullable, object, openObject, optional, text } from '../schema/index.ts'

const metadata = optional(nullable(anyObject('Labels and annotations.')))

/** What the virtual machines of a node pool are made from. The description of the machine itself is KubeVirt's and kept as it is. */
export const KubevirtMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'KubevirtMachineTemplate',
  plural: 'kubevirtmachinetemplates',
  categories: ['cluster-api'],
  description: 'What the virtual machines of a node pool are made from.',
  spec: object('The template.', {
    template: object('What a machine is made from.', {
      spec: object('The machine.', {
        virtualMachineTemplate: optional(
          openObject('The virtual machine.', {
            metadata,
            spec: optional(
              openObject('In the words of KubeVirt.', {
                runStrategy: optional(text('When it runs.')),
                dataVolumeTemplates: optional(
                  list('Its disks.', nullable(openObject('One disk.', { metadata, spec: anyObject('In the words of CDI.') }))),
                ),
                template: openObject('What its pod is made from.', { metadata, spec: optional(anyObject('In the words of KubeVirt.')) }),
              }),
            ),
          }),
        ),
        virtualMachineBootstrapCheck: optional(
          object('How to find out that it has started.', {
            checkStrategy: optional(choice('The way.', ['none', 'ssh'], { default: 'ssh' })),
          }),
        ),
        infraClusterSecretRef: optional(objectReference('The cluster that runs it, when it is another one.')),
        providerID: optional(text('The name that the provider gave it.')),
      }),
    }),
  }),
})
export type KubevirtMachineTemplate = ObjectOf<typeof KubevirtMachineTemplate>
