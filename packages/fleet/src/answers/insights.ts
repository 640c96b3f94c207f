import { impactLevels, type UpdateHealthInsight } from '@windlass/api'
import type { InsightView } from '../contract/index.ts'

/** Insights as they are shown, worst first, then those that are open longest. */
export function insightViews(insights: readonly UpdateHealthInsight[]): readonly InsightView[] {
  return insights
    .flatMap((insight) =>
      insight.status === undefined
        ? []
        : [{ rank: impactLevels.indexOf(insight.status.impact.level), view: viewOf(insight, insight.status) }],
    )
    .toSorted((a, b) => b.rank - a.rank || compare(a.view.since ?? '', b.view.since ?? '') || compare(a.view.name, b.view.name))
    .map(({ view }) => view)
}

type Status = NonNullable<UpdateHealthInsight['status']>

const severities: Readonly<Record<Status['impact']['level'], InsightView['severity']>> = {
  Critical: 'Critical',
  Error: 'Critical',
  Warning: 'Warning',
  Info: 'Info',
  Unknown: 'Info',
}

function viewOf({ metadata }: UpdateHealthInsight, { impact, remediation, startedAt, scope }: Status): InsightView {
  return {
    name: metadata.name ?? '',
    summary: impact.summary,
    severity: severities[impact.level],
    impact: impact.type,
    ...(impact.description === undefined || impact.description === '' ? {} : { description: impact.description }),
    ...(remediation.reference === '' ? {} : { remedy: remediation.reference }),
    since: startedAt,
    about: (scope.resources ?? []).map(
      ({ resource, namespace, name }) => `${resource}/${namespace === undefined ? '' : `${namespace}/`}${name}`,
    ),
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
