import type { Duration, Instant } from '@windlass/core'
import { atSpeed, drawn, type Pace, paceOf, type PaceOptions, type Spread } from '../profile/index.ts'
import { type Payload, selfManagedPayload } from './payload/index.ts'
import type { UpdateService } from './updates/index.ts'

const seconds = 1_000
const minutes = 60 * seconds

/** What takes time in a cluster besides the work of its operators, and how much of it on an ordinary day. */
export const usualClusterDurations = {
  /** A release that is asked for is fetched and checked. */
  retrieve: { median: 20 * seconds, spread: 0.4 },
  /** The update service answers after the channel has changed. */
  look: { median: 5 * seconds, spread: 0.5 },
  /** Manifests are applied that no operator waits behind: the first of a release, and the last. */
  manifests: { median: 1 * minutes, spread: 0.1 },
  /** One attempt of the version operator at a whole release. What went wrong in it is told when it ends. */
  attempt: { median: 5 * minutes, spread: 0.15 },
  /** An operator is briefly away while it updates itself; not every one is. */
  absence: { median: 40 * seconds, spread: 0.4 },
  /** The config of a pool is rendered. */
  render: { median: 20 * seconds, spread: 0.3 },
  /** A node hears of its new config. */
  react: { median: 5 * seconds, spread: 0.5 },
  /** Image and files of a node are changed. */
  apply: { median: 110 * seconds, spread: 0.2 },
  /** A node that restarts goes silent. */
  shutdown: { median: 20 * seconds, spread: 0.3 },
  /** It comes back, from when the restart was asked for. */
  reboot: { median: 190 * seconds, spread: 0.2 },
  /** It is opened for Pods again. */
  uncordon: { median: 18 * seconds, spread: 0.3 },
} as const satisfies Readonly<Record<string, Spread>>

export type ClusterStep = keyof typeof usualClusterDurations

/** How a simulated cluster behaves. Time limits are divided by the speed too. */
export interface ClusterOptions extends PaceOptions<ClusterStep> {
  /** Which updates there are, by channel; none are looked up unless told. */
  readonly updates?: UpdateService
  /** Whether an operator that is degraded holds up an update. It does unless told: what has been announced for later releases is not so yet. */
  readonly isDegradedBlocking?: boolean
  /** What is in every release of a cluster that runs its own control plane; what is in real ones unless told. */
  readonly payload?: Payload
}

/** The same, spelled out. */
export interface Settings extends Pace<ClusterStep> {
  readonly updates: UpdateService | undefined
  readonly isDegradedBlocking: boolean
  readonly payload: Payload
}

/** Errors: as those of `paceOf`. */
export function clusterSettings({ updates, isDegradedBlocking = true, payload = selfManagedPayload, ...pace }: ClusterOptions): Settings {
  return { ...paceOf(usualClusterDurations, pace), updates, isDegradedBlocking, payload }
}

/** How long a step takes for the thing of that name. */
export function takes(settings: Settings, step: ClusterStep, identity: string): Duration {
  return drawn(settings, settings.durations[step], `cluster/${step}/${identity}`)
}

/** How long an operator works on a release that takes it so many minutes on the reference cluster. */
export function workTakes(settings: Settings, referenceMinutes: number, identity: string): Duration {
  return drawn(settings, { median: referenceMinutes * minutes, spread: 0.1 }, `cluster/operator/${identity}`)
}

/** A fixed length of time in minutes, such as a limit, at the speed of this cluster. */
export function minutesOf(settings: Settings, count: number): Duration {
  return atSpeed(settings, count * minutes)
}

/** The earliest of these moments that is still to come, in milliseconds from now; infinite when there is none. */
export function untilNext(now: Instant, moments: Iterable<Instant | undefined>): Duration {
  let next = Number.POSITIVE_INFINITY
  for (const moment of moments) if (moment !== undefined && moment > now && moment < next) next = moment
  return next - now
}
