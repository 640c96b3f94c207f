import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { clusterApiConditions, objectReference } from '../meta/index.ts'
import { choice, flag, int64, list, object, optional, text, time } from '../schema/index.ts'
import { categories, group, machineSpec, version } from './machine-spec.ts'
import { failure, nextStatus, observedGeneration } from './status.ts'

const status = object('How the machine is doing.', {
  phase: optional(
    choice('How far it is.', ['Pending', 'Provisioning', 'Provisioned', 'Running', 'Deleting', 'Deleted', 'Failed', 'Unknown']),
  ),
  bootstrapReady: optional(flag('Whether its user data is there.')),
  infrastructureReady: optional(flag('Whether the provider has made it.')),
  nodeRef: optional(objectReference('The node that it became.')),
  nodeInfo: optional(
    object('What that node says of itself.', {
      architecture: text('Its processor.'),
      bootID: text('Changes with every start.'),
      containerRuntimeVersion: text('What runs its containers.'),
      kernelVersion: text('Its kernel.'),
      kubeProxyVersion: text('Not used any more.'),
      kubeletVersion: text('Its kubelet.'),
      machineID: text('Its identity as a system.'),
      operatingSystem: text('linux or windows.'),
      osImage: text('Its operating system, in words.'),
      systemUUID: text('Its identity as hardware.'),
      swap: optional(object('Its swap space.', { capacity: optional(int64('In bytes.')) })),
    }),
  ),
  addresses: optional(
    list(
      'How it is reached.',
      object('One address.', {
        type: choice('What it is.', ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS']),
        address: text('The address.', { minLength: 1, maxLength: 256 }),
      }),
    ),
  ),
  conditions: optional(clusterApiConditions()),
  lastUpdated: optional(time('When the phase changed last.')),
  certificatesExpiryDate: optional(time('When its certificates end.')),
  deletion: optional(
    object('How far its deletion is.', {
      nodeDrainStartTime: optional(time('When draining began.')),
      waitForNodeVolumeDetachStartTime: optional(time('When waiting for volumes began.')),
    }),
  ),
  ...failure,
  observedGeneration,
  v1beta2: optional(nextStatus),
})

/** One machine, from its user data to its node. */
export const Machine = defineKind({
  group,
  version,
  kind: 'Machine',
  plural: 'machines',
  shortNames: ['ma'],
  categories,
  description: 'One machine, from its user data to its node.',
  spec: machineSpec('The machine that is asked for.'),
  status,
  printerColumns: [
    column('Cluster', '.spec.clusterName'),
    column('NodeName', '.status.nodeRef.name'),
    column('ProviderID', '.spec.providerID'),
    column('Phase', '.status.phase'),
    ageColumn,
    column('Version', '.spec.version'),
  ],
})
export type Machine = ObjectOf<typeof Machine>
