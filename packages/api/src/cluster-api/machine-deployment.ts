import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { clusterApiConditions, labelSelector } from '../meta/index.ts'
import { choice, countOrPercent, flag, int32, object, optional, time } from '../schema/index.ts'
import { categories, clusterName, group, machineNaming, machineTemplate, scale, version } from './machine-spec.ts'
import { nextReplicasStatus, observedGeneration, selectorText } from './status.ts'

const spec = object('The machines that are asked for, and how to get from the old ones to them.', {
  clusterName,
  replicas: optional(int32('How many.')),
  selector: labelSelector('Which machines belong to it.'),
  template: machineTemplate('What a machine is made from. A change of it is a rollout.'),
  strategy: optional(
    object('How a rollout goes.', {
      type: optional(choice('Machine by machine, or as somebody deletes them.', ['RollingUpdate', 'OnDelete'])),
      rollingUpdate: optional(
        object('For RollingUpdate.', {
          maxSurge: optional(countOrPercent('How many machines there may be too many.')),
          maxUnavailable: optional(countOrPercent('How many there may be too few.')),
          deletePolicy: optional(choice('Which to remove first.', ['Random', 'Newest', 'Oldest'])),
        }),
      ),
      remediation: optional(object('How broken machines are replaced.', { maxInFlight: optional(countOrPercent('How many at once.')) })),
    }),
  ),
  machineNamingStrategy: optional(machineNaming),
  minReadySeconds: optional(int32('How long a machine must be ready to count as available.')),
  revisionHistoryLimit: optional(int32('How many old MachineSets are kept.')),
  progressDeadlineSeconds: optional(int32('Not used any more.')),
  rolloutAfter: optional(time('Replaces machines that are older than this, once it has come.')),
  paused: optional(flag('Stops changes.')),
})

const status = object('How the machines are doing.', {
  observedGeneration,
  phase: optional(choice('What it is doing.', ['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'])),
  selector: selectorText,
  replicas: optional(int32('Machines that exist.')),
  updatedReplicas: optional(int32('Those made from the current template.')),
  readyReplicas: optional(int32('Those whose node is ready.')),
  availableReplicas: optional(int32('Those whose node has been ready for long enough.')),
  unavailableReplicas: optional(int32('Those that are missing or not available.')),
  conditions: optional(clusterApiConditions()),
  v1beta2: optional(nextReplicasStatus),
})

/** Machines that are replaced step by step when their template changes. A Replace node pool has one. */
export const MachineDeployment = defineKind({
  group,
  version,
  kind: 'MachineDeployment',
  plural: 'machinedeployments',
  shortNames: ['md'],
  categories,
  description: 'Machines that are replaced step by step when their template changes.',
  spec,
  status,
  scale,
  printerColumns: [
    column('Cluster', '.spec.clusterName'),
    column('Desired', '.spec.replicas', { type: 'integer', priority: 10 }),
    column('Replicas', '.status.replicas', { type: 'integer' }),
    column('Ready', '.status.readyReplicas', { type: 'integer' }),
    column('Updated', '.status.updatedReplicas', { type: 'integer' }),
    column('Unavailable', '.status.unavailableReplicas', { type: 'integer' }),
    column('Phase', '.status.phase'),
    ageColumn,
    column('Version', '.spec.template.spec.version'),
  ],
})
export type MachineDeployment = ObjectOf<typeof MachineDeployment>
