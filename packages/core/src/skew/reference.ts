import { activeVersions, type VersionedUpdate } from '../active-versions/active-versions.ts'
import { type Version, tryParseVersion } from '../version/version.ts'

/**
 * Which of the two histories of a hosted cluster tells the version that nodes are held against.
 *
 * `ClusterVersion` is what the guest says (`status.version`), `ControlPlaneVersion` what the management side says
 * (`status.controlPlaneVersion`). `Auto` takes the management side as soon as it has completed an update.
 */
export const SkewSource = { auto: 'Auto', clusterVersion: 'ClusterVersion', controlPlaneVersion: 'ControlPlaneVersion' } as const
export type SkewSource = (typeof SkewSource)[keyof typeof SkewSource]

export const defaultSkewSource: SkewSource = SkewSource.auto

/** Thrown when a text names no source of versions. */
export class UnknownSkewSourceError extends Error {
  override readonly name = 'UnknownSkewSourceError'
  readonly text: string

  constructor(text: string) {
    super(`"${text}" is no source of versions: choose one of ${Object.values(SkewSource).join(', ')}`)
    this.text = text
  }
}

export function parseSkewSource(text: string): SkewSource {
  const source = Object.values(SkewSource).find((name) => name === text)
  if (source === undefined) throw new UnknownSkewSourceError(text)
  return source
}

/** One side's view of its updates: what it goes to, and how it got to where it is, newest first. */
export interface VersionReport {
  readonly desired?: { readonly version?: string | undefined } | undefined
  readonly history?: readonly VersionedUpdate[] | undefined
}

/** Both views, as the status of a HostedCluster has them. */
export interface VersionReports {
  readonly controlPlaneVersion?: VersionReport | undefined
  readonly version?: VersionReport | undefined
}

/**
 * The view that counts. By `Auto`, a management side that has completed nothing does not: a report that began in the middle of an update holds its
 * target alone, and knows nothing of what most components still run.
 */
export function trustedReport<C extends VersionReport, V extends VersionReport>(
  { controlPlaneVersion, version }: { readonly controlPlaneVersion?: C | undefined; readonly version?: V | undefined },
  source: SkewSource = defaultSkewSource,
): C | V | undefined {
  if (source === 'ClusterVersion') return version
  if (source === 'ControlPlaneVersion' || completedIn(controlPlaneVersion) !== undefined) return controlPlaneVersion
  return version ?? controlPlaneVersion
}

/**
 * The version that nodes are held against: the newest that was completed; before there is one, that of the newest update; before that,
 * the one that is wanted. As it was written, because it may not be readable. Undefined when nothing is known.
 *
 * A superseded update has a completion time too: only its state says that it never got everywhere.
 */
export function referenceVersion(reports: VersionReports, source: SkewSource = defaultSkewSource): string | undefined {
  const report = trustedReport(reports, source)
  const picked = completedIn(report) ?? report?.history?.[0]?.version ?? report?.desired?.version
  return picked === '' ? undefined : picked
}

/** The newest version that was completed; undefined while the first installation runs. */
export function completedVersion(reports: VersionReports, source: SkewSource = defaultSkewSource): string | undefined {
  return completedIn(trustedReport(reports, source))
}

/**
 * The versions that may still run in the control plane. The management side tells them, and the guest what it does not know; a cluster
 * whose management side reports nothing is judged by its guest.
 */
export function activeVersionsOf(
  { controlPlaneVersion, version }: VersionReports,
  source: SkewSource = defaultSkewSource,
): readonly Version[] | undefined {
  const guest = source === 'ControlPlaneVersion' ? undefined : version
  const management = source === 'ClusterVersion' ? undefined : controlPlaneVersion
  return activeIn(management, guest?.history) ?? activeIn(guest)
}

function activeIn(report: VersionReport | undefined, guestHistory?: readonly VersionedUpdate[]): readonly Version[] | undefined {
  if (report === undefined) return undefined
  if ((report.history ?? []).length > 0) return activeVersions(report.history, guestHistory)
  const desired = tryParseVersion(report.desired?.version)
  return desired === undefined ? undefined : [desired]
}

function completedIn(report: VersionReport | undefined): string | undefined {
  const version = report?.history?.find(({ state }) => state === 'Completed')?.version
  return version === '' ? undefined : version
}
