import { ageColumn, column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { labelSelector, renderedReferenceFields } from '../meta/index.ts'
import {
  choice,
  countOrPercent,
  flag,
  int32,
  int64,
  knownWord,
  list,
  nullable,
  object,
  optional,
  rule,
  text,
  time,
} from '../schema/index.ts'

const dnsName = String.raw`^([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])(\.([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]{0,61}[a-zA-Z0-9]))*$`

const spec = object('The wanted configuration of a group of nodes.', {
  machineConfigSelector: optional(labelSelector('The machine configs that go into it.')),
  nodeSelector: optional(labelSelector('The nodes that are in the pool.')),
  configuration: optional(object('The rendered config that the nodes should have.', renderedReferenceFields, { isAtomic: true })),
  paused: optional(flag('Stops the nodes from being changed. A new config is still rendered.')),
  maxUnavailable: optional(countOrPercent('How many nodes may be away at once; 1 unless told.')),
  pinnedImageSets: optional(
    list(
      'Images that the nodes keep at hand.',
      object('One set.', { name: text('Its name.', { minLength: 1, maxLength: 253, pattern: dnsName }) }),
      { maxItems: 100, keys: ['name'] },
    ),
  ),
})

/** Written when something was observed about all nodes of the pool. Nothing in it is required. */
const condition = object('One observation about the pool.', {
  type: optional(text('What is observed.')),
  status: optional(knownWord('Whether it holds.', ['True', 'False', 'Unknown'])),
  lastTransitionTime: optional(nullable(time('When the status changed last.'))),
  reason: optional(text('Why, in a word.')),
  message: optional(text('Why, in words.')),
})

const count = (description: string) => int64(description, { minimum: 0 })

const synchronizer = object(
  'How far one thing besides the config has reached the nodes.',
  {
    poolSynchronizerType: choice('What it is.', ['PinnedImageSets'], { maxLength: 256 }),
    machineCount: count('Nodes that should have it.'),
    updatedMachineCount: count('Nodes that have it.'),
    readyMachineCount: count('Nodes that have it and are ready.'),
    availableMachineCount: count('Nodes that could have it.'),
    unavailableMachineCount: count('Nodes that cannot be reached.'),
    observedGeneration: optional(
      int64('The generation this was judged from.', {
        minimum: 0,
        rules: [rule('self >= oldSelf || self == 0', 'observedGeneration must not move backwards except to zero')],
      }),
    ),
  },
  {
    rules: [
      ...(['updated', 'available', 'unavailable', 'ready'] as const).map((part) =>
        rule(`self.machineCount >= self.${part}MachineCount`, `machineCount must be greater than or equal to ${part}MachineCount`),
      ),
      rule(
        'self.availableMachineCount >= self.readyMachineCount',
        'availableMachineCount must be greater than or equal to readyMachineCount',
      ),
    ],
  },
)

const status = object('How far the nodes are.', {
  observedGeneration: optional(int64('The generation that this was judged from.')),
  configuration: optional(object('The rendered config that all nodes have reached.', renderedReferenceFields, { isAtomic: true })),
  machineCount: optional(int32('Nodes in the pool.')),
  updatedMachineCount: optional(int32('Nodes with the wanted config.')),
  readyMachineCount: optional(int32('Nodes with the wanted config that are ready.')),
  unavailableMachineCount: optional(int32('Nodes that are away.')),
  degradedMachineCount: optional(int32('Nodes that failed to take the config.')),
  conditions: optional(list('What has been observed about the pool.', condition, { as: 'atomic' })),
  certExpirys: optional(
    list(
      'Certificates that the nodes carry.',
      object('One certificate.', {
        bundle: text('The bundle it is in.'),
        subject: text('Whom it names.'),
        expiry: optional(time('When it ends.')),
      }),
      { as: 'atomic' },
    ),
  ),
  poolSynchronizersStatus: optional(list('How far other things have reached the nodes.', synchronizer, { keys: ['poolSynchronizerType'] })),
})

/** A group of nodes that share a configuration and are updated together. */
export const MachineConfigPool = defineKind({
  group: 'machineconfiguration.openshift.io',
  version: 'v1',
  kind: 'MachineConfigPool',
  plural: 'machineconfigpools',
  shortNames: ['mcp'],
  scope: 'Cluster',
  description: 'A group of nodes that share a configuration and are updated together.',
  spec,
  status,
  printerColumns: [
    column('Config', '.status.configuration.name'),
    conditionColumn('Updated', 'Updated'),
    conditionColumn('Updating', 'Updating'),
    conditionColumn('Degraded', 'Degraded'),
    column('MachineCount', '.status.machineCount', { type: 'number' }),
    column('ReadyMachineCount', '.status.readyMachineCount', { type: 'number' }),
    column('UpdatedMachineCount', '.status.updatedMachineCount', { type: 'number' }),
    column('DegradedMachineCount', '.status.degradedMachineCount', { type: 'number' }),
    ageColumn,
  ],
})
export type MachineConfigPool = ObjectOf<typeof MachineConfigPool>
