import type { ClusterVersion } from '@windlass/api'
import { findCondition, type Instant, isTrue, parseTime } from '@windlass/core'
import { injected, type Injection } from '../injections/index.ts'
import { manifestsDone, type Payload, type PayloadOperator } from '../payload/index.ts'
import { minutesOf, type Settings, takes } from '../settings.ts'
import type { Release } from '../updates/index.ts'
import { type Condition, say, type Said } from './condition.ts'
import { hasVersions, type HoldUps, holdUps, isNothing, type Operators } from './hold-ups.ts'
import { completed, hasEverCompleted, type History } from './history.ts'
import type { Progress } from './progress.ts'
import { applyingReport, doneIn, doneReport, momentsOf, type Report, restingReport, type Situation } from './report.ts'

/** A release that is applied, or has been. */
export interface Work {
  readonly clusterVersion: ClusterVersion
  readonly release: Release
  readonly progress: Progress
  readonly history: History
  /** It begins with this look. */
  readonly isNew: boolean
  readonly operators: Operators
  readonly payload: Payload
  readonly settings: Settings
  readonly injections: readonly Injection<'ClusterVersion'>[]
}

/** How far it is, and what is said about it. */
export interface Stage {
  readonly progress: Progress
  readonly history: History
  readonly report: Report
  readonly moments: readonly Instant[]
  readonly reason: string
  readonly waitingFor: string
}

/** The first installation, and what is applied once more, is done all at once; an update step by step. */
export function begun(work: string, history: History, { steps }: Payload, now: Instant): Progress {
  const isUpdate = history[0]?.state === 'Partial' && hasEverCompleted(history)
  return { work, step: isUpdate ? 0 : steps.length - 1, since: now }
}

/** Moves the work on if it can be, and says how it is. */
export function stageOf(work: Work, now: Instant): Stage {
  const { clusterVersion, release, progress, history, isNew, injections, payload } = work
  const { version } = release
  const isApplying = isNew || history[0]?.state !== 'Completed' || isTrue(clusterVersion.status?.conditions, 'Progressing')
  const situation = situationOf(work, isApplying)
  const stage = {
    progress,
    history,
    moments: momentsOf(situation),
    waitingFor: waitingFor(situation.holdUps),
    reason: 'this is how far it is',
  }
  if (injected(injections, 'broken') !== undefined) return { ...stage, report: brokenReport(clusterVersion, version) }
  if (!isApplying) return { ...stage, report: restingReport(situation, now) }
  const readyAt = progress.since + manifestsTake(work)
  const isThrough = !isNew && isNothing(situation.holdUps) && situation.rejected === undefined && readyAt <= now
  if (isThrough && progress.step >= payload.steps.length - 1)
    return { ...stage, history: completed(history, now), report: doneReport(version), reason: `${version} has got everywhere` }
  const { report, at } = unhurried(
    clusterVersion.status?.conditions,
    applyingReport(situation, now),
    startOf(history, now),
    work.settings,
    now,
  )
  return {
    ...stage,
    report,
    moments: [...stage.moments, readyAt, ...(at === undefined ? [] : [at])],
    ...(isThrough ? { progress: { ...progress, step: progress.step + 1, since: now } } : {}),
    ...(isNew ? { reason: `${version} is applied from now on` } : {}),
  }
}

function situationOf(
  { clusterVersion, release, progress, operators, payload, settings, injections }: Work,
  isApplying: boolean,
): Situation {
  const { step, since } = progress
  const gate = { operators, payload, release, isDegradedBlocking: settings.isDegradedBlocking || !isApplying }
  const hasVersion = (operator: PayloadOperator): boolean => hasVersions(operators.get(operator.name), operator, release)
  const attempt = Math.max(1, takes(settings, 'attempt', `${identityOf(clusterVersion, release)}/${step}`))
  return {
    version: release.version,
    holdUps: holdUps(gate, step),
    done: Math.max(manifestsDone(payload, step, hasVersion), toldDone(clusterVersion, release)),
    total: payload.manifests,
    since,
    toldAt: (moment) => since + Math.max(1, Math.ceil((moment - since) / attempt)) * attempt,
    minute: minutesOf(settings, 1),
    ...(injected(injections, 'manifest-rejected') === undefined ? {} : { rejected: rejection(payload, step) }),
  }
}

/** What was told of this release is not taken back: the caches may know the operators as they were before. */
function toldDone({ status }: ClusterVersion, { version, image }: Release): number {
  const { message = '' } = findCondition(status?.conditions, 'Progressing') ?? {}
  if (status?.desired.image !== image || status.desired.version !== version) return 0
  return doneIn(message, version)
}

/** Where operators are waited for, that takes all the time. */
function manifestsTake({ clusterVersion, release, progress: { step }, payload, settings }: Work): number {
  const isBare = (payload.steps[step]?.operators.length ?? 0) === 0
  return isBare ? takes(settings, 'manifests', `${identityOf(clusterVersion, release)}/${step}`) : 0
}

function identityOf({ spec }: ClusterVersion, { image }: Release): string {
  return `${spec.clusterID}/${image}`
}

function rejection({ steps, manifests }: Payload, step: number): string {
  const operator = steps
    .slice(0, step + 1)
    .findLast(({ operators }) => operators.length > 0)
    ?.operators.at(-1)
  const [name, manifest] = operator === undefined ? ['cluster-version-operator', 1] : [`${operator.name}-operator`, operator.manifest]
  return `Could not update deployment "openshift-${name}/${name}" (${manifest} of ${manifests}): the object is invalid, possibly due to local cluster configuration`
}

function brokenReport({ status }: ClusterVersion, version: string): Report {
  const before = findCondition(status?.conditions, 'Progressing')
  const progressing = before === undefined ? say('Progressing', 'True', '', `Working towards ${version}`) : withoutTime(before)
  return { progressing, failing: say('Failing', 'True', '', brokenMessage) }
}

export const brokenMessage = 'Error ensuring the cluster version is up to date: the payload of the release cannot be read'

/** How often counters are written at most, in minutes. */
const reportEvery = 0.25

/**
 * While only counters move, that is told four times a minute at most. There are moments for it, counted from the start of the update, so that nobody has to remember the last
 * one; who comes at another time waits for the next.
 */
function unhurried(
  conditions: readonly Condition[] | undefined,
  report: Report,
  began: Instant,
  settings: Settings,
  now: Instant,
): { readonly report: Report; readonly at?: Instant } {
  const before = findCondition(conditions, 'Progressing')
  const { status, reason, message } = report.progressing
  const isOnlyCounting = before?.status === status && before.reason === reason && before.message !== message
  const period = minutesOf(settings, reportEvery)
  const passed = now - began
  if (!isOnlyCounting || before === undefined || passed % period < period / 5 || period < 1) return { report }
  return { report: { ...report, progressing: withoutTime(before) }, at: began + Math.ceil(passed / period) * period }
}

function startOf(history: History, now: Instant): Instant {
  return parseTime(history[0]?.startedTime) ?? now
}

function waitingFor({ unavailable, degraded, updating }: HoldUps): string {
  const parts = [
    ...unavailable.map(({ name }) => `${name} to be available`),
    ...degraded.map(({ name }) => `${name} to be well`),
    ...updating.map((name) => `${name} to update`),
  ]
  return parts.join(', ')
}

function withoutTime({ lastTransitionTime: _, ...said }: Condition): Said {
  return said
}
