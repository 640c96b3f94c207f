import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { clusterApiConditions, labelSelector, objectReference } from '../meta/index.ts'
import { choice, countOrPercent, duration, int32, list, object, optional, rule, text } from '../schema/index.ts'
import { categories, clusterName, conditionType, group, version } from './machine-spec.ts'
import { nextStatus, observedGeneration } from './status.ts'

const ownedTypes = ['Ready', 'Available', 'HealthCheckSucceeded', 'OwnerRemediated', 'ExternallyRemediated']

const spec = object('Which machines are watched, and when one is replaced.', {
  clusterName,
  selector: labelSelector('Which machines are watched.'),
  unhealthyConditions: optional(
    list(
      'Conditions of a node that make its machine unhealthy; one is enough.',
      object('One condition.', {
        type: text('Its type.', { minLength: 1 }),
        status: text('Which status is bad.', { minLength: 1 }),
        timeout: duration('After how long.'),
      }),
      { maxItems: 100 },
    ),
  ),
  unhealthyMachineConditions: optional(
    list(
      'The same for conditions of the machine.',
      object('One condition.', {
        type: text('Its type.', {
          minLength: 1,
          maxLength: 316,
          pattern: conditionType,
          rules: [
            rule(`!(self in [${ownedTypes.map((type) => `'${type}'`).join(', ')}])`, `type must not be one of: ${ownedTypes.join(', ')}`),
          ],
        }),
        status: choice('Which status is bad.', ['True', 'False', 'Unknown']),
        timeout: duration('After how long.'),
      }),
      { minItems: 1, maxItems: 100, as: 'atomic' },
    ),
  ),
  maxUnhealthy: optional(countOrPercent('With more unhealthy ones than this, nothing is replaced.')),
  unhealthyRange: optional(
    text('Replaces only while the number of unhealthy ones is in this range.', {
      minLength: 1,
      maxLength: 32,
      pattern: String.raw`^\[[0-9]+-[0-9]+\]$`,
    }),
  ),
  nodeStartupTimeout: optional(duration('How long a machine may take to become a node.')),
  remediationTemplate: optional(objectReference('Who replaces, when it is not us.')),
})

const status = object('How the watched machines are doing.', {
  expectedMachines: optional(int32('How many are watched.', { minimum: 0 })),
  currentHealthy: optional(int32('How many are healthy.', { minimum: 0 })),
  remediationsAllowed: optional(int32('How many more may be replaced.', { minimum: 0 })),
  observedGeneration,
  targets: optional(list('The watched machines.', text('One of them.', { minLength: 1, maxLength: 253 }), { maxItems: 10_000 })),
  conditions: optional(clusterApiConditions()),
  v1beta2: optional(nextStatus),
})

/** Replaces machines whose node stays unhealthy, as long as not too many are. */
export const MachineHealthCheck = defineKind({
  group,
  version,
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  shortNames: ['mhc', 'mhcs'],
  categories,
  description: 'Replaces machines whose node stays unhealthy, as long as not too many are.',
  spec,
  status,
  printerColumns: [
    column('Cluster', '.spec.clusterName'),
    column('ExpectedMachines', '.status.expectedMachines', { type: 'integer' }),
    column('MaxUnhealthy', '.spec.maxUnhealthy'),
    column('CurrentHealthy', '.status.currentHealthy', { type: 'integer' }),
    ageColumn,
  ],
})
export type MachineHealthCheck = ObjectOf<typeof MachineHealthCheck>
