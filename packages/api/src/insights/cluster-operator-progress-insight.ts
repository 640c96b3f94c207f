import { conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { standardConditions } from '../meta/index.ts'
import { object, optional } from '../schema/index.ts'
import { group, namedAfter, scope, spec, subjectName, version } from './shared.ts'

/** How the update of one cluster operator goes. */
export const ClusterOperatorProgressInsight = defineKind({
  group,
  version,
  kind: 'ClusterOperatorProgressInsight',
  plural: 'clusteroperatorprogressinsights',
  scope,
  description: 'How the update of one cluster operator goes.',
  spec,
  status: object('How the update goes.', { name: subjectName, conditions: optional(standardConditions({ maxItems: 5 })) }),
  rules: [namedAfter('.status')],
  printerColumns: [conditionColumn('Updating', 'Updating', 'reason'), conditionColumn('Healthy', 'Healthy', 'reason')],
})
export type ClusterOperatorProgressInsight = ObjectOf<typeof ClusterOperatorProgressInsight>
