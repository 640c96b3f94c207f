import { ageColumn, column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { clusterApiConditions, objectReference } from '../meta/index.ts'
import { choice, flag, int32, list, map, object, openObject, optional, text } from '../schema/index.ts'
import { categories, gates, group, version } from './machine-spec.ts'
import { failure, observedGeneration } from './status.ts'

const ranges = (description: string) =>
  object(description, { cidrBlocks: list('The ranges.', text('A range.', { minLength: 1, maxLength: 43 }), { maxItems: 100 }) })

const spec = object('The cluster that is asked for.', {
  paused: optional(flag('Stops changes to everything that belongs to it.')),
  clusterNetwork: optional(
    object('Its networks.', {
      apiServerPort: optional(int32('The port of the API server.')),
      services: optional(ranges('Where services get their addresses from.')),
      pods: optional(ranges('Where pods get their addresses from.')),
      serviceDomain: optional(text('The domain of its services.', { minLength: 1, maxLength: 253 })),
    }),
  ),
  controlPlaneEndpoint: optional(
    object('Where its API server is.', { host: optional(text('The host.', { maxLength: 512 })), port: optional(int32('The port.')) }),
  ),
  controlPlaneRef: optional(objectReference('Who runs its control plane.')),
  infrastructureRef: optional(objectReference('What the provider makes of it.')),
  availabilityGates: optional(gates),
  topology: optional(openObject('A description of the whole cluster by a class; not used by us.', {})),
})

const status = object('How the cluster is doing.', {
  phase: optional(choice('How far it is.', ['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'])),
  infrastructureReady: optional(flag('Whether the provider is done.')),
  controlPlaneReady: optional(flag('Whether the control plane is.')),
  conditions: optional(clusterApiConditions()),
  failureDomains: optional(
    map(
      'Where machines can run.',
      object('One place.', {
        controlPlane: optional(flag('Whether control plane machines can run there.')),
        attributes: optional(map('Anything else about it.', text('A value.'))),
      }),
    ),
  ),
  ...failure,
  observedGeneration,
  v1beta2: optional(openObject('What the next version of the API says instead.', {})),
})

/** A cluster as Cluster API sees it: the owner of its machines. */
export const Cluster = defineKind({
  group,
  version,
  kind: 'Cluster',
  plural: 'clusters',
  shortNames: ['cl'],
  categories,
  description: 'A cluster as Cluster API sees it: the owner of its machines.',
  spec,
  status,
  printerColumns: [
    column('ClusterClass', '.spec.topology.class'),
    column('Phase', '.status.phase'),
    ageColumn,
    column('Version', '.spec.topology.version'),
  ],
})
export type Cluster = ObjectOf<typeof Cluster>
