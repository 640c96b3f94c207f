import { column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { choice, list, object, optional, rule, text, time } from '../schema/index.ts'
import { group, resourceReference, scope, scopeType, spec, version } from './shared.ts'

/** From the least to the most severe. */
export const impactLevels = ['Unknown', 'Info', 'Warning', 'Error', 'Critical'] as const

export const impactTypes = [
  'None',
  'Unknown',
  'API Availability',
  'Cluster Capacity',
  'Application Availability',
  'Application Outage',
  'Data Loss',
  'Update Speed',
  'Update Stalled',
] as const

/** Something worth knowing about an update: what it means, and what to do. */
export const UpdateHealthInsight = defineKind({
  group,
  version,
  kind: 'UpdateHealthInsight',
  plural: 'updatehealthinsights',
  scope,
  description: 'Something worth knowing about an update: what it means, and what to do.',
  spec,
  status: object('What was found.', {
    startedAt: time('Since when.'),
    scope: object('What it is about.', {
      type: scopeType,
      resources: optional(list('The objects.', resourceReference('One object.'), { maxItems: 128, as: 'atomic' })),
    }),
    impact: object('What it means.', {
      level: choice('How severe it is.', impactLevels),
      type: choice('What suffers.', impactTypes),
      summary: text('In a sentence.', { minLength: 1, maxLength: 256 }),
      description: optional(text('In detail.', { maxLength: 4096 })),
    }),
    remediation: object('What to do.', {
      reference: text('Where that is described.', { maxLength: 512, rules: [rule('isURL(self)', 'reference must a valid URL')] }),
      estimatedFinish: optional(time('When it should be over by itself.')),
    }),
  }),
  printerColumns: [
    column('Level', '.status.impact.level'),
    column('Impact', '.status.impact.type'),
    column('Summary', '.status.impact.summary'),
  ],
})
export type UpdateHealthInsight = ObjectOf<typeof UpdateHealthInsight>
