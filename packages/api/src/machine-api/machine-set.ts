import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { labelSelector } from '../meta/index.ts'
import { choice, int32, int64, openObject, optional, text } from '../schema/index.ts'
import { machineSpec, templateMetadata } from './machine-spec.ts'

/** A number of machines of a classic cluster that are alike. */
export const MachineSet = defineKind({
  group: 'machine.openshift.io',
  version: 'v1beta1',
  kind: 'MachineSet',
  plural: 'machinesets',
  description: 'A number of machines of a classic cluster that are alike.',
  spec: openObject('The machines that are asked for.', {
    replicas: optional(int32('How many.', { default: 1 })),
    minReadySeconds: optional(int32('How long a machine must be ready to count as available.')),
    deletePolicy: optional(choice('Which to remove first.', ['Random', 'Newest', 'Oldest'])),
    selector: optional(labelSelector('Which machines belong to it.')),
    template: optional(
      openObject('What a machine is made from.', {
        metadata: optional(templateMetadata('What the machine is born with.')),
        spec: optional(machineSpec('The machine.')),
      }),
    ),
  }),
  status: openObject('How the machines are doing.', {
    replicas: optional(int32('Machines that exist.')),
    fullyLabeledReplicas: optional(int32('Those with all labels of the template.')),
    readyReplicas: optional(int32('Those whose node is ready.')),
    availableReplicas: optional(int32('Those whose node has been ready for long enough.')),
    observedGeneration: optional(int64('The generation that this was judged from.')),
    errorReason: optional(text('What is wrong, in a word.')),
    errorMessage: optional(text('What is wrong, in words.')),
  }),
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.replicas',
    labelSelectorPath: '.status.labelSelector',
  },
  printerColumns: [
    column('Desired', '.spec.replicas', { type: 'integer' }),
    column('Current', '.status.replicas', { type: 'integer' }),
    column('Ready', '.status.readyReplicas', { type: 'integer' }),
    column('Available', '.status.availableReplicas'),
    ageColumn,
  ],
})
export type MachineSet = ObjectOf<typeof MachineSet>
