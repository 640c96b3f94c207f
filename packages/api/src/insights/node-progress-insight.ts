import { column, conditionColumn, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { standardConditions } from '../meta/index.ts'
import { object, optional, rule, text } from '../schema/index.ts'
import { group, namedAfter, resourceReference, scope, scopeType, semanticVersion, spec, version } from './shared.ts'

/** How the update of one node goes. */
export const NodeProgressInsight = defineKind({
  group,
  version,
  kind: 'NodeProgressInsight',
  plural: 'nodeprogressinsights',
  scope,
  description: 'How the update of one node goes.',
  spec,
  status: object('How the update goes.', {
    name: text('The node.', { minLength: 1, maxLength: 253 }),
    poolResource: resourceReference('The pool that it is in.', [
      rule(
        "has(self.group) && self.group == 'machineconfiguration.openshift.io' && self.resource == 'machineconfigpools'",
        'resource must be a machineconfigpools.machineconfiguration.openshift.io resource',
      ),
    ]),
    scopeType,
    version: optional(text('The version that it runs; absent when it is not known.', { maxLength: 64, pattern: `^(${semanticVersion})$` })),
    estimatedToComplete: optional(text('How much longer it should take, such as 10m0s.', { format: 'duration' })),
    message: optional(text('What to know about it.', { maxLength: 100 })),
    conditions: optional(standardConditions({ maxItems: 5 })),
  }),
  rules: [namedAfter('.status')],
  printerColumns: [
    column('Pool', '.status.poolResource.name'),
    conditionColumn('Phase', 'Updating', 'reason'),
    column('Version', '.status.version'),
  ],
})
export type NodeProgressInsight = ObjectOf<typeof NodeProgressInsight>
