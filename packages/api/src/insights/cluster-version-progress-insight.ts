import type { TObject } from 'typebox'
import { column, defineKind } from '../kind.ts'
import type { ObjectOf } from '../kind.ts'
import { standardConditions } from '../meta/index.ts'
import type { Rule } from '../schema/index.ts'
import { choice, int32, list, object, optional, rule, text, time } from '../schema/index.ts'
import { assessment, group, namedAfter, scope, semanticVersion, spec, subjectName, version } from './shared.ts'

const versionFields = {
  version: optional(text('The version; absent when it is not known.', { minLength: 5, maxLength: 64, pattern: `^${semanticVersion}$` })),
  metadata: optional(
    list(
      'What is special about it.',
      object('One fact.', {
        key: choice('What.', ['Installation', 'Partial', 'Architecture']),
        value: optional(text('The value; absent means true.', { maxLength: 32 })),
      }),
      { maxItems: 2, keys: ['key'] },
    ),
  ),
}

function endOfUpdate(description: string, rules: readonly Rule[]): TObject<typeof versionFields> {
  return object(description, versionFields, { rules })
}

const has = (of: string, key: string): string => `(has(${of}.metadata) && ${of}.metadata.exists(m, m.key == '${key}'))`

const versions = object(
  'From where to where.',
  {
    target: endOfUpdate('Where to.', [
      rule('has(self.version) && size(self.version) > 0', 'Target version must be set and not empty'),
      rule(`!${has('self', 'Partial')}`, "target version cannot have 'Partial' metadata"),
    ]),
    previous: optional(
      endOfUpdate('Where from; absent for an installation.', [
        rule(`!${has('self', 'Installation')}`, "previous version cannot have 'Installation' metadata"),
      ]),
    ),
  },
  {
    rules: [
      rule(
        `has(self.previous) || ${has('self.target', 'Installation')}`,
        "target version must have 'Installation' metadata when previous version is empty",
      ),
      rule(
        `!has(self.previous) || !${has('self.target', 'Installation')}`,
        "target version can only have 'Installation' metadata when previous version is empty",
      ),
    ],
  },
)

/** How the update of a cluster's control plane goes. */
export const ClusterVersionProgressInsight = defineKind({
  group,
  version,
  kind: 'ClusterVersionProgressInsight',
  plural: 'clusterversionprogressinsights',
  scope,
  description: 'How the update of the control plane goes.',
  spec,
  status: object('How the update goes.', {
    name: subjectName,
    assessment,
    versions,
    completionPercent: int32('How much is done.', { minimum: 0, maximum: 100 }),
    startedAt: time('When it began.'),
    lastObservedProgress: time('When something moved last.'),
    completedAt: optional(time('When it was done.')),
    estimatedCompletedAt: optional(time('When it should be done.')),
    conditions: optional(standardConditions({ maxItems: 5 })),
  }),
  rules: [namedAfter('.status')],
  printerColumns: [
    column('Assessment', '.status.assessment'),
    column('Completion', '.status.completionPercent', { type: 'integer' }),
    column('Target', '.status.versions.target.version'),
    column('Est', '.status.estimatedCompletedAt'),
  ],
})
export type ClusterVersionProgressInsight = ObjectOf<typeof ClusterVersionProgressInsight>
