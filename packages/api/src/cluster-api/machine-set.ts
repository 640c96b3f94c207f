import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { clusterApiConditions, labelSelector } from '../meta/index.ts'
import { choice, int32, object, optional } from '../schema/index.ts'
import { categories, clusterName, group, machineNaming, machineTemplate, scale, version } from './machine-spec.ts'
import { failure, nextReplicasStatus, observedGeneration, selectorText } from './status.ts'

/** A number of machines that are alike. An InPlace node pool has one; a MachineDeployment has one per template. */
export const MachineSet = defineKind({
  group,
  version,
  kind: 'MachineSet',
  plural: 'machinesets',
  shortNames: ['ms'],
  categories,
  description: 'A number of machines that are alike.',
  spec: object('The machines that are asked for.', {
    clusterName,
    replicas: optional(int32('How many.')),
    selector: labelSelector('Which machines belong to it.'),
    template: optional(machineTemplate('What a machine is made from. Existing machines stay as they are.')),
    deletePolicy: optional(choice('Which to remove first.', ['Random', 'Newest', 'Oldest'])),
    machineNamingStrategy: optional(machineNaming),
    minReadySeconds: optional(int32('How long a machine must be ready to count as available.')),
  }),
  status: object('How the machines are doing.', {
    observedGeneration,
    selector: selectorText,
    replicas: optional(int32('Machines that exist.')),
    fullyLabeledReplicas: optional(int32('Those with all labels of the template.')),
    readyReplicas: optional(int32('Those whose node is ready.')),
    availableReplicas: optional(int32('Those whose node has been ready for long enough.')),
    ...failure,
    conditions: optional(clusterApiConditions()),
    v1beta2: optional(nextReplicasStatus),
  }),
  scale,
  printerColumns: [
    column('Cluster', '.spec.clusterName'),
    column('Desired', '.spec.replicas', { type: 'integer', priority: 10 }),
    column('Replicas', '.status.replicas', { type: 'integer' }),
    column('Ready', '.status.readyReplicas', { type: 'integer' }),
    column('Available', '.status.availableReplicas', { type: 'integer' }),
    ageColumn,
    column('Version', '.spec.template.spec.version'),
  ],
})
export type MachineSet = ObjectOf<typeof MachineSet>
