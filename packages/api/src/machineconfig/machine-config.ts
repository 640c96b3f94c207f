import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { anyObject, flag, list, nullable, object, optional, text } from '../schema/index.ts'

/** What a node is made of: files, units, kernel arguments, operating system image. */
export const MachineConfig = defineKind({
  group: 'machineconfiguration.openshift.io',
  version: 'v1',
  kind: 'MachineConfig',
  plural: 'machineconfigs',
  shortNames: ['mc'],
  scope: 'Cluster',
  description: 'What a node is made of.',
  spec: object('The configuration.', {
    config: optional(anyObject('An Ignition configuration.')),
    osImageURL: optional(text('The operating system image.')),
    baseOSExtensionsContainerImage: optional(text('The image that holds the extensions.')),
    extensions: optional(list('Sets of packages to add.', text('A set.'), { as: 'atomic' })),
    kernelArguments: optional(nullable(list('Arguments to add to the kernel command line.', text('An argument.'), { as: 'atomic' }))),
    kernelType: optional(text('default, realtime or 64k-pages.')),
    fips: optional(flag('Whether FIPS mode is on.')),
  }),
  printerColumns: [
    column('GeneratedByController', String.raw`.metadata.annotations.machineconfiguration\.openshift\.io/generated-by-controller-version`),
    column('IgnitionVersion', '.spec.config.ignition.version'),
    ageColumn,
  ],
})
export type MachineConfig = ObjectOf<typeof MachineConfig>
