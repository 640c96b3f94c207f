import { impactLevels, type UpdateHealthInsight } from '@windlass/api'
import { parseTime } from '@windlass/core'
import type { HealthView } from './view.ts'

export function healthOf(insights: readonly UpdateHealthInsight[]): readonly HealthView[] {
  const views = insights.flatMap(({ metadata: { name = '' }, status }): readonly HealthView[] => {
    if (status === undefined) return []
    const { startedAt, scope, impact, remediation } = status
    const { level, type, summary, description = '' } = impact
    const resources = scope.resources ?? []
    return [{ name, since: startedAt, level, impact: type, summary, description, reference: remediation.reference, resources }]
  })
  return worstFirst(views)
}

/** By level, then the newest, then by name. */
export function worstFirst(views: readonly HealthView[]): readonly HealthView[] {
  return views.toSorted((a, b) => severity(b) - severity(a) || sinceOf(b) - sinceOf(a) || (a.name < b.name ? -1 : 1))
}

function severity({ level }: HealthView): number {
  return impactLevels.indexOf(level)
}

function sinceOf({ since }: HealthView): number {
  return parseTime(since) ?? 0
}

/** Somebody has to do something. */
export function isSerious({ level }: HealthView): boolean {
  return level === 'Error' || level === 'Critical'
}
