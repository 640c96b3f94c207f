import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { objectReference } from '../meta/index.ts'
import { anyObject, list, openObject, optional, text, time } from '../schema/index.ts'
import { machineSpec } from './machine-spec.ts'

const label = (name: string): string => String.raw`.metadata.labels['machine\.openshift\.io/${name}']`

/** One machine of a classic cluster. */
export const Machine = defineKind({
  group: 'machine.openshift.io',
  version: 'v1beta1',
  kind: 'Machine',
  plural: 'machines',
  description: 'One machine of a classic cluster.',
  spec: machineSpec('The machine that is asked for.'),
  status: openObject('How the machine is doing.', {
    phase: optional(text('How far it is: Provisioning, Provisioned, Running, Deleting or Failed.')),
    nodeRef: optional(objectReference('The node that it became.')),
    lastUpdated: optional(time('When this was written last.')),
    errorReason: optional(text('What went wrong for good, in a word.')),
    errorMessage: optional(text('What went wrong for good, in words.')),
    addresses: optional(list('How it is reached.', anyObject('One address.'))),
    providerStatus: optional(anyObject('What the provider reports.')),
  }),
  printerColumns: [
    column('Phase', '.status.phase'),
    column('Type', label('instance-type')),
    column('Region', label('region')),
    column('Zone', label('zone')),
    ageColumn,
    column('Node', '.status.nodeRef.name', { priority: 1 }),
    column('ProviderID', '.spec.providerID', { priority: 1 }),
    column('State', String.raw`.metadata.annotations['machine\.openshift\.io/instance-state']`, { priority: 1 }),
  ],
})
export type Machine = ObjectOf<typeof Machine>
