import { column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { standardConditions } from '../meta/index.ts'
import { choice, int32, list, object, optional } from '../schema/index.ts'
import { assessment, group, namedAfter, scope, scopeType, spec, subjectName, version } from './shared.ts'

/** What nodes of a pool are counted by, in the order in which the counts are written. */
export const nodeSummaries = ['Total', 'Available', 'Progressing', 'Outdated', 'Draining', 'Excluded', 'Degraded'] as const

/** How the update of one pool of nodes goes. */
export const MachineConfigPoolProgressInsight = defineKind({
  group,
  version,
  kind: 'MachineConfigPoolProgressInsight',
  plural: 'machineconfigpoolprogressinsights',
  scope,
  description: 'How the update of one pool of nodes goes.',
  spec,
  status: object('How the update goes.', {
    name: subjectName,
    scopeType,
    assessment,
    completionPercent: int32('How much is done.', { minimum: 0, maximum: 100 }),
    summaries: optional(
      list(
        'How many nodes are in which state.',
        object('One count.', {
          type: choice('The state.', nodeSummaries),
          count: int32('How many nodes.', { minimum: 0, maximum: 2000 }),
        }),
        { maxItems: 7, keys: ['type'] },
      ),
    ),
    conditions: optional(standardConditions({ maxItems: 5 })),
  }),
  rules: [namedAfter('.status.name')],
  printerColumns: [column('Assessment', '.status.assessment'), column('Completion', '.status.completionPercent', { type: 'integer' })],
})
export type MachineConfigPoolProgressInsight = ObjectOf<typeof MachineConfigPoolProgressInsight>
