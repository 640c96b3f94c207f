import { type Version, tryParseVersion } from '../version/version.ts'

/** What the walk needs of an update, of a control plane or of a cluster version operator. */
export interface VersionedUpdate {
  readonly state: string
  /** Absent or empty while it is not known. */
  readonly version?: string
}

/**
 * The updates that may have left something behind that still runs, newest first.
 *
 * Walks from the newest: every Partial may have moved some components and not others. The first Completed moved all of them, so that
 * nothing older can still run.
 */
export function activeUpdates<U extends VersionedUpdate>(history: readonly U[]): readonly U[] {
  const newestCompleted = history.findIndex(({ state }) => state === 'Completed')
  return newestCompleted < 0 ? history : history.slice(0, newestCompleted + 1)
}

/**
 * The versions that may still run somewhere in a control plane, newest update first, each once. Undefined when that is not known:
 * there is no history, or a version in it cannot be read. Never empty.
 *
 * A history that began in the middle of an update has no Completed entry, and does not know what most components run. The history of
 * the guest, if given, tells it then.
 */
export function activeVersions(
  history: readonly VersionedUpdate[] | undefined,
  guestHistory: readonly VersionedUpdate[] = [],
): readonly Version[] | undefined {
  if (history === undefined || history.length === 0) return undefined
  const active = activeUpdates(history)
  const isOriginKnown = active.at(-1)?.state === 'Completed'
  const origin = isOriginKnown ? undefined : guestHistory.find(({ state }) => state === 'Completed')
  const versions = new Map<string, Version>()
  for (const { version: text } of origin === undefined ? active : [...active, origin]) {
    const version = tryParseVersion(text)
    if (version === undefined) return undefined
    versions.set(version.text, version)
  }
  return [...versions.values()]
}
