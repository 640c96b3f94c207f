import type {
  ClusterOperatorProgressInsight,
  MachineConfigPoolProgressInsight,
  NodeProgressInsight,
  UpdateHealthInsight,
} from '@windlass/api'
import { nodeSummaries } from '@windlass/api'
import {
  aClusterOperatorProgressInsight,
  aClusterVersionProgressInsight,
  aCondition,
  aMachineConfigPoolProgressInsight,
  aNodeProgressInsight,
  anUpdateHealthInsight,
} from '@windlass/api/fixtures'
import { formatTime, type Instant } from '@windlass/core'
import type { ClusterInsights } from '@windlass/insights'
import type { StatusOf } from '@windlass/kube'
import { type Details, standaloneStatus, statusLines } from './index.ts'

type ControlPlane = StatusOf<NonNullable<ClusterInsights['clusterVersion']>>

export const start = Date.UTC(2025, 5, 27, 12)
export const minutes = 60_000
/** So long after the start. */
export const at = (time: Instant): string => formatTime(start + time)

/** An update that has run for half an hour and has as much to go. Parts of a status replace those of the fixture. */
export function insights(
  status: Partial<ControlPlane> = {},
  others: Partial<Omit<ClusterInsights, 'clusterVersion'>> = {},
): ClusterInsights {
  const clusterVersion = aClusterVersionProgressInsight({
    status: {
      name: 'version',
      assessment: 'Progressing',
      versions: { target: { version: '4.18.16' }, previous: { version: '4.18.15' } },
      completionPercent: 50,
      startedAt: at(0),
      lastObservedProgress: at(0),
      estimatedCompletedAt: at(60 * minutes),
      conditions: [aCondition('Updating', 'True', 'Progressing')],
      ...status,
    },
  })
  return { clusterVersion, operators: [], pools: [], nodes: [], health: [], ...others }
}

export const completed: Partial<ControlPlane> = {
  assessment: 'Completed',
  completionPercent: 100,
  completedAt: at(52 * minutes),
  conditions: [aCondition('Updating', 'False', 'NotProgressing')],
}

export function operator(name: string, reason: string, health = 'AsExpected'): ClusterOperatorProgressInsight {
  const status = reason === 'Progressing' ? 'True' : reason === 'CannotDetermine' ? 'Unknown' : 'False'
  const healthy = health === 'AsExpected' ? 'True' : health === 'CannotDetermine' ? 'Unknown' : 'False'
  const conditions = [aCondition('Updating', status, reason, `Progressing=${status}: it is so`), aCondition('Healthy', healthy, health)]
  return aClusterOperatorProgressInsight({ name, status: { name, conditions } })
}

type Summary = (typeof nodeSummaries)[number]

export function pool(
  name: string,
  {
    assessment = 'Pending',
    percent = 0,
    reason = 'Pending',
    counts = {},
  }: {
    readonly assessment?: string
    readonly percent?: number
    readonly reason?: string
    readonly counts?: Partial<Record<Summary, number>>
  } = {},
): MachineConfigPoolProgressInsight {
  return aMachineConfigPoolProgressInsight({
    name,
    status: {
      name,
      scopeType: name === 'master' ? 'ControlPlane' : 'WorkerPool',
      assessment,
      completionPercent: percent,
      summaries: nodeSummaries.map((type) => ({ type, count: counts[type] ?? 0 })),
      conditions: [aCondition('Updating', reason === 'Progressing' ? 'True' : 'False', reason)],
    },
  })
}

export interface NodeParts {
  readonly name: string
  readonly pool?: string
  readonly reason?: string
  readonly isAvailable?: boolean
  readonly isDegraded?: boolean
  readonly status?: Partial<StatusOf<NodeProgressInsight>>
}

export function node({ name, pool: of = 'worker', reason = 'Pending', isAvailable = true, isDegraded = false, status }: NodeParts) {
  const isUpdating = ['Draining', 'Updating', 'Rebooting'].includes(reason)
  return aNodeProgressInsight({
    name,
    status: {
      name,
      poolResource: { group: 'machineconfiguration.openshift.io', resource: 'machineconfigpools', name: of },
      scopeType: 'WorkerPool',
      version: '4.18.15',
      conditions: [
        aCondition('Updating', isUpdating ? 'True' : 'False', reason),
        aCondition('Available', isAvailable ? 'True' : 'False'),
        aCondition('Degraded', isDegraded ? 'True' : 'False'),
      ],
      ...status,
    },
  })
}

export function health(
  name: string,
  level: StatusOf<UpdateHealthInsight>['impact']['level'],
  since: Instant,
  summary = `It is ${level}`,
): UpdateHealthInsight {
  const { spec: _, ...rest } = anUpdateHealthInsight({ name })
  return anUpdateHealthInsight({
    name,
    status: {
      startedAt: at(since),
      scope: rest.status?.scope ?? { type: 'ControlPlane' },
      impact: { level, type: 'Update Speed', summary },
      remediation: { reference: 'https://example.com/what-to-do' },
    },
  })
}

/** The lines of the view, some time after the start. */
export function linesOf(from: ClusterInsights, after: Instant = 30 * minutes, details: Details = 'none'): readonly string[] {
  const now = start + after
  return statusLines(standaloneStatus({ insights: from }, now), { details, now })
}

/** The value behind a label. */
export function valueOf(lines: readonly string[], label: string): string | undefined {
  return lines
    .find((line) => line.startsWith(`${label}:`))
    ?.slice(label.length + 1)
    .trim()
}
