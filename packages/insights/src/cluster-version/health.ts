import type { ClusterVersion } from '@windlass/api'
import { type Duration, findCondition, type Instant, parseTime } from '@windlass/core'
import { atOnce, earliest, type Observation, type Observations, orNoMessage, references, stageAt, withReason } from '../health/index.ts'
import { stalledAfter } from './healthy.ts'

const minute = 60_000
const forcing = 'oue.openshift.muller.dev/force-health-insight'

/** What the health insights about a control plane are made from. */
export interface UpdateSigns {
  readonly clusterVersion: ClusterVersion
  readonly isUpdating: boolean
  /** Of the control plane or of nodes: most of what is wrong is of interest only then. */
  readonly isInProgress: boolean
  readonly target: string | undefined
  readonly startedAt: string
  readonly lastObservedProgress: string
  /** Undefined where there is none. */
  readonly estimate: { readonly overdue: Duration } | undefined
  /** How much sooner than in a real cluster things have taken too long. */
  readonly speed: number
}

/** For testing that insights reach those who should see them. */
export function forced(clusterVersion: ClusterVersion): readonly Observation[] {
  const { name = '', annotations = {} } = clusterVersion.metadata
  if (!Object.hasOwn(annotations, forcing)) return []
  const summary = `Forced health insight for ClusterVersion ${name}`
  const description = `The resource has a "${forcing}" annotation which forces USC to generate this health insight for testing purposes.`
  return [{ ...about(clusterVersion), level: 'Info', impact: 'None', summary, description, reference: references.forced, since: undefined }]
}

/** Everything that is wrong with the update of a control plane. */
export function observe(signs: UpdateSigns, now: Instant): Observations {
  const always = [notAccepted(signs)]
  const gated = signs.isInProgress ? [failing(signs, now), maybeFailing(signs), neverCompleted(signs), late(signs)] : []
  const found = [...always, ...gated]
  return {
    observations: found.flatMap(({ observation }) => (observation === undefined ? [] : [observation])),
    nextAt: earliest(...found.map(({ nextAt }) => nextAt)),
  }
}

interface Found {
  readonly observation?: Observation
  readonly nextAt?: Instant | undefined
}

const nothing: Found = {}

const failingStages = [
  { after: atOnce, level: 'Warning' },
  { after: 10 * minute, level: 'Error' },
] as const

function failing({ clusterVersion, speed }: UpdateSigns, now: Instant): Found {
  const condition = conditionOf(clusterVersion, 'Failing', 'True')
  if (condition === undefined) return nothing
  const { since, reason, description } = condition
  const { stage, nextAt } = stageAt(failingStages, since ?? now, now, speed)
  const summary = withReason(`Cluster Version ${clusterVersion.metadata.name} is failing to proceed with the update`, reason)
  const level = stage?.level ?? 'Warning'
  return { observation: { ...stalled(clusterVersion), level, summary, description, since }, nextAt }
}

function maybeFailing({ clusterVersion }: UpdateSigns): Found {
  const condition = conditionOf(clusterVersion, 'Failing', 'Unknown')
  if (condition === undefined) return nothing
  const { since, reason, description } = condition
  const summary = withReason(`Cluster Version ${clusterVersion.metadata.name} may be failing to proceed with the update`, reason)
  return { observation: { ...stalled(clusterVersion), level: 'Warning', impact: 'Update Speed', summary, description, since } }
}

function notAccepted({ clusterVersion }: UpdateSigns): Found {
  const condition = conditionOf(clusterVersion, 'ReleaseAccepted', 'False')
  if (condition === undefined) return nothing
  const { since, reason, description } = condition
  const summary = withReason('Requested release is not accepted', reason)
  return { observation: { ...stalled(clusterVersion), level: 'Error', summary, description, since } }
}

function neverCompleted({ clusterVersion, isUpdating, target }: UpdateSigns): Found {
  const [newest, previous, ...older] = clusterVersion.status?.history ?? []
  if (!isUpdating || newest === undefined || previous?.state !== 'Partial') return nothing
  const complete = older.find(({ state }) => state === 'Completed')?.version ?? 'unknown'
  const summary = `Previous update to ${previous.version ?? 'unknown'} never completed, last complete update was ${complete}`
  const description = `Components that the update to ${previous.version ?? 'unknown'} did not reach go to ${target ?? 'the new version'} from an older version.`
  return {
    observation: {
      ...about(clusterVersion),
      level: 'Warning',
      impact: 'None',
      summary,
      description,
      reference: references.updateHistory,
      since: parseTime(newest.startedTime),
    },
  }
}

/** It has no moment of its own to look again: while an update runs, its estimate is kept fresh anyway. */
function late({ clusterVersion, isUpdating, target, startedAt, lastObservedProgress, estimate, speed }: UpdateSigns): Found {
  if (!isUpdating || estimate === undefined || estimate.overdue <= 0) return nothing
  const isStalled = estimate.overdue > stalledAfter / speed
  return {
    observation: {
      ...stalled(clusterVersion),
      level: isStalled ? 'Error' : 'Warning',
      impact: isStalled ? 'Update Stalled' : 'Update Speed',
      summary: `Update to ${target ?? 'unknown'} is taking longer than estimated`,
      description: `The update began at ${startedAt} and was last seen to make progress at ${lastObservedProgress}.`,
      since: parseTime(lastObservedProgress),
    },
  }
}

function about({ metadata: { name = '' } }: ClusterVersion): Pick<Observation, 'scope' | 'resources'> {
  return { scope: 'ControlPlane', resources: [{ group: 'config.openshift.io', resource: 'clusterversions', name }] }
}

function stalled(clusterVersion: ClusterVersion): Pick<Observation, 'scope' | 'resources' | 'impact' | 'reference'> {
  return { ...about(clusterVersion), impact: 'Update Stalled', reference: references.operatorDegraded }
}

function conditionOf({ status }: ClusterVersion, type: string, wanted: string) {
  const condition = findCondition(status?.conditions, type)
  if (condition?.status !== wanted) return undefined
  return { reason: condition.reason, description: orNoMessage(condition.message), since: parseTime(condition.lastTransitionTime) }
}
