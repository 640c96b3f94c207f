import type { Instant } from '@windlass/core'
import { createSilence, type Effect, endSilence, type OnFailure } from '../effects/effect.ts'
import { isByUs, isLive, isOfAttempt, type Matcher, newSilence, ranOut, type Silence } from './silence.ts'

/** The two kinds of maintenance windows, and the words by which their silences are found again. They say OSD for every type of upgrade. */
export const windowWords = { 'control plane': 'OSD control plane', worker: 'OSD worker node' } as const
export type WindowKind = keyof typeof windowWords

/** What belongs to the platform; alerts of customers are never silenced. */
const platformAlerts: readonly Matcher[] = [
  { name: 'severity', value: '(warning|info)', isRegex: true },
  { name: 'namespace', value: '(^openshift.*|^kube.*|^redhat.*|^default$)', isRegex: true },
]

export interface Attempt {
  readonly version: string
  /** When this upgrade began. */
  readonly startTime: Instant
  readonly now: Instant
}

const controlPlaneComment = (version: string): string => `Silence for OSD control plane upgrade to version ${version}`
const criticalsComment = (version: string): string => `Silence for critical alerts during OSD control plane upgrade to version ${version}`
const workerComment = (version: string): string => `Silence for OSD worker node upgrade to version ${version}`

/**
 * The silences of the control plane that are missing.
 *
 * One that this upgrade has ended counts as there, so that later passes, which go through all steps again, do not make it anew.
 */
export function controlPlaneWindow(
  silences: readonly Silence[],
  criticals: readonly string[],
  end: Instant,
  { version, startTime, now }: Attempt,
): readonly Effect[] {
  const exists = (comment: string): boolean =>
    silences.some((silence) => isByUs(silence) && silence.comment === comment && isOfAttempt(silence, startTime))
  const wanted: readonly (readonly [comment: string, matchers: readonly Matcher[]])[] = [
    [controlPlaneComment(version), platformAlerts],
    ...(criticals.length === 0
      ? []
      : [[criticalsComment(version), [{ name: 'alertname', value: `(${criticals.join('|')})`, isRegex: true }]] as const]),
  ]
  return wanted.filter(([comment]) => !exists(comment)).map(([comment, matchers]) => createSilence(newSilence(comment, matchers, now, end)))
}

/**
 * The silence of the workers, for as many nodes as are left. It is made anew when that number changes.
 *
 * One that ran out is not: that the workers take longer than expected must become visible. One that was deleted is, since the number of nodes can go back to
 * what it was before.
 */
export function workerWindow(
  silences: readonly Silence[],
  remaining: number,
  end: Instant,
  { version, startTime, now }: Attempt,
): readonly Effect[] {
  const comment = `${workerComment(version)} with remaining ${remaining} nodes`
  const same = silences.filter((silence) => isByUs(silence) && silence.comment === comment && isOfAttempt(silence, startTime))
  if (same.some((silence) => isLive(silence) || ranOut(silence))) return []
  const stale = silences.filter(
    (silence) => isByUs(silence) && silence.status.state === 'active' && silence.comment.includes(workerComment(version)),
  )
  return [...stale.map((silence) => endSilence(silence, 'stop')), createSilence(newSilence(comment, platformAlerts, now, end))]
}

/** Ends the silences of one kind that are ours. Each is tried, whatever becomes of the others. */
export function endWindow(silences: readonly Silence[], kind: WindowKind, onFailure: OnFailure = 'report'): readonly Effect[] {
  return silences
    .filter((silence) => isByUs(silence) && isLive(silence) && silence.comment.includes(windowWords[kind]))
    .map((silence) => endSilence(silence, onFailure))
}

/** Ends everything of ours, of both kinds. */
export function endAllWindows(silences: readonly Silence[], onFailure: OnFailure = 'report'): readonly Effect[] {
  return [...endWindow(silences, 'control plane', onFailure), ...endWindow(silences, 'worker', onFailure)]
}
