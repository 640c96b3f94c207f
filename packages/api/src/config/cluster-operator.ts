import { column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { operatorConditions } from '../meta/index.ts'
import { anyObject, emptyObject, list, nullable, object, optional, text } from '../schema/index.ts'

/** How one operator of a cluster is doing, as the operator itself reports it. */
export const ClusterOperator = defineKind({
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'ClusterOperator',
  plural: 'clusteroperators',
  shortNames: ['co'],
  scope: 'Cluster',
  description: 'How one operator of a cluster is doing.',
  spec: emptyObject('Nothing to configure here.'),
  status: object('What the operator reports.', {
    conditions: optional(operatorConditions()),
    versions: optional(
      list(
        'The versions of its parts; the one named operator is its own, changed when all of its operands have changed.',
        object('One part.', { name: text('The part.'), version: text('Its version.') }),
      ),
    ),
    relatedObjects: optional(
      list(
        'Objects worth a look when something is wrong.',
        object('One object.', {
          group: text('Its API group.'),
          resource: text('Its resource, in the plural.'),
          namespace: optional(text('Its namespace.')),
          name: text('Its name.'),
        }),
      ),
    ),
    extension: optional(nullable(anyObject('Whatever else the operator wants to say.'))),
  }),
  printerColumns: [
    column('Version', '.status.versions[?(@.name=="operator")].version'),
    conditionColumn('Available', 'Available'),
    conditionColumn('Progressing', 'Progressing'),
    conditionColumn('Degraded', 'Degraded'),
    conditionColumn('Since', 'Available', 'lastTransitionTime'),
  ],
})
export type ClusterOperator = ObjectOf<typeof ClusterOperator>
